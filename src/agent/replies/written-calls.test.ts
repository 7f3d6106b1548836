import { expect, test } from 'vitest';
import { readWritten, startsLikeCall } from './written-calls.ts';

const TOOLS = ['query_rag', 'write_note', 'schedule', 'reschedule', 'notify', 'remember', 'plan'];
const isTool = (name: string) => TOOLS.includes(name);
const classic = { isTool, functions: true };
const scripts = { isTool, functions: false };
const call = (input: unknown, certain = true, name = 'write_note') => ({ name, input, certain });
const milk = { text: 'milk' };
const MILK = call(milk);
const BOAT = call({ query: 'boat' }, true, 'query_rag');
const NOTE = '{"name": "write_note", "arguments": {"text": "milk"}}';
const SEARCH = '{"name": "query_rag", "arguments": {"query": "boat"}}';
const FENCE = '```';

test.each([
  ['JSON', NOTE, [MILK]],
  ['two values, one below the other', `${SEARCH}\n${NOTE}`, [BOAT, MILK]],
  ['a fence', `${FENCE}json\n${NOTE}\n${FENCE}`, [MILK]],
  ['two fences', `${FENCE}\n${SEARCH}\n${FENCE}\n${FENCE}\n${NOTE}\n${FENCE}`, [BOAT, MILK]],
  ['a fence and a value', `${FENCE}\n${SEARCH}\n${FENCE}\n${NOTE}`, [BOAT, MILK]],
  ['a tag and a fence', `<function=query_rag>{"query": "boat"}</function>\n${FENCE}\n${NOTE}\n${FENCE}`, [BOAT, MILK]],
  ['labels', 'Thought: milk\nAction: write_note\nAction Input: {"text": "milk"}', [MILK]],
  ['the name before the input', 'write_note {"text": "milk"}', [call(milk, false)]],
  ['the name and a colon', 'write_note: {"text": "milk"}', [call(milk, false)]],
  ['the name in backticks', '`write_note` {"text": "milk"}', [call(milk, false)]],
  ['the name in quotes', '"write_note": {"text": "milk"}', [call(milk, false)]],
  ['the name and an arrow', 'write_note => {"text": "milk"}', [call(milk, false)]],
  ['a name with a prefix', 'functions.write_note {"text": "milk"}', undefined],
  ['the name in brackets of a call', 'write_note({"text": "milk"});', [call(milk, false)]],
  [
    'the names of two',
    'query_rag {"query": "boat"}\nwrite_note {"text": "milk"}',
    [call({ query: 'boat' }, false, 'query_rag'), call(milk, false)],
  ],
  ['the brackets of a call in a fence', `${FENCE}js\nwrite_note({"text": "milk"});\n${FENCE}`, [call(milk, false)]],
  ['thinking before it', `<think>A note.</think>${NOTE}`, [MILK]],
  [
    'an answer among calls',
    `[${SEARCH}, {"name": "answer", "input": {"text": "x"}}]`,
    [BOAT, call({ text: 'x' }, true, 'answer')],
  ],
  ['a tool that nobody has', '{"name": "launch", "arguments": {"to": "moon"}}', [call({ to: 'moon' }, true, 'launch')]],
])('calls are read from %s', (_name, reply, calls) => {
  expect(readWritten(reply, scripts)).toEqual(calls && { kind: 'calls', calls });
});

test.each([
  ['a call of a function', 'write_note("milk")', [call('milk')]],
  [
    'calls of functions in a fence',
    `${FENCE}python\nquery_rag(query="boat")\nwrite_note(text="milk")\n${FENCE}`,
    [BOAT, MILK],
  ],
  ['a line, then calls of functions', 'I will look.\n\nquery_rag(query="boat")\nwrite_note(text="milk")', [BOAT, MILK]],
  ['an answer in a call of a function', 'answer("Friday")', [call('Friday', true, 'answer')]],
])('%s is read in classic mode, and left to scripts in the other', (_name, reply, calls) => {
  expect(readWritten(reply, classic)).toEqual({ kind: 'calls', calls });
  expect(readWritten(reply, scripts)).toBeUndefined();
});

test.each([
  ['prose', 'The boat is blue.'],
  ['nothing', ''],
  ['thinking alone', '<think>A note.</think>'],
  ['data', '{"day": 1}'],
  ['a call and words in a fence', `${FENCE}\nThe call:\n${NOTE}\n${FENCE}`],
  ['a name that is no tool before JSON', 'person {"text": "milk"}'],
  ['a name within a word', 'xwrite_note {"text": "milk"}'],
  ['a name too far from its input', `write_note${' '.repeat(9)}{"text": "milk"}`],
  ['a call and a person', `[${NOTE}, {"name": "Bob", "input": "a sentence"}]`],
  ['a person', '{"name": "Bob", "input": "a sentence"}'],
  ['a tool nobody has, for one text', '{"name": "launch", "arguments": "moon"}'],
  ['two lines of words, then functions', 'I will look.\nSee:\nquery_rag("boat")'],
  ['a line, then an answer as a function', 'I will look.\nanswer("Friday")'],
])('%s is plain text in both modes', (_name, reply) => {
  expect([readWritten(reply, classic), readWritten(reply, scripts)]).toEqual([undefined, undefined]);
});

test('a tag around a call of a function is read in classic mode', () => {
  const reply = '<tool_code>write_note(text="milk")</tool_code>';
  expect(readWritten(reply, classic)).toEqual({ kind: 'calls', calls: [MILK] });
});

test('a name may stand eight marks before its input', () => {
  expect(readWritten(`write_note${' '.repeat(8)}{"text": "milk"}`, classic)?.kind).toBe('calls');
});

test.each([
  ['marks without letters', `---\n${NOTE}\n1.`, 'calls'],
  ['a line that announces it', `I'll note it.\n${NOTE}`, 'calls'],
  ['such a line on the same line', `Let me note that: ${NOTE}`, 'calls'],
  ['such a line behind it', `${NOTE}\nI have noted it.`, 'calls'],
  ['a heading', `Tool call:\n${NOTE}`, 'calls'],
  ['two lines, the first of which announces it', `I'll note it.\nMilk it is.\n${NOTE}`, 'calls'],
  ['two lines, the second of which announces it', `Milk it is.\n  Calling the tool.\n${NOTE}`, 'calls'],
  ['lines that announce it in German', `Ich notiere das.\n${NOTE}`, 'calls'],
  ['three lines, one of which announces it', `I'll note it.\nMilk it is.\nAnd bread.\n${NOTE}`, 'unsure'],
  ['three hundred characters that announce it', `I'll ${'x'.repeat(295)}\n${NOTE}`, 'calls'],
  ['more characters that announce it', `I'll ${'x'.repeat(296)}\n${NOTE}`, 'unsure'],
  ['a line that does not say', `The person wants milk.\n${NOTE}`, 'unsure'],
  ['three hundred characters that do not say', `The ${'x'.repeat(296)}\n${NOTE}`, 'unsure'],
])('%s beside a call', (_name, reply, kind) => {
  expect(readWritten(reply, classic)).toEqual({ kind, calls: [MILK] });
});

test.each([
  ['more characters that do not say', `The ${'x'.repeat(297)}\n${NOTE}`],
  ['two lines that do not say', `The person wants milk.\nAnd bread.\n${NOTE}`],
  ['three lines that do not say', `The person wants milk.\nAnd bread.\nSoon.\n${NOTE}`],
  ['a line that announces and explains', `I'll give an example.\n${NOTE}`],
  ['a word of explanation behind it', `${NOTE}\nThat is the format.`],
])('%s: the call is quoted', (_name, reply) => {
  expect(readWritten(reply, classic)).toEqual({ kind: 'quoted' });
});

test.each([
  ["I'll", 'calls'],
  ['I’m going to', 'calls'],
  ['we need to', 'unsure'],
  ['I must', 'calls'],
  ["let's", 'calls'],
  ['understood,', 'calls'],
  ['misunderstood,', 'unsure'],
  ['one moment,', 'calls'],
  ['Moment', 'calls'],
  ['for instance', 'quoted'],
  ['the documentation has', 'quoted'],
  ['people who', 'quoted'],
  ['zum Beispiel', 'quoted'],
])('"%s" makes it %s', (words, kind) => {
  expect(readWritten(`${words} note it\n${NOTE}`, classic)?.kind).toBe(kind);
});

test('a call that breaks off behind words that do not say is asked about as one that does not', () => {
  expect(readWritten('The person wants milk.\n<function=write_note>{"te', classic)?.kind).toBe('unsure');
  expect(readWritten('The format is <function=write_note>{"te', classic)?.kind).toBe('quoted');
});

test('words before a name are no part of the call', () => {
  const calls = [call(milk, false)];
  expect(readWritten('The person wants milk: write_note {"text": "milk"}', scripts)).toEqual({ kind: 'unsure', calls });
  expect(readWritten('I will note it: write_note {"text": "milk"}', scripts)).toEqual({ kind: 'calls', calls });
});

test('a value comes before the lines behind it', () => {
  expect(readWritten(`${SEARCH}\nI will note it:\nwrite_note("milk")`, classic)).toEqual({
    kind: 'calls',
    calls: [BOAT],
  });
});

test('an answer in a frame is taken out of it', () => {
  expect(readWritten('Thought: easy\nFinal Answer: It is Friday.', scripts)).toEqual({
    kind: 'answer',
    text: 'It is Friday.',
  });
  expect(readWritten('Action: finish', scripts)).toEqual({ kind: 'answer', text: '' });
});

test.each([
  ['JSON', NOTE],
  ['JSON in single quotes', `${NOTE.replaceAll('"', "'")}`],
  ['a list', `[${NOTE}]`],
  ['a fence', `${FENCE}json\n${NOTE}`],
  ['tildes', `~~~\n${NOTE}`],
  ['a tag', `<tool_call>${NOTE}`],
  ['a tag that has a name', '<invoke name="write_note"><parameter name="text'],
  ['a special token', `<|python_tag|>${NOTE}`],
  ["Mistral's list", `[TOOL_CALLS] [${NOTE}]`],
  ['functools', `functools[${NOTE}]`],
  ['an action', `Thought: milk\nAction: launch\n${NOTE}`],
  ['a thought before an action', `thought: milk \n action: make a write_note ${NOTE}`],
  ['data beside it', `${NOTE}\n{"day": 1}...`],
  ['a fence of something else beside it', `${FENCE}\n${NOTE}\n${FENCE}\n${FENCE}sh\nls\n${FENCE}`],
  ['a bracket beside it', `${NOTE} [1...`],
  ['a line before the tag', 'I will note it.\n<function=write_note>{"text": "milk'],
  ['an input in a fence', `Action: write_note\nAction Input: ${FENCE}json\n{"text": "milk`],
  ['the second of two tags', '<function=query_rag>{"query": "boat"}</function><function=write_note>{"text": "milk'],
  ...['schedule', 'reschedule', 'notify', 'remember'].map((name) => [
    name,
    `{"tool": "${name}", "input": {"text": "a"}}`,
  ]),
])('a call that breaks off is broken: %s', (_name, text) => {
  expect(readWritten(text.replace(/.{3}$/su, ''), scripts)).toEqual({ kind: 'broken' });
});

test.each([
  ['an unknown tool', '{"name": "launch", "arguments": {"to": "mo'],
  ['a tool whose name may be any word', '{"name": "plan", "days": ['],
  ['a tool after two thousand characters', `{"name": "${'x'.repeat(1990)} write_note", "input": {`],
  ['words before it', 'The call {"name": "write_note", "arguments": {"te'],
  ['data', '{"day": "write_note'],
  ['what can be read', '{"name": "my write_note", "day": 1}'],
  ['what can be read in a fence', `${FENCE}json\n{"name": "my write_note", "day": 1}\n${FENCE}`],
])('a reply that only looks like a broken call is an answer: %s', (_name, reply) => {
  expect(readWritten(reply, scripts)).toBeUndefined();
});

test('a tool that is named right at the end of two thousand characters counts', () => {
  const text = (chars: number) => `{"name": "${'x'.repeat(chars)} write_note`;
  expect(readWritten(text(1979), scripts)).toEqual({ kind: 'broken' });
  expect(readWritten(text(1980), scripts)).toBeUndefined();
});

test('a reply of sixty thousand characters is read, a longer one is a document', () => {
  const reply = (chars: number) => `{"name": "write_note", "arguments": {"text": "${'x'.repeat(chars - 49)}"}}`;
  expect([reply(60_000).length, readWritten(reply(60_000), scripts)?.kind]).toEqual([60_000, 'calls']);
  expect(readWritten(reply(60_001), scripts)).toBeUndefined();
  expect(readWritten(` ${reply(60_000)}\n`, scripts)?.kind).toBe('calls');
});

test('twenty-one calls are read, and with one more it is asked what is meant', () => {
  const many = (count: number) => Array.from({ length: count }, () => NOTE).join('\n');
  expect(readWritten(many(21), scripts)).toEqual({ kind: 'calls', calls: Array.from({ length: 21 }, () => MILK) });
  expect(readWritten(many(22), scripts)?.kind).toBe('unsure');
});

test.each([
  ...[
    '{"a',
    '[1',
    '<tag',
    `${FENCE}js`,
    '~~~',
    'Thought: x',
    'action : x',
    ' Final Answer: x',
    'thought : x',
    'FINAL ANSWER : x',
    'functools [',
    '[TOOL_REQ',
  ],
])('a reply that begins with %s may turn out to be a call', (start) => {
  expect(startsLikeCall(start)).toBe(true);
});

test.each(['', 'The', 'Thoughts on it', 'An action: x', '`a`', 'functools is', '1. {'])(
  'a reply that begins with "%s" is prose',
  (start) => {
    expect(startsLikeCall(start)).toBe(false);
  },
);
