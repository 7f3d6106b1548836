import { expect, test } from 'vitest';
import { tablesOf } from '../../testing/rows.ts';
import { looksLikeScript } from './looks-like-script.ts';

const rows = tablesOf(import.meta.dirname, 'looks-like-script');

test.each(rows<[string]>('valid code that does something is a script'))(
  'valid code that does something is a script: %s',
  (text) => {
    expect(looksLikeScript(text)).toBe(true);
  },
);

test.each(['if (x) { send(1) }', '[1, , add(2)]', '({ a: [{ b: add(1) }] })', 'Hello\nx + add(1)'])(
  'what it does may be deep inside: %s',
  (text) => {
    expect(looksLikeScript(text)).toBe(true);
  },
);

test.each(rows<[string]>('a text that only happens to be valid code is prose'))(
  'a text that only happens to be valid code is prose: %j',
  (text) => {
    expect(looksLikeScript(text)).toBe(false);
  },
);

test.each(rows<[string, string]>('code with an error in it is a script where'))(
  'code with an error in it is a script where %s',
  (_why, text) => {
    expect(looksLikeScript(text)).toBe(true);
  },
);

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
