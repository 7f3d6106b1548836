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

const isOurs = (name: string) => ['queryRAG', 'writeNote'].includes(name);
const foreign = (language: string) => ({ kind: 'foreign', language });
const fenced = (language: string, source: string) => `${FENCE}${language}\n${source}\n${FENCE}`;
const OTHERS = `A ${'x'.repeat(198)}`;

test.each([
  ['JavaScript in a fence of another language', fenced('python', "queryRAG('boat')"), code("queryRAG('boat')\n")],
  ['two such fences', `${fenced('py', 'writeNote(1)')}\n${fenced('sh', 'a()')}`, code('writeNote(1)\na()\n')],
  ['a call of tools', fenced('python', 'tools.queryRAG(1)'), code('tools.queryRAG(1)\n')],
  ['a program in another language', fenced('python', "def f():\n  queryRAG('boat')"), foreign('python')],
  ['data beside such a program', `${fenced('json', '{}')}\n${fenced('lua', 'do queryRAG(1) end')}`, foreign('lua')],
  [
    'two lines around it',
    `One.\n${fenced('py', 'do queryRAG(1)')}\nTwo.`,
    prose(`One.\n${fenced('py', 'do queryRAG(1)')}\nTwo.`),
  ],
  ['a line before it', `One.\n${fenced('py', 'do queryRAG(1)')}`, foreign('py')],
  ['two lines before it', `One.\nTwo.\n${fenced('py', 'do queryRAG(1)')}`, foreign('py')],
  ['two hundred characters before it', `${OTHERS}\n${fenced('py', 'do queryRAG(1)')}`, foreign('py')],
  [
    'more characters before it',
    `${OTHERS}x\n${fenced('py', 'do queryRAG(1)')}`,
    prose(`${OTHERS}x\n${fenced('py', 'do queryRAG(1)')}`),
  ],
  ['a program that calls nothing of ours', fenced('python', 'print(1)'), prose(fenced('python', 'print(1)'))],
  ['a name of ours within another', fenced('python', 'myqueryRAG(1)'), prose(fenced('python', 'myqueryRAG(1)'))],
  ['a method of that name', fenced('python', 'x.queryRAG (1)'), code('x.queryRAG (1)\n')],
  ['a name of ours that is not called', fenced('python', 'queryRAG'), prose(fenced('python', 'queryRAG'))],
  ['data that names it', fenced('json', '"queryRAG(1)"'), prose(fenced('json', '"queryRAG(1)"'))],
  ['a line, then a script', "I look it up.\nqueryRAG('boat')", code("queryRAG('boat')")],
  ['a long line, then a script', `${OTHERS}\nqueryRAG(1)`, code('queryRAG(1)')],
  ['a longer line, then a script', `${OTHERS}x\nqueryRAG(1)`, prose(`${OTHERS}x\nqueryRAG(1)`)],
  ['a line, then a script of others', 'I print it.\nprint(1)', prose('I print it.\nprint(1)')],
  ['a line, then words', 'I say it.\nThat is queryRAG(1) for you', prose('I say it.\nThat is queryRAG(1) for you')],
  ['a line, then what does not parse', 'I do it.\nqueryRAG(1;\na;\nb;', prose('I do it.\nqueryRAG(1;\na;\nb;')],
  ['a log without a language', fenced('', 'it failed: 3'), prose(fenced('', 'it failed: 3'))],
  ['a log that names a call of ours', fenced('', 'it failed: queryRAG(3)'), code('it failed: queryRAG(3)', true)],
  ['a log that is said to be a script', fenced('js', 'it failed: 3'), code('it failed: 3', true)],
  [
    'a log beside a script',
    `${fenced('', 'it failed: 3')}\n${fenced('js', 'it failed')}`,
    code('it failed: 3\nit failed'),
  ],
  ['a log with a bracket in it', fenced('js', 'it failed: [3'), code('it failed: [3', true)],
  ['a log that begins with a word and a bracket', fenced('js', 'list[3 x'), code('list[3 x', true)],
  ['data behind a blank', fenced('js', ' {"a": 1}'), prose(fenced('js', ' {"a": 1}'))],
  ['a line and an empty one, then a script', "I look.\n\nqueryRAG('boat')", code("queryRAG('boat')")],
  ['a fence of blanks', fenced('js', ' '), { kind: 'empty' }],
  ['a fence behind words', `Sure:\n${fenced('js', 'a()')}`, code('a()')],
  ['a fence before words', `${fenced('js', 'a()')}\nThat is it.`, code('a()')],
  ['a fence before words that end like one', `${fenced('js', 'a()')}\nSee ${FENCE}`, code('a()')],
  ['a fence that is never closed, with a backtick', `${FENCE}js\na(\`x\``, code('a(`x`')],
  ['a fence that is never closed, with a tilde', `${FENCE}js\nx = ~~`, code('x = ~~')],
  ['a fence of tildes that is never closed', '~~~js\na()', code('a()')],
  ['a tag before code in a fence', fenced('js', '<code>a()</code> (x'), prose(fenced('js', '<code>a()</code> (x'))],
  ['a tag inside a fence', fenced('js', '<code>a()</code>'), code('a()', true)],
  ['a tag of lines inside a fence', fenced('js', ' <code>\na();\n\nb()\n</code> '), code('a();\n\nb()', true)],
  ['a tag behind code in a fence', fenced('js', 'x(<code>a()</code>'), code('x(<code>a()</code>', true)],
  ['two tags', '<code>a()</code>\n<code>b()</code>', code('a()\nb()')],
  ['data in a js fence', fenced('js', '{"a": 1}'), prose(fenced('js', '{"a": 1}'))],
  ['a table in a js fence', fenced('js', '[[1, 2]]'), prose(fenced('js', '[[1, 2]]'))],
  ['a list that calls', fenced('js', '[a()]'), code('[a()]', true)],
  [
    'a fence of nothing beside another',
    `${fenced('', '')}\n${fenced('sh', 'ls')}`,
    prose(`${fenced('', '')}\n${fenced('sh', 'ls')}`),
  ],
  ['a fence of nothing beside a script', `${fenced('js', '')}\n${fenced('js', 'a()')}`, code('a()')],
  ['a script with an empty line at its end', fenced('js', 'a()\n'), code('a()\n', true)],
  ['a fence that ends with tildes', '~~~~\na()\n~~~~', code('a()', true)],
  ['a fence of one language beside it', `${fenced('js', 'a()')}\n${fenced('sh', 'ls')}`, code('a()')],
  ['one inline tag that calls', 'Run <code>queryRAG(1)</code>', code('queryRAG(1)')],
  ['an inline tag of several lines', '<code>one\ntwo</code>', code('one\ntwo')],
])('where the names of functions are known: %s', (_name, raw, expected) => {
  expect(readReply(raw, false, isOurs)).toEqual(expected);
});
