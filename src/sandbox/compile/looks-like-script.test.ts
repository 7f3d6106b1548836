import { expect, test } from 'vitest';
import { looksLikeScript } from './looks-like-script.ts';

test.each([
  'add(1)',
  'await ready',
  'const x = 1',
  'x = 1',
  'function f() {}',
  'class A {}',
  'return 1',
  "import x from 'x'",
  'for (;;) {}',
  'for (const x of y) {}',
  'for (const x in y) {}',
  'while (x) {}',
  'try {} finally {}',
  'throw x',
  '() => 1',
  'export default 1',
  'const n: number = 1',
])('valid code that does something is a script: %s', (text) => {
  expect(looksLikeScript(text)).toBe(true);
});

test.each(['if (x) { send(1) }', '[1, , add(2)]', '({ a: [{ b: add(1) }] })', 'Hello\nx + add(1)'])(
  'what it does may be deep inside: %s',
  (text) => {
    expect(looksLikeScript(text)).toBe(true);
  },
);

test.each([
  '',
  'Hello',
  '42',
  '"Sent."',
  '`Sent.`',
  'yes; no',
  'a + b',
  '[1, , null]',
  'Note: done',
  '({ type: CallExpression })',
])('a text that only happens to be valid code is prose: %j', (text) => {
  expect(looksLikeScript(text)).toBe(false);
});

test.each([
  ['it ends like code', 'const a b;'],
  ['it ends with a bracket', 'let list = [1 2]'],
  ['a comment follows the end', 'var a b\nsend(a); // to all'],
  ['blank lines are around it', '\n\n  await send(1\n)\n\n'],
  ['it has three lines', 'const a b\nsend a\nand so on'],
  ['it begins with a function', 'async function f( {\n}'],
  ['it begins with an import', "import x from 'x' y;"],
  ['it begins with a loop', 'for await (x y) {}'],
  ['it begins with a condition', 'if (x y) {}'],
  ['it begins with an attempt', 'try { x y }'],
  ['it begins with a comment', '// what is left\nx y;'],
  ['it begins with a call', 'tools.send(1);\nx y;'],
  ['it begins with an export', 'export default x y;'],
])('code with an error in it is a script where %s', (_why, text) => {
  expect(looksLikeScript(text)).toBe(true);
});

test.each([
  ['prose', 'Hello, that is done.'],
  ['prose of many lines', 'Hello,\nthat is done.\nAnything else?\n(say so)'],
  ['prose that ends like code', 'Hello there;'],
  ['a sentence that begins like code', 'const is a word of JavaScript\nthat I know'],
  ['two lines and blank ones that begin like code', 'let x be y\n\n  \n\t\nas you said'],
  ['a condition before prose', 'if (x y)\nthen do it; so be it'],
])('%s is no script', (_what, text) => {
  expect(looksLikeScript(text)).toBe(false);
});

test('a list of any length is looked through', () => {
  const list = (last: string) => `[${'1,'.repeat(200_000)}${last}]`;
  expect(looksLikeScript(list('1'))).toBe(false);
  expect(looksLikeScript(list('add(1)'))).toBe(true);
});
