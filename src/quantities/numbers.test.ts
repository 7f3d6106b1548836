import { expect, test } from 'vitest';
import { readNumber, showMoney, showNumber } from './numbers.ts';

test.each([
  ['1,250.50', 1250.5, 1250.5],
  ['1.250,50', 1250.5, 1250.5],
  ['1 250', 1250, 1250],
  ["1'250", 1250, 1250],
  ['1.250', 1.25, 1250],
  ['1,250', 1250, 1.25],
  ['0.250', 0.25, 0.25],
  ['1.250.000', 1_250_000, 1_250_000],
  ['42,50', 42.5, 42.5],
  ['12.5', 12.5, 12.5],
  ['-1,250', -1250, -1.25],
  ['7', 7, 7],
  ['37.40,', 37.4, 37.4],
  ['5.', 5, 5],
  ['1.2.3', Number.NaN, Number.NaN],
])('%s is read as %d in English, %d in German', (written, en, de) => {
  expect([readNumber(written, 'en'), readNumber(written, 'de')]).toEqual([en, de]);
});

test.each([
  [0, '0', '0'],
  [0.1 + 0.2, '0.3', '0,3'],
  [1.5, '1.5', '1,5'],
  [100, '100', '100'],
  [123_456_789_012.4, '123456789012', '123456789012'],
  [1e14, '100000000000000', '100000000000000'],
  [1e15, '1000000000000000', '1000000000000000'],
  [1e21, '1e+21', '1e+21'],
  [0.000001, '0.000001', '0,000001'],
  [0.0000005, '5e-7', '5e-7'],
])('%d is shown as %s, in German as %s', (value, en, de) => {
  expect([showNumber(value), showNumber(value, 'de')]).toEqual([en, de]);
});

test.each([
  [2, '2', '2'],
  [2.5, '2.50', '2,50'],
  [1.005, '1.01', '1,01'],
  [1.999, '2', '2'],
])('%d of money is %s, in German %s', (value, en, de) => {
  expect([showMoney(value, 'en'), showMoney(value, 'de')]).toEqual([en, de]);
});
