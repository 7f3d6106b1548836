import { expect, test } from 'vitest';
import { outcome } from '../../../testing/built-in-outcome.ts';

test.each([
  ['12 monthly payments of 37.99, what is the total?', '455.88 (12 × 37.99).'],
  ['3 tickets at €12 each', '€36 (3 × €12).'],
  ['was kosten 6 Teller zu 3,50 Euro?', '21 Euro (6 × 3,50 Euro).'],
  ['6 Teller zu 3,50 Euro mit 10 % Rabatt', '18,90 Euro (6 × 3,50 Euro, minus 10 %).'],
  ['80 Euro pro Nacht für 7 Nächte', '560 Euro (7 × 80 Euro).'],
])('so many at a price: %s', (text, said) => expect(outcome(text)).toBe(said));

test.each([
  ['430 km at 6.5 litres per 100', '27.95 litres.'],
  ['430 km mit 6,5 Liter auf 100 km', '27,95 Liter.'],
  ['100 km at 20 kWh per 100', '20 kWh.'],
])('so much per hundred kilometres: %s', (text, said) => expect(outcome(text)).toBe(said));

test.each([
  ['how much is 1200 in 24 instalments', '24 payments of 50.'],
  ['1200 in 2 monthly payments each', '2 payments of 600.'],
  ['1.499 Euro in 24 Raten', '24 Raten zu 62,46 Euro.'],
])('in equal parts: %s', (text, said) => expect(outcome(text)).toBe(said));

test.each([
  ['if 5 tickets cost 67.50, what do 8 cost?', '108, at 13.50 each.'],
  ['if 5 tickets cost 67.50, what will 8 tickets come to?', '108, at 13.50 each.'],
  ['if 3 boxes cost 2, what do 6 box cost?', '4, at 0.67 each.'],
  ['if 3 apples cost 2 euros what do 6 more cost?', '4 euros, at 0.67 euros each.'],
  ['if 3 apples cost $2 what does one cost?', '$0.67 each.'],
  ['wenn 5 Karten 67,50 Euro kosten, was kosten 8?', '108 Euro, bei 13,50 Euro je Stück.'],
  ['3 Äpfel kosten 2 Euro, was kosten 6 davon?', '4 Euro, bei 0,67 Euro je Stück.'],
  ['wenn 3 Kisten 2 Euro kosten, was kosten 6 Kiste?', '4 Euro, bei 0,67 Euro je Stück.'],
  ['apples are 2 euros a kilo, what do 3 kilos cost?', '6 euros (3 × 2 euros).'],
  ['if petrol is 1.46 a litre how much is 38 litres', '55.48 (38 × 1.46).'],
  ['if boxes are 2 each, how much do we pay for 12 boxes', '24 (12 × 2).'],
  ['Äpfel kosten 2 Euro das Kilo, was kosten 3 Kilo?', '6 Euro (3 × 2 Euro).'],
])('of others like them: %s', (text, said) => expect(outcome(text)).toBe(said));

test.each([
  ['I earn 34,500 a year, how much is that a month?', '2875 a month, by 12 months a year.'],
  ['1,300 a fortnight is how much a year', '33800 a year, by 26 fortnights a year.'],
  ['£450 a week is how much a year?', '£23400 a year, by 52 weeks a year.'],
  ['36500 a year is how much a day', '100 a day, by 365 days a year.'],
  ['70 euros a week, how much is that a day?', '10 euros a day, by 7 days a week.'],
  ['ich verdiene 34.500 Euro im Jahr, wie viel ist das im Monat?', '2875 Euro pro Monat, bei 12 Monaten im Jahr.'],
  ['5200 Euro im Jahr, wie viel ist das in der Woche?', '100 Euro pro Woche, bei 52 Wochen im Jahr.'],
  ['70 Euro in der Woche, wie viel ist das am Tag?', '10 Euro pro Tag, bei 7 Tagen in der Woche.'],
])('in another span: %s', (text, said) => expect(outcome(text)).toBe(said));

test.each([
  ['how much is 1200 in 1 instalments'],
  ['if 3 apples cost 2 euros what do 5 pears cost?'],
  ['wenn 3 Äpfel 2 Euro kosten, was kosten 5 Birnen?'],
])('%s: nothing to work out', (text) => expect(outcome(text)).toMatchObject([['query_rag', {}]]));

test('nothing is shared out among none', () => {
  expect(outcome('if 0 apples cost 2 what do 5 cost')).not.toMatch(/each|Infinity|NaN/u);
});
