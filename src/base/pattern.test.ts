import { expect, test } from 'vitest';
import { linearPattern } from './pattern.ts';

test('a pattern that would take for ever elsewhere is over at once', () => {
  const pattern = linearPattern('(a+)+$');
  expect(pattern?.test(`${'a'.repeat(50_000)}b`)).toBe(false);
  expect(pattern?.test('aaa')).toBe(true);
  expect(linearPattern('b')?.flags).toBe('l');
});

test.each(['(', '(a)\\1', '(?=a)'])('%s cannot be run so', (source) => {
  expect(linearPattern(source)).toBeUndefined();
});
