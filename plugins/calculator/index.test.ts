import { expect, test } from 'vitest';
import { startPlugin } from '../../src/testing/plugin.ts';
import calculator from './index.ts';

test('an expression has the value that mathematics gives it', async () => {
  const { call } = await startPlugin(calculator);
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
  const { call } = await startPlugin(calculator);
  expect(await call('convert_units', { value: 10, from: 'miles', to: 'km' })).toBe(16.09344);
  expect(await call('convert_units', { value: 100, from: 'F', to: '°C' })).toBeCloseTo(37.7778, 3);
  expect(await call('convert_units', { value: 60, from: 'mph', to: 'km/h' })).toBeCloseTo(96.56064);
  await expect(call('convert_units', { value: 1, from: 'kg', to: 'km' })).rejects.toThrow('mass');
  await expect(call('convert_units', { value: 1, from: 'kg', to: 'smoots' })).rejects.toThrow('"smoots"');
});
