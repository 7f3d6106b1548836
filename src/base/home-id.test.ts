import { expect, test } from 'vitest';
import { folded, isHomeId } from './home-id.ts';

test.each(['ann', 'a', '7', 'Ann_b-c.d@e', 'jürgen', '\u{674E}\u{56DB}', 'x'.repeat(64)])('%j is a home', (id) => {
  expect(isHomeId(id)).toBe(true);
});

test.each([
  ['empty', ''],
  ['too long', 'x'.repeat(65)],
  ['too many bytes for a file system', '\u{20000}'.repeat(51)],
  ['not beginning with a letter or digit', '.ann'],
  ['a path', 'a/b'],
  ['two lines', 'a\nb'],
  ['a letter of full width', '\uFF41nn'],
  ['a letter put together from two', 'ju\u0308rgen'],
])('%s: not a home', (_why, id) => {
  expect(isHomeId(id)).toBe(false);
});

test('50 signs of four bytes just fit', () => expect(isHomeId('\u{20000}'.repeat(50))).toBe(true));

test('names that a file system without upper and lower case confuses are the same', () => {
  expect(folded('Jürgen')).toBe(folded('jÜRGEN'));
  expect(folded('ju\u0308rgen')).toBe('jürgen');
  expect(folded('ann')).not.toBe(folded('anna'));
});
