import { expect, test } from 'vitest';
import { readReply } from './read-reply.ts';

const code = (source: string, clean = false) => ({ kind: 'code', source, clean });
const prose = (text: string) => ({ kind: 'text', text });
const FENCE = '```';

test.each([
  ['a js fence', `${FENCE}js\na()\n${FENCE}`, code('a()', true)],
  ['a javascript fence', `${FENCE}javascript\na()\n${FENCE}`, code('a()', true)],
  ['a ts fence', `${FENCE}ts\na()\n${FENCE}`, code('a()', true)],
  ['a typescript fence', `${FENCE}TypeScript\na()\n${FENCE}`, code('a()', true)],
  ['a fence without a language', `${FENCE}\na()\n${FENCE}`, code('a()', true)],
  ['a fence with words after the language', `${FENCE}js title="x"\na()\n${FENCE}`, code('a()', true)],
  ['tildes', '~~~js\na()\n~~~', code('a()', true)],
  ['four backticks', '````js\na()\n````', code('a()', true)],
  ['an indented fence', `  ${FENCE}js\n  a()\n  ${FENCE}`, code('  a()', true)],
  ['a fence on one line', `${FENCE}js a() ${FENCE}`, code('a()')],
  ['words before and after', `Sure:\n${FENCE}js\na()\n${FENCE}\nDone.`, code('a()')],
  ['two fences', `${FENCE}js\na()\n${FENCE}\nthen\n${FENCE}js\nb()\n${FENCE}`, code('a()\nb()')],
  [
    'three fences',
    `${FENCE}js\na()\n${FENCE}\n${FENCE}\nb()\n${FENCE}\n${FENCE}ts\nc()\n${FENCE}`,
    code('a()\nb()\nc()'),
  ],
  ['a fence of another language beside it', `${FENCE}json\n{}\n${FENCE}\n${FENCE}js\na()\n${FENCE}`, code('a()')],
  ['a fence that is never closed', `${FENCE}js\na()\nb()`, code('a()\nb()')],
  [
    'backticks inside the code',
    `${FENCE}js\nconst t = '${FENCE}';\na(t)\n${FENCE}`,
    code(`const t = '${FENCE}';\na(t)`, true),
  ],
  ['Windows line ends', `${FENCE}js\r\na()\r\n${FENCE}`, code('a()\r', true)],
  ['code tags', '<code>\na();\nb();\n</code>', code('a();\nb();')],
  ['a half-written closing tag', '<code>\na();\nb();\n</cod', code('a();\nb();')],
  ['a closing tag without its end', '<code>a(1)</code', code('a(1)')],
  ['tags inside a fence', `${FENCE}js\n<code>\na()\n</code>\n${FENCE}`, code('a()', true)],
  ['thinking before it', `<think>${FENCE}js\nno()\n${FENCE}</think>\n${FENCE}js\na()\n${FENCE}`, code('a()', true)],
  ['bare code', 'const x = await a();\nfinalAnswer(x);', code('const x = await a();\nfinalAnswer(x);')],
  ['one bare call', "finalAnswer('hi')", code("finalAnswer('hi')")],
  [
    'bare code with a fault',
    'const x = await a(;\nlog(x);\nfinalAnswer(x);',
    code('const x = await a(;\nlog(x);\nfinalAnswer(x);'),
  ],
  ['a bare arrow function', 'async () => { return 1; }', code('async () => { return 1; }')],
  [
    'export default',
    'export default async function main() { return 1 }',
    code('export default async function main() { return 1 }'),
  ],
  ['prose', 'The answer is 4.', prose('The answer is 4.')],
  ['one word', 'Yes', prose('Yes')],
  ['a number', '42', prose('42')],
  ['prose about import', 'You can import it from the store.', prose('You can import it from the store.')],
  ['prose with a call in it', 'I used add(1, 2) and got 3.', prose('I used add(1, 2) and got 3.')],
  ['prose with an inline tag', 'Use <code>npm test</code> for that.', prose('Use <code>npm test</code> for that.')],
  ['a list', '- one\n- two', prose('- one\n- two')],
  [
    'a fence of another language',
    `Run this:\n${FENCE}python\nprint(1)\n${FENCE}`,
    prose(`Run this:\n${FENCE}python\nprint(1)\n${FENCE}`),
  ],
  ['JSON', '{"a": 1}', prose('{"a": 1}')],
  ['nothing', '', { kind: 'empty' }],
  ['white space', ' \n ', { kind: 'empty' }],
  ['an empty fence', `${FENCE}js\n${FENCE}`, { kind: 'empty' }],
  ['only thinking', '<think>hm</think>', { kind: 'empty' }],
])('%s', (_name, raw, expected) => {
  expect(readReply(raw, false)).toEqual(expected);
});

test('a reply that was cut off is not looked at', () => {
  expect(readReply(`${FENCE}js\nfinalAnswer('half`, true)).toEqual({ kind: 'cut' });
  expect(readReply('The answer is', true)).toEqual({ kind: 'cut' });
});

test('a line of a megabyte is read without a pause', () => {
  expect(readReply(`${FENCE}js\n'${'x'.repeat(1e6)}'\n${FENCE}`, false)).toMatchObject({ kind: 'code', clean: true });
  expect(readReply('x'.repeat(1e6), false)).toMatchObject({ kind: 'text' });
  expect(readReply(`<code>${'<'.repeat(1e5)}`, false)).toBeDefined();
});
