import { expect, test } from 'vitest';
import { PLAIN_TOOL } from '../../testing/tools.ts';
import { defineTool } from '../../tools/tool.ts';
import { isFree, nameTools, spelling, suggest } from './names.ts';

const tool = (name: string, functionName?: string) =>
  defineTool({ ...PLAIN_TOOL, name, ...(functionName ? { functionName } : {}), execute: () => 1 });

test.each([
  ['write_note', undefined, 'writeNote'],
  ['mail.send', undefined, 'mailSend'],
  ['query_rag', 'queryRAG', 'queryRAG'],
  ['a', '$a_1', '$a_1'],
  ['parallel', undefined, 'tools["parallel"]'],
  ['a', 'store', 'tools["a"]'],
  ['return', undefined, 'tools["return"]'],
  ['fetch', undefined, 'tools["fetch"]'],
  ['a', '1a', 'tools["a"]'],
  ['a', 'a-b', 'tools["a"]'],
  ['a', 'shout', 'tools["a"]'],
])('%s with the name %s is called %s', (name, functionName, expected) => {
  expect(nameTools([tool(name, functionName)], new Set(['shout'])).map(spelling)).toEqual([expected]);
});

test('two tools that would share a name have none, and others keep theirs', () => {
  const tools = [tool('a', 'look'), tool('b', 'look'), tool('c')];
  expect(nameTools(tools)).toEqual([
    { tool: tools[0], plain: undefined },
    { tool: tools[1], plain: undefined },
    { tool: tools[2], plain: 'c' },
  ]);
});

test.each([
  ...['tools', 'console', 'input', 'log', 'store', 'recall', 'ToolError', 'output', 'finalAnswer', 'done', 'complete'],
  ...['discoverTools', 'toolSchema', 'parallel', 'llm', 'llmJson', 'storeArtifact', 'getArtifact', 'listArtifacts'],
  ...['sleep', 'parseUrl', 'await', 'eval', 'undefined', 'of', 'yield', 'Array', 'Math', 'globalThis', 'fetch', ''],
  ...['a b', 'a.b', '1a'],
])('no tool may be called "%s"', (name) => {
  expect(isFree(name)).toBe(false);
});

test.each(['writeNote', 'Tools', '_', '$', 'a1'])('a tool may be called "%s"', (name) => {
  expect(isFree(name)).toBe(true);
});

test('a near name is suggested', () => {
  expect([suggest('writeNotes', ['queryRAG', 'writeNote']), suggest('sail', ['queryRAG'])]).toEqual([
    'writeNote',
    undefined,
  ]);
});
