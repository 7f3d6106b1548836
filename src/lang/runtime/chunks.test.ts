import { describe, expect, test } from 'vitest';
import { chunkArray, chunkText } from './chunks.ts';
import { ThinkError } from './errors.ts';

describe('a text is cut', () => {
  test.each([
    ['nothing', '', {}, []],
    ['blanks', ' \n\n ', {}, []],
    ['a short one stays whole', ' one\n\n\ntwo ', {}, ['one\n\ntwo']],
    ['between paragraphs', 'one\n\ntwo\n \t\n  three', { maxChars: 8 }, ['one\n\ntwo', 'three']],
    ['a paragraph that just fits', 'one\n\ntwo', { maxChars: 8 }, ['one\n\ntwo']],
    ['one that is a character too long', 'one\n\ntwo', { maxChars: 7 }, ['one', 'two']],
    ['lines of one paragraph stay together', 'one\ntwo', { maxChars: 7 }, ['one\ntwo']],
    ['a paragraph longer than a piece', 'abcdefg\n\nh', { maxChars: 3 }, ['abc', 'def', 'g', 'h']],
    ['what is left of one goes with the next', 'abcd\n\ne', { maxChars: 4 }, ['abcd', 'e']],
    [
      'between sentences',
      'One. Two! Three? Four… Five',
      { maxChars: 9, strategy: 'sentence' },
      ['One. Two!', 'Three?', 'Four…', 'Five'],
    ],
    ['no sentence ends inside a number', 'It is 2.5 now.', { maxChars: 100, strategy: 'sentence' }, ['It is 2.5 now.']],
    ['every few characters', 'abc def', { maxChars: 3, strategy: 'fixed' }, ['abc', ' de', 'f']],
    ['with an overlap', 'abcdefg', { maxChars: 4, overlap: 1, strategy: 'fixed' }, ['abc', 'cdef', 'fg']],
    ['with an overlap longer than a piece', 'ab', { maxChars: 3, overlap: 2, strategy: 'fixed' }, ['a', 'ab']],
    ['paragraphs with an overlap', 'one\n\ntwo', { maxChars: 5, overlap: 2 }, ['one', 'netwo']],
    ['not inside a character', 'a😀b', { maxChars: 2, strategy: 'fixed' }, ['a', '😀', 'b']],
    ['a character wider than a piece stays in halves', '😀', { maxChars: 1, strategy: 'fixed' }, ['\ud83d', '\ude00']],
    ['at the end of a character', 'a😀', { maxChars: 3, strategy: 'fixed' }, ['a😀']],
    [
      'an overlap does not begin inside a character',
      'a😀b',
      { maxChars: 4, overlap: 1, strategy: 'fixed' },
      ['a😀', 'b'],
    ],
  ] as const)('%s', (_, text, options, chunks) => {
    expect(chunkText(text, options)).toEqual(chunks);
  });

  test('after 4,000 characters, where nobody says', () => {
    expect(chunkText('x'.repeat(4001)).map((each) => each.length)).toEqual([4000, 1]);
  });

  test.each([
    [{ maxChars: 0 }, 'maxChars must be a whole number of at least 1, not 0.'],
    [{ maxChars: 1.5 }, 'maxChars must be a whole number of at least 1, not 1.5.'],
    [{ maxChars: 3, overlap: 3 }, 'overlap must be a whole number from 0 and less than maxChars, not 3.'],
    [{ overlap: -1 }, 'overlap must be a whole number from 0 and less than maxChars, not -1.'],
    [{ overlap: 0.5 }, 'overlap must be a whole number from 0 and less than maxChars, not 0.5.'],
  ])('never by %j', (options, message) => {
    expect(() => chunkText('text', options)).toThrow(new ThinkError(message));
  });
});

test('a list becomes lists of a size', () => {
  expect(chunkArray([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
  expect(chunkArray([1, 2], 2)).toEqual([[1, 2]]);
  expect(chunkArray([], 2)).toEqual([]);
  expect(() => chunkArray([1], 0)).toThrow(new ThinkError('size must be a whole number of at least 1, not 0.'));
});
