import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { PLAIN_TOOL } from '../../testing/tools.ts';
import { defineTool } from '../../tools/tool.ts';
import { codePrompt } from './prompt.ts';

const NAMES = [
  ...['query_rag', 'write_note', 'schedule', 'reschedule', 'cancel_schedule', 'list_schedules', 'read_file'],
  ...['write_file', 'edit_file', 'list_directory', 'change_list', 'show_lists', 'web_search', 'fetch_text', 'notify'],
  ...['search_files', 'current_time', 'delete_file', 'tide_table'],
];

const tools = NAMES.map((name) =>
  defineTool({ ...PLAIN_TOOL, name, input: z.object({}), output: z.string(), execute: () => '' }),
);

function prompt(request: string, offered = tools, proven = false): string {
  const promptsDir = resolve(import.meta.dirname, '../../../prompts');
  return codePrompt({ promptsDir, tools: offered, modules: [], functions: [], small: { request, proven } });
}

const functionsOf = (text: string) => [...text.matchAll(/^(\w+)\(\)/gmu)].map(([, name]) => name);

test.each([
  ['Hello', []],
  ['What time is it?', ['currentTime']],
  ['Search my files for the shed code.', ['searchFiles']],
  ['When does the tide turn?', ['tideTable']],
  [`Sum this up. ${'word '.repeat(300)}tide`, []],
])('a small model is told of 15 functions, among them those that it is asked about: %#', (request, asked) => {
  const told = functionsOf(prompt(request));
  const seldom = ['searchFiles', 'currentTime', 'deleteFile', 'tideTable'].filter((name) => told.includes(name));
  expect([told.length, seldom]).toEqual([15, asked]);
  expect(told).toEqual(expect.arrayContaining(['writeNote', 'schedule', 'changeList']));
  expect(functionsOf(prompt(request))).toEqual(told);
});

test('examples call only what is declared', () => {
  expect(prompt('Hello')).toContain("await reschedule('dentist'");
  const few = tools.filter(({ name }) => ['schedule', 'notify'].includes(name));
  const shown = prompt('Hello', few);
  expect([...shown.matchAll(/await (\w+)\(/gu)].map(([, name]) => name)).toEqual(['schedule']);
  expect(shown).not.toContain('Move a reminder');
  const later = prompt('Hello', tools, true);
  expect([later.includes('await '), functionsOf(later).length]).toEqual([false, 15]);
});
