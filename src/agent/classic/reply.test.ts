import { AIMessage, AIMessageChunk, type AIMessageFields } from '@langchain/core/messages';
import { expect, test } from 'vitest';
import { testScope, testToolbox } from '../../testing/scope.ts';
import { PLAIN_TOOL, WRITE_NOTE } from '../../testing/tools.ts';
import { defineTool } from '../../tools/tool.ts';
import { asWritten, hasCalls } from './reply.ts';

const call = { id: 'c', name: 'write_note', args: {} };
const piece = { type: 'tool_call_chunk', index: 0, id: 'c', name: 'write_note', args: '{"text"' } as const;

test.each([
  ['words', new AIMessage('Hello.'), false],
  ['words in pieces', new AIMessageChunk('Hello.'), false],
  ['a call', new AIMessage({ content: '', tool_calls: [call] }), true],
  ['a call that cannot be read', new AIMessage({ content: '', invalid_tool_calls: [{ ...call, args: '{' }] }), true],
  ['a piece of a call', new AIMessageChunk({ content: '', tool_call_chunks: [piece] }), true],
])('a reply of %s', (_what, reply, has) => {
  expect(hasCalls(reply)).toBe(has);
});

const ABOUT: AIMessageFields = {
  id: 'msg_1',
  response_metadata: { finish_reason: 'stop' },
  usage_metadata: { input_tokens: 1, output_tokens: 2, total_tokens: 3 } as never,
};

test('the answer in a reply takes its place', () => {
  const reply = new AIMessage({ ...ABOUT, content: '<think>hm</think> Hello.' });
  expect(asWritten(reply, { kind: 'answer', text: 'Hello.' })).toEqual(new AIMessage({ ...ABOUT, content: 'Hello.' }));
  const bare = asWritten(new AIMessage('Hello!'), { kind: 'answer', text: 'Hello.' });
  expect(bare).toEqual(new AIMessage({ content: 'Hello.', response_metadata: {} }));
});

test('the calls in a reply take its place, each with what its fields are', async () => {
  const clear = defineTool({ ...PLAIN_TOOL, name: 'clear.all', execute: () => 'cleared' });
  const toolbox = testToolbox([WRITE_NOTE, clear], await testScope());
  const [write, all] = toolbox.list();
  if (!write || !all) throw new Error('no tools');
  const calls = [
    { tool: write, input: { text: 'milk' } },
    { tool: write, input: ['eggs'] },
    { tool: all, input: undefined },
  ];
  const written = asWritten(new AIMessage({ ...ABOUT, content: 'write_note(...)' }), { kind: 'calls', calls });
  expect([written.text, written.id, written.usage_metadata]).toEqual(['', 'msg_1', ABOUT.usage_metadata]);
  expect(written.tool_calls).toEqual([
    { type: 'tool_call', name: 'write_note', args: { text: 'milk' } },
    { type: 'tool_call', name: 'write_note', args: { text: 'eggs' } },
    { type: 'tool_call', name: 'clear_all', args: {} },
  ]);
});
