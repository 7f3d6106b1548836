import { expect, test } from 'vitest';
import type { ToolContext } from '../tool.ts';
import { calculate, convertUnits, createCalculateTools } from './calculate.ts';

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
])('%s is %d', (expression, value) => {
  expect(calculate(expression)).toBeCloseTo(value, 9);
});

test.each([
  ['two and two', '"two and two" is no expression over + - * / ^ % mod sqrt and brackets.'],
  ['', '"" is no expression over + - * / ^ % mod sqrt and brackets.'],
  ['9 ^ 999', '"9 ^ 999" has no finite value.'],
])('%j is refused', (expression, why) => {
  expect(() => calculate(expression)).toThrow(new Error(why));
});

test('a measure is given in another unit of its kind', () => {
  expect(convertUnits(2, 'km', 'm')).toBe(2000);
  expect(convertUnits(100, 'celsius', 'fahrenheit')).toBeCloseTo(212, 9);
});

test.each([
  ['klicks', 'm', '"klicks" is no unit that is known.'],
  ['km', 'klicks', '"klicks" is no unit that is known.'],
  ['km', 'kg', 'km measures length, kg measures mass: there is no conversion.'],
])('of %s in %s nobody knows', (from, to, why) => {
  expect(() => convertUnits(1, from, to)).toThrow(new Error(why));
});

async function call(name: string, input: Record<string, unknown>): Promise<unknown> {
  const tool = createCalculateTools().find((each) => each.name === name);
  return tool?.execute(input, {} as ToolContext);
}

test('an expression has the value that mathematics gives it', async () => {
  const values = {
    '-2^2': -4,
    '(1 + 2) × 3 ÷ 4': 2.25,
    '15% of 80': 12,
    '17 mod 5': 2,
    'sqrt(16) ** 2': 16,
    '1,250 + 1': 1251,
  };
  for (const [expression, value] of Object.entries(values)) expect(await call('calculate', { expression })).toBe(value);
  for (const wrong of ['1/0', 'process.exit()', '2 +', 'x'])
    await expect(call('calculate', { expression: wrong })).rejects.toThrow(
      wrong === '1/0' ? 'finite' : 'no expression',
    );
});

test('units are those of the built-in model; what measures something else is not converted', async () => {
  expect(await call('calculate', { expression: '10 miles in km' })).toBe(16.09344);
  expect(await call('calculate', { expression: '100 F to °C' })).toBeCloseTo(37.7778, 3);
  await expect(call('calculate', { expression: '3 kg in km' })).rejects.toThrow('mass');
  expect(await call('convert_units', { value: 10, from: 'miles', to: 'km' })).toBe(16.09344);
  expect(await call('convert_units', { value: 100, from: 'F', to: '°C' })).toBeCloseTo(37.7778, 3);
  expect(await call('convert_units', { value: 60, from: 'mph', to: 'km/h' })).toBeCloseTo(96.56064);
  await expect(call('convert_units', { value: 1, from: 'kg', to: 'km' })).rejects.toThrow('mass');
  await expect(call('convert_units', { value: 1, from: 'kg', to: 'smoots' })).rejects.toThrow('"smoots"');
});
