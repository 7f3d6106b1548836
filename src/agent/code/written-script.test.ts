import { AIMessage } from '@langchain/core/messages';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { testScope, testToolbox } from '../../testing/scope.ts';
import { PLAIN_TOOL, WRITE_NOTE } from '../../testing/tools.ts';
import { defineTool } from '../../tools/tool.ts';
import { nativeCalls, scriptOf } from './written-script.ts';

const LOOK = defineTool({
  ...PLAIN_TOOL,
  name: 'web.look',
  input: z.object({ at: z.string().optional() }),
  execute: () => 1,
});
const spell = ({ name }: { name: string }) => (name === 'web.look' ? 'tools["web.look"]' : 'writeNote');

test.each([
  ['one call', [{ tool: WRITE_NOTE, input: { text: 'milk' } }], 'await writeNote({"text":"milk"});'],
  ['a call with one text', [{ tool: WRITE_NOTE, input: 'milk' }], 'await writeNote({"text":"milk"});'],
  ['a call with a list', [{ tool: WRITE_NOTE, input: ['milk'] }], 'await writeNote({"text":"milk"});'],
  ['a call with nothing', [{ tool: LOOK, input: {} }], 'await tools["web.look"]();'],
  ['a call with what is no input', [{ tool: LOOK, input: 3 }], 'await tools["web.look"]();'],
  [
    'two calls',
    [
      { tool: WRITE_NOTE, input: { text: 'milk' } },
      { tool: LOOK, input: {} },
    ],
    'const results = [];\nresults.push(await writeNote({"text":"milk"}));\nresults.push(await tools["web.look"]());\nresults;',
  ],
  ['no call', [], 'const results = [];\nresults;'],
])('%s is written as a script', (_name, calls, source) => {
  expect(scriptOf(calls, spell)).toBe(source);
});

test('tool calls of a model that was offered none are read where all are of known tools', async () => {
  const toolbox = testToolbox([WRITE_NOTE, LOOK], await testScope());
  const read = (...calls: readonly [string, Record<string, unknown>][]) =>
    nativeCalls(
      new AIMessage({ content: '', tool_calls: calls.map(([name, args]) => ({ name, args, id: 'a' })) }),
      toolbox,
    );
  expect(read(['write_note', { text: 'milk' }], ['web_look', {}])).toEqual([
    { tool: WRITE_NOTE, input: { text: 'milk' } },
    { tool: LOOK, input: {} },
  ]);
  expect(read(['write_note', { text: 'milk' }], ['launch', {}])).toEqual([]);
  expect(read()).toEqual([]);
  expect(nativeCalls(new AIMessage('Hello'), toolbox)).toEqual([]);
});
