import { expect, test } from 'vitest';
import {
  camelCase,
  counted,
  Ends,
  editDistance,
  estimateTokens,
  headAndTail,
  isCut,
  nearest,
  oneLine,
  preview,
} from './text.ts';

test('whether a text was cut can be told afterwards', () => {
  expect(isCut(headAndTail('x'.repeat(200), 100))).toBe(true);
  expect(isCut(headAndTail('x'.repeat(2000), 100))).toBe(true);
  expect(isCut('x'.repeat(200))).toBe(false);
  expect(isCut('\n… some characters left out …\n')).toBe(false);
});

test('of equally near words the first is meant', () => {
  expect(nearest('cat', ['bat', 'hat'])).toBe('bat');
  expect(nearest('cat', ['hut', 'hat'])).toBe('hat');
  expect(nearest('cat', ['dog'])).toBeUndefined();
});

test.each([
  ['ab', 'ba', 1],
  ['abcd', 'abdc', 1],
  ['xabcd', 'xbacd', 1],
  ['ab', 'cb', 1],
  ['ab', 'bc', 2],
  ['abc', 'cab', 2],
])('%s becomes %s in %i steps', (a, b, steps) => {
  expect(editDistance(a, b)).toBe(steps);
});

test('one of a thing, and any other number', () => {
  expect([counted(1, 'call'), counted(2, 'call'), counted(0, 'entry', 'entries')]).toEqual([
    '1 call',
    '2 calls',
    '0 entries',
  ]);
});

test('four characters count as a token, and a rest as one more', () => {
  expect(['', 'abcd', 'abcde'].map(estimateTokens)).toEqual([0, 1, 2]);
});

test('on one line there is nothing that a person cannot see', () => {
  expect(oneLine('  a\u0000\u0007\n\tb\u200Bc\u202E  d ')).toBe('a bc d');
});

test('of a long text 70 % are its head and 30 % its tail', () => {
  expect(headAndTail('abcdefghijklmno', 10)).toBe('abcdefg\n… 5 characters left out …\nmno');
  expect(headAndTail('abcdefghij', 10)).toBe('abcdefghij');
  expect(headAndTail('abcdefghij', 5)).toBe('abcd\n… 5 characters left out …\nj');
});

test('of a text in pieces the same is left, however long it is', () => {
  for (const chars of [10, 15, 9000, 200_000]) {
    const text = 'abcdefghijklmno '.repeat(chars).slice(0, chars);
    for (const size of [3, 8192]) {
      const ends = new Ends(10);
      for (let at = 0; at < chars; at += size) ends.add(text.slice(at, at + size));
      expect(ends.text()).toBe(headAndTail(text, 10));
    }
  }
});

test('no token is split at the ends of what came in pieces', () => {
  const token = `ghp_${'aB3'.repeat(12)}`;
  for (let before = 0; before < 40; before++) {
    const ends = new Ends(100);
    for (const piece of [`${'x '.repeat(before)}${token} `, 'y '.repeat(50_000), `${token}${' z'.repeat(before)}`])
      ends.add(piece);
    expect(ends.text().replaceAll(token, '')).not.toMatch(/ghp_|aB3/u);
  }
});

test('a preview is exactly as long as it may be, and blanks are single ones', () => {
  expect(preview('x'.repeat(200))).toHaveLength(200);
  expect(preview('x'.repeat(201))).toBe(`${'x'.repeat(199)}…`);
  expect(preview('  a  b\tc\u00a0d e\n')).toBe('a b c d e');
});

test('a third of the letters may differ, at least one, and upper and lower case are the same', () => {
  expect(nearest('SCHEDUEL', ['schedule'])).toBe('schedule');
  expect([nearest('abcdef', ['xycdef']), nearest('abcdef', ['xyzdef'])]).toEqual(['xycdef', undefined]);
  expect([nearest('ab', ['xb']), nearest('ab', ['xy'])]).toEqual(['xb', undefined]);
  expect(nearest('help', ['helm', 'help'])).toBe('help');
});

test.each([
  ['a..b', 'aB'],
  ['a.-_b', 'aB'],
  ['plugin_2', 'plugin2'],
  ['-x', 'X'],
  ['a_B', 'a_B'],
  ['a_', 'a_'],
])('%s is %s in camel case', (id, name) => {
  expect(camelCase(id)).toBe(name);
});
