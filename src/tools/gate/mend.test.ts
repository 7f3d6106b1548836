import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { slipTools } from '../../testing/slips.ts';
import { PLAIN_TOOL } from '../../testing/tools.ts';
import { defineTool } from '../tool.ts';
import { readInput } from './input.ts';
import { meantTool } from './tool-names.ts';

const { tools } = slipTools();
const plan = defineTool({
  ...PLAIN_TOOL,
  name: 'plan',
  positional: ['path'],
  aliases: { path: ['file'] },
  input: z.object({
    path: z.string().min(1),
    k: z.int().min(1).max(20).optional(),
    loud: z.boolean().optional(),
    tags: z.array(z.string()).optional(),
    kind: z.enum(['short', 'long']).optional(),
  }),
  execute: () => null,
});

test.each([
  ['an alias', { file: 'a' }, { path: 'a' }],
  ['other capitals and separators', { Path: 'a' }, { path: 'a' }],
  ['part of a name', { file_path: 'a' }, { path: 'a' }],
  ['a slip of a letter', { paht: 'a' }, { path: 'a' }],
  ['the one unknown field for the one that is missing', { location: 'a' }, { path: 'a' }],
  ['a wrapper', { arguments: { path: 'a' } }, { path: 'a' }],
  ['JSON as the whole input', '{"path": "a"}', { path: 'a' }],
  ['JSON in its own field', { path: '{"path": "a", "k": 2}' }, { path: 'a', k: 2 }],
  ['a number as text', { path: 'a', k: '3' }, { path: 'a', k: 3 }],
  ['a number for a text', { path: 7 }, { path: '7' }],
  ['null', { path: 'a', k: null }, { path: 'a' }],
  ['too little and too much', { path: 'a', k: 0 }, { path: 'a', k: 1 }],
  ['more than the most', { path: 'a', k: 500 }, { path: 'a', k: 20 }],
  ['a truth value as text', { path: 'a', loud: 'True' }, { path: 'a', loud: true }],
  ['a list as JSON', { path: 'a', tags: '["x", "y"]' }, { path: 'a', tags: ['x', 'y'] }],
  ['one item for a list', { path: 'a', tags: 'x' }, { path: 'a', tags: ['x'] }],
  ['a word in capitals', { path: 'a', kind: 'SHORT' }, { path: 'a', kind: 'short' }],
  ['fields that do not exist', { path: 'a', colour: 'red' }, { path: 'a' }],
])('%s is mended', (_name, raw, data) => {
  expect(readInput(plan, raw, 'tool')).toEqual({ ok: true, data });
});

test.each([
  ['tool', 'plan { path: string, k?: number, loud?: boolean, tags?: string[], kind?: "short" | "long" }'],
  ['function', 'plan(path: string)'],
] as const)('what has no reading is refused with the signature of a %s', (form, signature) => {
  expect(readInput(plan, { where: 'a', what: 'b' }, form)).toEqual({
    ok: false,
    error: `plan: path: missing. Ignored: where, what. Use ${signature}.`,
  });
});

describe('a name', () => {
  test.each([
    ['queryRag', 'query_rag'],
    ['rag_query', 'query_rag'],
    ['QUERY-RAG', 'query_rag'],
    ['functions.query_rag', 'query_rag'],
    ['write_notes', 'write_note'],
    ['writeNote()', 'write_note'],
    ['set_reminder', 'schedule'],
    ['createReminder', 'schedule'],
    ['shedule', 'schedule'],
    ['open_file', 'read_file'],
    ['get_current_time', 'current_time'],
  ])('%s means %s', (name, id) => {
    expect(meantTool(name, tools)?.name).toBe(id);
  });

  test.each(['note_query', 'launch', 'file', 'rag_write', 'fetch_url', '', 'wri_note'])('%j means none', (name) => {
    expect(meantTool(name, tools)).toBeUndefined();
  });
});
