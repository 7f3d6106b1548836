import { AIMessage, AIMessageChunk } from '@langchain/core/messages';
import { expect, test } from 'vitest';
import { REFUSED_CALL } from '../../conversation/stored-calls.ts';
import { endMarker } from '../../models/reply.ts';
import { guardToolCalls } from './tool-call-guard.ts';

const options = () => ({
  known: (name: string) => (name === 'write' ? name : undefined),
  asArguments: () => undefined,
  unknown: (name: string) => `no ${name}`,
  usedIds: new Set<string>(),
});

function streamed(args: string, finish?: string): AIMessageChunk {
  return new AIMessageChunk({
    content: '',
    tool_call_chunks: [{ type: 'tool_call_chunk', index: 0, id: 'c1', name: 'write', args }],
    ...(finish ? { response_metadata: { finish_reason: finish } } : {}),
  });
}

test.each([
  ['whole', streamed('{"text":"a"}', 'tool_calls'), 'write'],
  ['whole, other word for the end', streamed('{"text":"a"}', 'stop'), 'write'],
  ['no arguments at all', streamed('', 'tool_calls'), 'write'],
  ['cut in a string', streamed('{"text":"a', 'length'), REFUSED_CALL],
  ['cut in a string without an end', streamed('{"text":"a'), REFUSED_CALL],
  ['whole but without an end', streamed('{"text":"a"}'), REFUSED_CALL],
  ['cut and closed by the server', streamed('{"text":"a"', 'tool_calls'), REFUSED_CALL],
  ['no arguments, ended by length', streamed('', 'length'), REFUSED_CALL],
  ['a list instead of an object', streamed('["a"]', 'tool_calls'), REFUSED_CALL],
  ['not streamed', new AIMessage({ content: '', tool_calls: [{ id: 'c', name: 'write', args: {} }] }), 'write'],
  [
    'not streamed, ended by length',
    new AIMessage({
      content: '',
      tool_calls: [{ id: 'c', name: 'write', args: {} }],
      response_metadata: { finish_reason: 'length' },
    }),
    REFUSED_CALL,
  ],
  [
    'not streamed, unreadable',
    new AIMessage({ content: '', invalid_tool_calls: [{ id: 'c', name: 'write', args: '{', error: 'x' }] }),
    REFUSED_CALL,
  ],
  ['unknown', new AIMessage({ content: '', tool_calls: [{ id: 'c', name: 'rite', args: {} }] }), REFUSED_CALL],
])('a call that is %s', (_case, message, name) => {
  expect(guardToolCalls(message, options()).tool_calls?.map((call) => call.name)).toEqual([name]);
});

test('ids are given where they lack and changed where they come again', () => {
  const usedIds = new Set(['c']);
  const calls = ['c', 'd', undefined].map((id) => ({ name: 'write', args: {}, ...(id ? { id } : {}) }));
  const ids = guardToolCalls(new AIMessage({ content: '', tool_calls: calls }), { ...options(), usedIds }).tool_calls;
  expect(ids?.[1]?.id).toBe('d');
  expect(new Set([...(ids ?? []).map((call) => call.id), 'c']).size).toBe(4);
});

test.each([
  [{ response_metadata: { finish_reason: 'stop' } }, 'stop'],
  [{ additional_kwargs: { stop_reason: 'max_tokens' } }, 'max_tokens'],
  [{ response_metadata: { done_reason: 'stop' } }, 'stop'],
  [{ response_metadata: { finishReason: 'STOP' } }, 'STOP'],
  [{ response_metadata: { status: 'incomplete' } }, 'incomplete'],
  [{ response_metadata: {} }, undefined],
])('the end of a reply is found in %j', (fields, marker) => {
  expect(endMarker(new AIMessage({ content: '', ...fields }))).toBe(marker);
});
