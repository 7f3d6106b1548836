import { expect, test } from 'vitest';
import { fitsDate, isConditional, parseQuery } from './query.ts';

const NONE = { files: [], dates: [], phrases: [], without: [] };

test.each([
  ['plain words', 'plain words', NONE],
  [' two\t \n words ', 'two words', NONE],
  ['file:notes/*.md ferry', 'ferry', { ...NONE, files: ['notes/*.md'] }],
  ['ferry file:"my notes/a b.md"', 'ferry', { ...NONE, files: ['my notes/a b.md'] }],
  [
    'dt>=2024-05 dt<2025 rain',
    'rain',
    {
      ...NONE,
      dates: [
        { sign: '>=', day: '2024-05' },
        { sign: '<', day: '2025' },
      ],
    },
  ],
  ['boat +"north pier" -"crane"', 'boat north pier', { ...NONE, phrases: ['north pier'], without: ['crane'] }],
  ['a -5 degree well-known e.g. -"', 'a -5 degree well-known e.g. -"', NONE],
  ['what does "file: x" mean', 'what does "file: x" mean', NONE],
  ['width>=3 dt>=soon', 'width>=3 dt>=soon', NONE],
])('%j', (source, text, conditions) => {
  expect(parseQuery(source)).toEqual({ text, conditions });
});

test.each([
  ['2024-05-31', '<=', '2024-05', true],
  ['2024-06-01', '<=', '2024-05', false],
  ['2024-06-01', '>', '2024-05', true],
  ['2024-05-01', '>', '2024-05', false],
  ['2024-05-17', '=', '2024', true],
  ['2024-05-17', '>=', '2024-05-17', true],
  ['2024-05-16', '>=', '2024-05-17', false],
  ['2024-05-16', '<', '2024-05-17', true],
  ['2024-05-17', '<', '2024-05-17', false],
  ['2024-05-18', '=', '2024-05-17', false],
] as const)('%s %s %s: %s', (day, sign, limit, expected) => {
  expect(fitsDate(day, { sign, day: limit })).toBe(expected);
});

test.each([
  ['ferry', false],
  ['file:a.md', true],
  ['dt=2024', true],
  ['+"ferry"', true],
  ['-"ferry"', true],
  ['file:a.md dt=2024 +"ferry" -"boat"', true],
])('%s has conditions: %s', (query, expected) => {
  expect(isConditional(parseQuery(query).conditions)).toBe(expected);
});
