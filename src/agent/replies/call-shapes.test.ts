import { expect, test } from 'vitest';
import { breaksOff, callsInValue, inputOf, isAnswering } from './call-shapes.ts';

const isTool = (name: string) => ['query_rag', 'write_note'].includes(name);
const milk = { text: 'milk' };
const call = (input: unknown, certain = true, name = 'write_note') => ({ name, input, certain });

test.each([...['name', 'tool', 'tool_name', 'toolName', 'function_name', 'recipient_name', 'action', 'function']])(
  'the name may stand under %s',
  (key) => {
    expect(callsInValue({ [key]: 'write_note', arguments: milk }, isTool)).toEqual([call(milk)]);
    expect(callsInValue({ [key]: 'launch', arguments: milk }, isTool)).toEqual([call(milk, true, 'launch')]);
  },
);

test.each([
  ...['arguments', 'input', 'args', 'parameters', 'params', 'tool_input', 'toolInput', 'tool_args', 'action_input'],
  ...['actionInput', 'kwargs', 'argument', 'inputs'],
])('the input may stand under %s', (key) => {
  expect(callsInValue({ name: 'write_note', [key]: milk }, isTool)).toEqual([call(milk)]);
  expect(callsInValue({ name: 'launch', [key]: milk }, isTool)).toEqual([call(milk, true, 'launch')]);
});

test.each(['id', 'type', 'index', 'thought', 'thoughts', 'reasoning', 'explanation', 'reason', 'comment'])(
  '%s may stand beside them',
  (key) => {
    expect(callsInValue({ [key]: 'x', name: 'launch', arguments: milk }, isTool)).toEqual([call(milk, true, 'launch')]);
    expect(callsInValue({ [key]: 'x', name: 'write_note', text: 'milk' }, isTool)).toEqual([call(milk, false)]);
  },
);

const one = { name: 'write_note', arguments: milk };
const other = { name: 'query_rag', arguments: { query: 'boat' } };
const both = [call(milk), call({ query: 'boat' }, true, 'query_rag')];

test.each(['tool_calls', 'toolCalls', 'tool_uses', 'function_calls', 'calls', 'tools', 'actions'])(
  'several stand in a list under %s',
  (key) => {
    expect(callsInValue({ [key]: [one, other] }, isTool)).toEqual(both);
    expect(callsInValue({ [key]: [one, 'and'] }, isTool)).toBeUndefined();
  },
);

test.each(['function_call', 'tool_call', 'function', 'toolCall', 'functionCall', 'call', 'action', 'tool'])(
  'one stands under %s',
  (key) => {
    expect(callsInValue({ id: 'call_1', [key]: one }, isTool)).toEqual([call(milk)]);
    expect(callsInValue({ id: 'call_1', [key]: { no: 'call' } }, isTool)).toBeUndefined();
  },
);

test.each([
  ['a list', [one, other], both],
  ['a list of frames', [{ function: one }, { tool_calls: [other] }], both],
  ['a text as the input', { name: 'write_note', input: 'milk' }, [call('milk', false)]],
  ['JSON in a text as the input', { name: 'write_note', input: '{"text": "milk"}' }, [call(milk)]],
  ['an input of null', { name: 'write_note', arguments: null }, [call({})]],
  ['blanks around the name', { name: ' write_note\n', arguments: milk }, [call(milk)]],
  ['a name with a prefix', { name: 'functions.launch', arguments: milk }, [call(milk, true, 'functions.launch')]],
  ['fields beside the input of a tool', { name: 'write_note', arguments: milk, day: 1 }, [call(milk)]],
  ['the fields beside the name', { tool: 'write_note', text: 'milk', day: 1 }, [call({ text: 'milk', day: 1 }, false)]],
  ['the name alone', { name: 'write_note' }, [call({}, false)]],
  ['the name under the second key', { name: 'my note', tool: 'write_note', input: milk }, [call(milk)]],
  ['the tool as the key', { write_note: milk }, [call(milk, false)]],
])('a call is read from %s', (_name, value, calls) => {
  expect(callsInValue(value, isTool)).toEqual(calls);
});

test.each([
  ['a text', 'write_note'],
  ['a number', 3],
  ['null', null],
  ['an empty list', []],
  ['an empty object', {}],
  ['a list of texts', ['write_note']],
  ['a list within a list', [[one]]],
  ['a list with something else in it', [one, { day: 1 }]],
  ['a name that is no tool, with more beside the input', { name: 'Bob', input: { text: 'hi' }, age: 3 }],
  ['a name that is no tool, without an input', { name: 'boat', length: 12 }],
  ['an input alone', { arguments: milk }],
  ['a name of several words', { name: 'write a note', arguments: milk }],
  ['a name that is no text', { name: 3, arguments: milk }],
  ['a tool as it is described', { name: 'write_note', description: 'Append.', parameters: {} }],
  ['a key that is no tool', { launch: milk }],
  ['a tool as one key of two', { write_note: milk, query_rag: {} }],
  ['a tool as the key of a text', { write_note: 'milk' }],
])('%s is no call', (_name, value) => {
  expect(callsInValue(value, isTool)).toBeUndefined();
});

test('an answer may be the text under its name', () => {
  expect(callsInValue({ final_answer: 'It is Friday.' }, isAnswering)).toEqual([
    call('It is Friday.', false, 'final_answer'),
  ]);
});

test.each([
  ...(['final_answer', 'finalAnswer', 'FINAL_ANSWER', 'answer', 'respond', 'response', 'reply', 'final'] as const),
  ...(['finish', 'attempt_completion', 'respond_to_user'] as const),
])('%s gives an answer', (name) => {
  expect(isAnswering(name)).toBe(true);
});

test.each(['answers', 'my_answer', 'reply_all', 'final_answer_2', ''])('"%s" gives none', (name) => {
  expect(isAnswering(name)).toBe(false);
});

test.each([
  ['an object', milk, milk],
  ['a number', 3, 3],
  ['false', false, false],
  ['nothing', undefined, {}],
  ['null', null, {}],
  ['an empty text', '', {}],
  ['blanks', ' \n', {}],
  ['words', 'buy milk', 'buy milk'],
  ['words with blanks around them', ' buy milk ', ' buy milk '],
  ['JSON', ' {"text": "milk"} ', milk],
  ['a list as JSON', '["milk"]', ['milk']],
  ['a text as JSON', '"milk"', 'milk'],
  ['JSON with slips', "{text: 'milk',}", milk],
  ['what only begins like JSON', '[urgent] buy milk', '[urgent] buy milk'],
  ['what breaks off', '{"text": "mi', '{"text": "mi'],
  ['a text in other quotes', "'[urgent] milk'", "'[urgent] milk'"],
])('the input of a call is %s', (_name, raw, input) => {
  expect(inputOf(raw)).toEqual(input);
});

test.each([
  ...['{"text": "mi', "{'text': 'mi", '{“text”: “mi', '{"te', '{', ' {\n', '{text: mi', '{ to-do : mi'],
  ...['<parameter name="text">mi', '\n<param=text>mi', '<ARG name="text">mi'],
])('the input %s breaks off', (input) => {
  expect(breaksOff({ name: 'write_note', input, certain: true })).toBe(true);
});

test.each([
  { text: '{"te' },
  ['{"te'],
  '',
  'milk',
  '{draft} of a note',
  '[urgent] milk',
  'a {"text": "mi',
  '<b>milk</b>',
  '{a b: c',
])('the input %j is whole', (input) => {
  expect(breaksOff({ name: 'write_note', input, certain: true })).toBe(false);
});
