import { describe, expect, test } from 'vitest';
import { tablesOf } from '../../testing/rows.ts';
import { blank, type EditedText, Edits, positionOf } from './edits.ts';

const rows = tablesOf(import.meta.dirname, 'edits');

type Change = readonly [start: number, end: number, text: string | readonly [before: string, after: string]];

function edited(source: string, changes: readonly Change[]): string {
  const edits = new Edits(source);
  for (const [start, end, text] of changes)
    if (typeof text !== 'string') edits.wrap(start, end, text);
    else if (start === end) edits.insert(start, text);
    else edits.replace(start, end, text);
  return edits.apply().text;
}

describe('changes of a text', () => {
  const round = ['(', ')'] as const;
  const square = ['[', ']'] as const;

  test.each(rows<[what: string, changes: readonly Change[], text: string]>('changes of a text'))(
    '%s',
    (_what, changes, text) => {
      expect(edited('abcd', changes)).toBe(text);
    },
  );

  test('a blank', () => {
    const edits = new Edits('ab\ncd');
    edits.blank(1, 4);
    expect(edits.apply().text).toBe('a \n d');
  });

  test('can be made once more', () => {
    const edits = new Edits('abcd');
    edits.wrap(1, 3, round);
    edits.wrap(1, 3, square);
    expect([edits.apply().text, edits.apply().text]).toEqual(['a([bc])d', 'a([bc])d']);
  });
});

describe('a place in a changed text', () => {
  function change(): EditedText {
    const edits = new Edits('one\r\ntwo\u2028three\u2029four\rfive');
    edits.insert(5, '<<<');
    edits.replace(9, 14, '3');
    edits.insert(15, '!\n!');
    return edits.apply();
  }

  test('is looked for in this one', () => {
    expect(change().text).toBe('one\r\n<<<two\u20283\u2029!\n!four\rfive');
  });

  test.each([
    ['before the changes', 1, 3, 1, 3],
    ['before a change in its line', 2, 1, 2, 1],
    ['inside of an insertion', 2, 3, 2, 1],
    ['behind an insertion', 2, 4, 2, 1],
    ['further behind an insertion', 2, 6, 2, 3],
    ['at a replacement', 3, 1, 3, 1],
    ['behind a replacement', 3, 2, 3, 6],
    ['inside of an insertion with lines', 5, 1, 4, 1],
    ['behind an insertion with lines', 5, 3, 4, 2],
    ['in the last line', 6, 2, 5, 2],
    ['behind the end', 6, 5, 5, 5],
    ['in a line behind the end', 9, 3, 5, 3],
  ])('%s leads back', (_where, line, column, sourceLine, sourceColumn) => {
    expect(change().original({ line, column })).toEqual({ line: sourceLine, column: sourceColumn });
  });

  test('without changes is the same', () => {
    expect(new Edits('a\nbc').apply().original({ line: 2, column: 2 })).toEqual({ line: 2, column: 2 });
  });
});

test('a blank keeps lines and columns', () => {
  expect(blank('a\t1📝\r\nä\u2028\u2029\n')).toBe('     \r\n \u2028\u2029\n');
});

test.each([
  [0, 1, 1],
  [2, 1, 3],
  [3, 2, 1],
  [7, 3, 1],
  [8, 4, 1],
])('the character %d is in line %d, column %d', (offset, line, column) => {
  expect(positionOf('ab\ncd\r\n\n', offset)).toEqual({ line, column });
});
