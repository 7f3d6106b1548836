import { expect, test } from 'vitest';
import { markedCalls } from './marked-calls.ts';

const call = (input: unknown, name = 'write_note') => ({ name, input, certain: true });
const milk = { text: 'milk' };
const MILK = '{"text": "milk"}';
const FENCE = '```';

test.each([
  ["Llama's tag", `<function=write_note>${MILK}</function>`, milk],
  ["Llama's tag in quotes", `<function="write_note">${MILK}</function>`, milk],
  ['a tag that is never closed', `<function=write_note>${MILK}`, milk],
  ['a tag with a name', `<tool name="write_note">${MILK}</tool>`, milk],
  ['a tag with a name in single quotes', `<call name = 'write_note' >${MILK}</call>`, milk],
  ['a tag of an action', `<ACTION name=write_note>${MILK}</ACTION>`, milk],
  ['a tag that another one closes', `<function=write_note>${MILK}</tool_call>`, milk],
  ['a tag around words', '<tool_call name="write_note">buy milk</tool_call>', 'buy milk'],
  ['an empty tag', '<invoke name="write_note"></invoke>', {}],
  ['a tag around JSON that breaks off', '<function=write_note>{"text": "mi</function>', '{"text": "mi'],
  [
    "Qwen's parameters",
    '<function=write_note>\n<parameter=text>\nbuy\nmilk\n</parameter>\n</function>',
    { text: 'buy\nmilk' },
  ],
  [
    "Anthropic's parameters",
    '<invoke name="write_note"><parameter name="text">milk</parameter><parameter name="day">1</parameter></invoke>',
    { text: 'milk', day: '1' },
  ],
  ['short parameters', '<invoke name="write_note"><arg name="text">None</arg></invoke>', { text: 'None' }],
  ['a list as a parameter', '<tool=write_note><param=to>\n["Ann", "Bob"]\n</param></tool>', { to: ['Ann', 'Bob'] }],
  ['an object as a parameter', `<tool=write_note><param=note> ${MILK}</param></tool>`, { note: milk }],
  ['a parameter with a bracket later on', '<tool=write_note><param=x>a [1]</param></tool>', { x: 'a [1]' }],
  ['a parameter in other quotes', `<tool=write_note><param=x>'[1]'</param></tool>`, { x: "'[1]'" }],
  ['a parameter that only begins like a list', '<tool=write_note><param=x>[1] a</param></tool>', { x: '[1] a' }],
  ['tags for name and input', `<tool_call><name>write_note</name><arguments>${MILK}</arguments></tool_call>`, milk],
  ['a tag for the tool', `<tool_name> write_note </tool_name><params>${MILK}</params>`, milk],
  ["Mistral's tokens", `[TOOL_CALLS]write_note[ARGS]${MILK}`, milk],
  ["Mistral's tokens with an id", `[TOOL_CALLS] write_note[CALL_ID]a-1[ARGS] ${MILK}\n`, milk],
  ["gpt-oss's channel", `<|channel|>commentary to=write_note <|constrain|>json<|message|>${MILK}<|call|>`, milk],
  [
    "gpt-oss's channel from its start",
    `<|start|>assistant<|channel|>analysis to=write_note<|message|>${MILK}<|end|>`,
    milk,
  ],
  ["gpt-oss's channel to the end of the reply", `<|channel|>commentary to=write_note<|message|>${MILK}`, milk],
  [
    "DeepSeek's tokens",
    `<｜tool▁call▁begin｜>function<｜tool▁sep｜>write_note\n${FENCE}json\n${MILK}\n${FENCE}<｜tool▁call▁end｜>`,
    milk,
  ],
  ["DeepSeek's tokens without a fence", `<｜tool▁sep｜>write_note\n${MILK}`, milk],
])('a call is taken out of %s', (_name, text, input) => {
  expect(markedCalls(text)).toEqual({ calls: [call(input)], rest: '' });
});

test.each([
  '<parameter name="text">mi',
  '\n<parameter name="when">now</parameter>\n<parameter name="text">mi',
  '<param=when>now</param><param=text',
])('where a parameter breaks off, the input is what stands there: %s', (body) => {
  expect(markedCalls(`<invoke name="write_note">${body}`).calls).toEqual([call(body)]);
});

test('a name keeps what belongs to it', () => {
  expect(markedCalls(`<function=mail.send-now>${MILK}</function>`).calls).toEqual([call(milk, 'mail.send-now')]);
});

test('two tags in a row are two calls, and words around them are left', () => {
  const text = `I search.\n<function=query_rag>{"query": "boat"}<function=write_note>${MILK}</function>\nDone.`;
  expect(markedCalls(text)).toEqual({
    calls: [call({ query: 'boat' }, 'query_rag'), call(milk)],
    rest: 'I search.\n\n\n\nDone.',
  });
});

test('calls of several kinds are all taken', () => {
  const text = [
    `<|channel|>commentary to=a<|message|>{"n": 1}<|call|>`,
    '<｜tool▁sep｜>b\n{"n": 2}',
    '<function=c>{"n": 4}</function>',
    '<name>d</name><input>{"n": 5}</input>',
    '[TOOL_CALLS]e[ARGS]{"n": 3}',
  ].join('\n');
  const names = markedCalls(text).calls.map(({ name, input }) => [name, input]);
  expect(names).toEqual([
    ['a', { n: 1 }],
    ['b', { n: 2 }],
    ['e', { n: 3 }],
    ['c', { n: 4 }],
    ['d', { n: 5 }],
  ]);
});

test.each([
  ...['<tool_call>', '</tool_calls>', '<function_calls>', '<functioncall>', '<toolcall>', '<tool>', '<tools>'],
  ...['<tool_code>', '<tool_use>', '<tool_request>', '<function>', '<action>', '<json>', '<xml>', '<call>', '<call />'],
  ...['<|python_tag|>', '<|im_end|>', '<｜tool▁calls▁begin｜>', '[TOOL_CALLS]'],
  ...['[/TOOL_CALL]', '[TOOL_REQUEST]', '[END_TOOL_REQUEST]'],
])('%s says nothing by itself', (mark) => {
  expect(markedCalls(`${mark}${MILK}`)).toEqual({ calls: [], rest: MILK });
  expect(markedCalls(`Here: ${mark}${MILK}`)).toEqual({ calls: [], rest: `Here: \n${MILK}` });
});

test('functools goes where a list follows', () => {
  expect(markedCalls(`functools [${MILK}]`)).toEqual({ calls: [], rest: `[${MILK}]` });
  expect(markedCalls('functools is a module')).toEqual({ calls: [], rest: 'functools is a module' });
});

test.each([
  'The boat is blue.',
  '<code>npm test</code>',
  '<b>write_note</b>',
  'a < b and c > d',
  '[ARGS] {"text": "milk"}',
])('other text is left as it is: %s', (text) => {
  expect(markedCalls(`  ${text}\n`)).toEqual({ calls: [], rest: text });
});
