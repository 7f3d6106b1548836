import { expect, test } from 'vitest';
import { beyond, curve, exponent } from './growth.ts';

const points = (cost: (size: number) => number) => [10, 100, 1000].map((size) => ({ size, samples: [cost(size)] }));

test('the exponent tells what stays, what grows with the size and what with its square', () => {
  expect(exponent(points(() => 5))).toBeCloseTo(0);
  expect(exponent(points((size) => 3 * size))).toBeCloseTo(1);
  expect(exponent(points((size) => size ** 2))).toBeCloseTo(2);
});

test('the formula goes on from the last point, and never says that more is cheaper', () => {
  expect(
    beyond(
      points((size) => 2 * size),
      1_000_000,
    ),
  ).toBeCloseTo(2_000_000);
  expect(
    beyond(
      points((size) => 1 / size),
      10_000,
    ),
  ).toBeCloseTo(0.001);
});

test('the last line of a curve says both', () => {
  const lines = curve(
    'listing',
    'ms',
    points((size) => size),
    10_000,
  );
  expect(lines.map(({ what }) => what)).toEqual(['listing: 10', 'listing: 100', 'listing: 1,000']);
  expect(lines.at(-1)?.note).toBe('grows with size^1.00; in a straight line 10,000 ms at 10,000');
});
