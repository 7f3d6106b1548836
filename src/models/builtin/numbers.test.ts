import { expect, test } from 'vitest';
import { readNumber, showMoney, showNumber, wordsToDigits } from './numbers.ts';

test.each([
  ['two hundred five', '205'],
  ['two thousand three hundred', '2300'],
  ['two thousand three hundred five plus one', '2305 plus 1'],
  ['two hundred thousand', '200000'],
  ['one million two hundred thousand forty', '1200040'],
  ['3 thousand two hundred', '3200'],
  ['2.5 thousand', '2500'],
  ['2,5 millionen', '2500000'],
  ['3 hundred', '300'],
  ['three thousand thousand', '3000000'],
  ['twenty-five', '25'],
  ['well-known', 'well known'],
  ['twenty twelve', '20 12'],
  ['one two three', '1 2 3'],
  ['zero five', '0 5'],
  ['two thousand zero', '2000 0'],
  ['two hundred and five', '200 and 5'],
  ['a hundred', 'a hundred'],
  ['v2 hundred', 'v2 hundred'],
  ['zwei tausend drei hundert fünf', '2305'],
  ['Fünfundzwanzig Äpfel', '25 Äpfel'],
  ['einunddreißig', '31'],
  ['siebzehn und neunundneunzig', '17 und 99'],
])('%s is %s', (words, digits) => expect(wordsToDigits(words)).toBe(digits));

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
