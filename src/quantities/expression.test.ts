import { expect, test } from 'vitest';
import { readExpression, unitIn } from './expression.ts';
import { inUnit, showQuantity } from './quantity.ts';

const shown = (text: string, language: 'en' | 'de' = 'en') => {
  const found = readExpression(text, { language });
  return found && showQuantity(found.result, language, 7);
};

test.each([
  ['(3 + 4) * 2', '14'],
  ['-2^2', '-4'],
  ['2^3^2', '512'],
  ['100 - 20 - 5', '75'],
  ['2 * 3 + 4 * 5', '26'],
  ['17 mod 5', '2'],
  ['5!', '120'],
  ['80 + 15%', '92'],
  ['15% of 80', '12'],
  ['20% off 80 euros', '64 euros'],
  ['1/3 of 96', '32'],
  ['a third of 84', '28'],
  ['two thirds of 90', '60'],
  ['half of 90', '45'],
  ['the square root of 144', '12'],
  ['the square of 12', '144'],
  ['5 to the power of 3', '125'],
  ['twelve times seven', '84'],
  ['a hundred and five plus one', '106'],
  ['2.5 million plus 1', '2500001'],
  ["12'345 + 1", '12346'],
  ['12 345 + 1', '12346'],
  ['6 plates at 3.50 plus 2 bowls at 5', '31'],
  ['4 tickets at 12.50 each and 2 tickets at 10', '70'],
  ['8 hours at 12 euros an hour', '96 euros'],
  ['3 hours at 80 km/h', '240 km'],
  ['240 km / 80 km/h', '3 h'],
  ['3 km + 500 m', '3.5 km'],
  ['£4.50 times 3', '£13.50'],
  ['an hour and a half', '1.5 hour'],
  ['2 hours and 5 minutes', '2.083333 hours'],
  ['11 stone 4', '11.28571 stone'],
  ["5'10", "5.833333 '"],
  ['2 1/2 cups', '2.5 cups'],
  ['690 a week divided by 3', '230 per week'],
])('%s is %s', (text, result) => {
  expect(shown(text)).toBe(result);
});

test.each([
  ['zweihundertfünfzig durch fünf', '50'],
  ['15 % von 360 Euro', '54 Euro'],
  ['1.250,50 plus 1', '1251,5'],
  ['anderthalb Liter', '1,5 Liter'],
  ['ein halbes Pfund', '0,5 Pfund'],
  ['die Hälfte von 84', '42'],
  ['Wurzel aus 144', '12'],
  ['12 Euro pro Tag', '12 Euro pro Tag'],
])('auf Deutsch: %s ist %s', (text, result) => {
  expect(shown(text, 'de')).toBe(result);
});

test.each([
  ...[
    '',
    'x',
    '2 +',
    'two and two',
    'a',
    '3 km + 5 kg',
    'remind me to buy 2 eggs',
    '18:15',
    '2026-11-28',
    '1.2.3',
    '4 of 5',
  ],
  '9 '.repeat(400),
])('%j is no expression', (text) => {
  expect(readExpression(text, { language: 'en' })).toBeUndefined();
});

test('"that" is read where it stands for something, and a sign in front goes on from it', () => {
  const that = { value: 84 };
  const resultOf = (text: string) => readExpression(text, { language: 'en', that })?.result.value;
  expect(['half of that', 'plus 10%', 'that × 2', 'divided by 4'].map(resultOf)).toEqual([42, 92.4, 168, 21]);
  expect(readExpression('half of that', { language: 'en' })).toBeUndefined();
});

test.each([
  ['10 miles', 'km', 16.09344],
  ['100 F', 'C', 37.777778],
  ['-40 F', '°C', -40],
  ['60 mph', 'kilometers an hour', 96.56064],
  ['100 km/h', 'm/s', 27.777778],
  ['6 litres per 100 km', 'mpg', 39.202431],
  ['2 EL', 'TL', 6],
  ['1 Zentner', 'kg', 50],
  ['10 pounds', 'kg', 4.5359237],
  ['1 week', 'days', 7],
  ['1 year', 'weeks', 52],
  ['3 MB', 'Mb', 24],
])('%s in %s', (text, unit, value) => {
  const [amount, to] = [readExpression(text, { language: 'en' })?.result, unitIn(unit)];
  expect(amount && to && inUnit(amount, to)?.value).toBeCloseTo(value, 5);
});

test('what measures something else is not converted, and a British pint is another', () => {
  const pint = readExpression('1 pint', { language: 'en' })?.result;
  const [litre, metre] = [unitIn('l'), unitIn('m')];
  if (!pint || !litre || !metre) throw new Error('these are units');
  expect(inUnit(pint, metre)).toBeUndefined();
  expect(inUnit(pint, litre)?.value).toBeCloseTo(0.473176473, 9);
  expect(inUnit(pint, litre, true)?.value).toBeCloseTo(0.56826125, 9);
});
