import { expect, test } from 'vitest';
import { calculate, convertUnits } from './calculate.ts';

test.each([
  ['1 + 2 * 3', 7],
  ['15 % of 80', 12],
  ['3 × 4 · 2', 24],
  ['3x4', 12],
  ['8 ÷ 2', 4],
  ['2 ** 3', 8],
  ['7 mod 4', 3],
  ['sqrt(16)', 4],
  ['2 * pi', 2 * Math.PI],
  ['π', Math.PI],
  ['1,000,000 + 1', 1_000_001],
  ['5 − 3', 2],
  ['5 – 3', 2],
])('%s is %d', async (expression, value) => {
  expect(await calculate(expression)).toBeCloseTo(value, 9);
});

test.each([
  ['two and two', '"two and two" is no expression over + - * / ^ % mod sqrt and brackets.'],
  ['', '"" is no expression over + - * / ^ % mod sqrt and brackets.'],
  ['9 ^ 999', '"9 ^ 999" has no finite value.'],
])('%j is refused', async (expression, why) => {
  await expect(calculate(expression)).rejects.toThrow(new Error(why));
});

test('a measure is given in another unit of its kind', async () => {
  expect(await convertUnits(2, 'km', 'm')).toBe(2000);
  expect(await convertUnits(100, 'celsius', 'fahrenheit')).toBeCloseTo(212, 9);
});

test.each([
  ['klicks', 'm', '"klicks" is no unit that is known.'],
  ['km', 'klicks', '"klicks" is no unit that is known.'],
  ['km', 'kg', 'km measures length, kg measures mass: there is no conversion.'],
])('of %s in %s nobody knows', async (from, to, why) => {
  await expect(convertUnits(1, from, to)).rejects.toThrow(new Error(why));
});
