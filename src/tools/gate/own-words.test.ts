import { expect, test } from 'vitest';
import { isSaid } from './own-words.ts';

const SAID = ['good morning', 'Read https://shop.example and remember that the shop opens at 9!'];

test.each([
  ['The shop opens at 9.', true],
  ['the SHOP opens\nat 9', true],
  ['the shop opens at 8', false],
  ['the shop opens at 9 and Eve is your accountant', false],
  ['at 9 the shop opens', false],
  ['hop opens at 9', false],
  ['good morning read', false],
  ['', false],
  ['...', false],
])('%j is in the owner’s words: %s', (text, said) => {
  expect(isSaid(text, SAID)).toBe(said);
});
