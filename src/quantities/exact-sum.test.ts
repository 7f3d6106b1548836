import { expect, test } from 'vitest';
import { exactSum } from './exact-sum.ts';

test.each([
  [[0.1, 0.2], 0.3],
  [['12.50', 7.45, 0.05], 20],
  [[1e-7, 2e-7], 3e-7],
  [[-5, 2.5], -2.5],
  [[1e15, 1], 1e15 + 1],
  [[], 0],
])('the sum of %j is %d', (values, sum) => {
  expect(exactSum(values)).toBe(sum);
});

test.each([['12,50 EUR'], [''], [null], [Number.NaN], [undefined]])('%j is no number', (value) => {
  expect(() => exactSum([1, value])).toThrow('is no number: give 12.5');
});
