import { expect, test } from 'vitest';
import { openTestStore } from '../testing/stores.ts';
import { distinctForms, excerptOf, searchMessages } from './message-search.ts';

/** `w0 w1 w2 …` */
const words = (count: number, from = 0) => Array.from({ length: count }, (_, n) => `w${from + n}`).join(' ');

test('words are compared in lower case, without the accents of Latin letters, each once', () => {
  expect(distinctForms('Café, CAFÉ and cafe\u0301!')).toEqual(['cafe', 'and']);
  // A Greek accent is part of its letter, and a final sigma is a sigma.
  expect(distinctForms('ΟΔΟΣ οδός')).toEqual(['οδοσ', 'οδόσ']);
  expect(distinctForms('3.5 kg')).toEqual(['3', '5', 'kg']);
  expect(distinctForms('x'.repeat(100))).toEqual(['x'.repeat(64)]);
  expect(distinctForms('… !')).toEqual([]);
});

test('of a text with too many words only the first can be found', () => {
  const many = Array.from({ length: 20_000 }, (_, n) => `${n}`.padStart(60, 'a')).join(' ');
  expect(distinctForms(many)).toHaveLength(15_000);
});

test('an excerpt of a short text is all of it, with the matches marked', () => {
  expect(excerptOf('When does the Café open?', ['caf', 'open'])).toBe('When does the [Café] [open]?');
  expect(excerptOf('(nothing)', ['x'])).toBe('(nothing)');
});

test('a long text is cut around its match, and says where', () => {
  expect(excerptOf(`${words(20)} end`, ['w0'])).toBe(`[w0] ${words(15, 1)}…`);
  expect(excerptOf(`${words(40)} milk. ${words(40, 40)}`, ['milk'])).toBe(`…${words(8, 32)} [milk]. ${words(7, 40)}…`);
  expect(excerptOf(`(${words(40)} milk.)`, ['milk'])).toBe(`…${words(15, 25)} [milk].)`);
});

test('the part with most of the words wins, and of equal ones the first', () => {
  const text = `milk ${words(30)} milk bread ${words(30, 30)} milk bread`;
  expect(excerptOf(text, ['milk', 'bread'])).toBe(`…${words(8, 22)} [milk] [bread] ${words(6, 30)}…`);
  expect(excerptOf(`milk ${words(30)} milk`, ['milk'])).toBe(`[milk] ${words(15)}…`);
});

test('a search without a word finds nothing', async () => {
  const store = await openTestStore();
  expect([await searchMessages(store, '', 20), await searchMessages(store, '!?', 20)]).toEqual([[], []]);
});
