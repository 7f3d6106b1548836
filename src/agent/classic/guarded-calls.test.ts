import { AIMessage, AIMessageChunk, type AIMessageFields, type ToolCallChunk } from '@langchain/core/messages';
import { describe, expect, test } from 'vitest';
import { MAX_JSON_DEPTH } from '../../base/json.ts';
import { REFUSED_CALL } from '../../conversation/stored-calls.ts';
import { guardToolCalls } from './tool-call-guard.ts';

/** Knows `write_note`, also as `note`, and takes anything as its text; ids that were used are `old`. */
function guarded(message: AIMessage | AIMessageChunk, usedIds = new Set(['old'])): AIMessage {
  return guardToolCalls(message, {
    known: (name) => (['note', 'write_note'].includes(name) ? 'write_note' : undefined),
    asArguments: (name, input) => (name === 'note' ? { text: String(input) } : undefined),
    unknown: (name) => `There is no ${name}.`,
    usedIds,
  });
}

const END = { finish_reason: 'tool_calls' };
const LENGTH = { finish_reason: 'length' };
const NONE = 'The arguments are not one valid JSON object';
const CUT = 'The reply was cut off';

function refused(tool: string, reason: string, args: object = {}, id = 'c1') {
  return { type: 'tool_call', id, name: REFUSED_CALL, args: { tool, args, reason } };
}
function again(why: string, tool = 'note') {
  return `${why}; ${tool} was not run. Send the whole call again, with less text if it was long.`;
}
const taken = (args: object, id = 'c1') => ({ type: 'tool_call', id, name: 'write_note', args });

describe('a call that came in pieces', () => {
  function streamed(args: string, end: object = END, rest: Partial<ToolCallChunk> = {}): AIMessageChunk {
    const piece: ToolCallChunk = { type: 'tool_call_chunk', index: 0, id: 'c1', name: 'note', args, ...rest };
    return new AIMessageChunk({ content: '', tool_call_chunks: [piece], response_metadata: { ...end } });
  }

  test.each<[string, AIMessageChunk, object]>([
    ['whole', streamed('{"text":"a"}'), taken({ text: 'a' })],
    ['without arguments', streamed(''), taken({})],
    ['written loosely', streamed("{text: 'a'}"), taken({ text: 'a' })],
    ['as a list', streamed('["a"]'), taken({ text: 'a' })],
    ['as a text', streamed('"a"'), taken({ text: 'a' })],
    [
      'as a text for an unknown tool',
      streamed('"a"', END, { name: 'conjure' }),
      refused('conjure', again(NONE, 'conjure')),
    ],
    ['as nothing', streamed('null'), refused('note', again(NONE))],
    ['unreadable', streamed('{"text":'), refused('note', again(NONE))],
    ['cut off by the length limit', streamed('{"text":"a', LENGTH), refused('note', again(CUT), { text: 'a' })],
    ['written loosely until the length limit', streamed("{text: 'a'}", LENGTH), refused('note', again(CUT))],
    ['whole before the length limit', streamed('{"text":"a"}', LENGTH), taken({ text: 'a' })],
    ['without an end', streamed('{"text":"a"}', {}), refused('note', again(CUT), { text: 'a' })],
    [
      'of an unknown tool',
      streamed('{"text":"a"}', END, { name: 'conjure' }),
      refused('conjure', 'There is no conjure.', { text: 'a' }),
    ],
  ])('%s', (_how, message, call) => {
    expect(guarded(message).tool_calls).toEqual([call]);
  });

  test('is read from its own pieces', () => {
    const pieces = ['a', 'b'].map((text, index): ToolCallChunk => {
      return { type: 'tool_call_chunk', index, id: `c${index}`, name: 'note', args: JSON.stringify({ text }) };
    });
    const message = new AIMessageChunk({ content: '', tool_call_chunks: pieces, response_metadata: END });
    expect(guarded(message).tool_calls).toEqual([taken({ text: 'a' }, 'c0'), taken({ text: 'b' }, 'c1')]);
  });
});

describe('a call that came in one', () => {
  const whole = (fields: AIMessageFields) => new AIMessage({ content: '', ...fields });
  const broken = (rest: object) => ({ id: 'c1', name: 'note', args: '{"text":"a"', error: 'x', ...rest });
  const deep = JSON.parse(`${'{"a":'.repeat(MAX_JSON_DEPTH + 1)}1${'}'.repeat(MAX_JSON_DEPTH + 1)}`) as object;
  const tooDeep = `The arguments are nested deeper than ${MAX_JSON_DEPTH} levels; note was not run.`;

  test.each<[string, AIMessageFields, object]>([
    ['whole', { tool_calls: [{ id: 'c1', name: 'note', args: { text: 'a' } }] }, taken({ text: 'a' })],
    [
      'when the length limit was met',
      { tool_calls: [{ id: 'c1', name: 'note', args: {} }], response_metadata: LENGTH },
      refused('note', again(CUT)),
    ],
    [
      'unreadable to others, and too deep',
      { invalid_tool_calls: [broken({ args: JSON.stringify(deep) })] },
      refused('note', tooDeep),
    ],
    ['too deep', { tool_calls: [{ id: 'c1', name: 'note', args: { deep } }] }, refused('note', tooDeep)],
    [
      'of an unknown tool',
      { tool_calls: [{ id: 'c1', name: 'conjure', args: { text: 'a' } }] },
      refused('conjure', 'There is no conjure.', { text: 'a' }),
    ],
    [
      'unreadable to others, but mended',
      { invalid_tool_calls: [broken({ args: "{text: 'a'}" })] },
      taken({ text: 'a' }),
    ],
    ['unreadable to others, as a list', { invalid_tool_calls: [broken({ args: '["a"]' })] }, taken({ text: 'a' })],
    ['unreadable', { invalid_tool_calls: [broken({})] }, refused('note', again(NONE))],
    [
      'unreadable, without arguments',
      { invalid_tool_calls: [broken({ args: undefined })] },
      refused('note', again(NONE)),
    ],
    [
      'unreadable to others, of an unknown tool',
      { invalid_tool_calls: [broken({ name: 'conjure', args: '{}' })] },
      refused('conjure', 'There is no conjure.'),
    ],
    [
      'unreadable, of a tool without a name',
      { invalid_tool_calls: [broken({ name: undefined })] },
      refused('the tool', again(NONE, 'the tool')),
    ],
  ])('%s', (_how, fields, call) => {
    expect(guarded(whole(fields)).tool_calls).toEqual([call]);
  });

  test('is one call, also where it is listed as unreadable too', () => {
    const call = { id: 'c1', name: 'note', args: { text: 'a' } };
    const others = [broken({}), broken({ id: 'c2' }), broken({ id: undefined })];
    const { tool_calls: calls } = guarded(whole({ tool_calls: [call], invalid_tool_calls: others }));
    expect(calls).toEqual([
      taken({ text: 'a' }),
      refused('note', again(NONE), {}, 'c2'),
      refused('note', again(NONE), {}, expect.stringMatching(/^call_/u) as unknown as string),
    ]);
  });

  test('without an id is another than one that is unreadable', () => {
    const calls = { tool_calls: [{ name: 'note', args: {} }], invalid_tool_calls: [broken({ id: undefined })] };
    expect(guarded(whole(calls)).tool_calls?.map(({ name }) => name)).toEqual(['write_note', REFUSED_CALL]);
  });

  test('has an id of its own, which is remembered', () => {
    const used = new Set(['old']);
    const calls = ['old', '', 'c1', 'c1'].map((id) => ({ id, name: 'note', args: {} }));
    const ids = guarded(whole({ tool_calls: calls }), used).tool_calls?.map(({ id }) => id);
    const fresh = expect.stringMatching(/^call_/u);
    expect(ids).toEqual([fresh, fresh, 'c1', fresh]);
    expect([...used]).toEqual(['old', ...(ids ?? [])]);
    expect(used.size).toBe(5);
  });
});

test('the rest of the reply stays, without the raw text of its calls', () => {
  const usage_metadata = { input_tokens: 1, output_tokens: 2, total_tokens: 3 } as never;
  const given: AIMessageFields = {
    content: 'Writing.',
    id: 'msg_1',
    additional_kwargs: { tool_calls: [], reasoning: 'hm' },
    response_metadata: END,
    usage_metadata,
  };
  const { content, id, additional_kwargs, response_metadata, ...rest } = guarded(new AIMessage(given));
  expect({ content, id, additional_kwargs, response_metadata }).toEqual({
    content: 'Writing.',
    id: 'msg_1',
    additional_kwargs: { reasoning: 'hm' },
    response_metadata: END,
  });
  expect(rest.usage_metadata).toEqual(usage_metadata);
  const bare = guarded(new AIMessage('Hello.'));
  expect([bare.id, bare.usage_metadata, bare.tool_calls]).toEqual([undefined, undefined, []]);
});
