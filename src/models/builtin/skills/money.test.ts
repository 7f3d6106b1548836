import { expect, test } from 'vitest';
import { outcome } from '../../../testing/built-in-outcome.ts';

test.each([
  ['what is 20% off 80 euros?', '64 euros (16 euros off).'],
  ['€80 with 20% off', '€64 (€16 off).'],
  ['80 with 20% off', '64 (16 off).'],
  ['was sind 20% Rabatt auf 80 Euro?', '64 Euro (16 Euro gespart).'],
  ['80 euros plus 19% vat', '95.20 euros (15.20 euros on top).'],
  ['80 Euro plus 19% Mehrwertsteuer', '95,20 Euro (15,20 Euro dazu).'],
  ['119 euros without 19% vat', '100 euros (19 euros of it is tax).'],
  ['119 Euro ohne 19% Mehrwertsteuer', '100 Euro (19 Euro davon sind Steuer).'],
])('off and on top: %s', (text, said) => expect(outcome(text)).toBe(said));

test.each([
  ['a 15% tip on 42.50', 'A tip of 15% is 6.38; 48.88 in all.'],
  ['a tip on 42.50', 'A tip of 10% is 4.25; 46.75 in all.'],
  ['how much should I tip on a $42.50 bill', 'A tip of 10% is $4.25; $46.75 in all.'],
  ['tip 12.5% on 40', 'A tip of 12.5% is 5; 45 in all.'],
  ['15% Trinkgeld auf 42,50', '15 % Trinkgeld sind 6,38, zusammen 48,88.'],
  ['12,5% Trinkgeld auf 40', '12,5 % Trinkgeld sind 5, zusammen 45.'],
  ['Trinkgeld auf 42,50', '10 % Trinkgeld sind 4,25, zusammen 46,75.'],
])('%s', (text, said) => expect(outcome(text)).toBe(said));

test.each([
  ['split 120 euros between 4 people', '30 euros each.'],
  ['split €120 between 4 people', '€30 each.'],
  ['split 120 between four people', '30 each.'],
  ['split 120 by 1', '120 each.'],
  ['120 shared among four friends', '30 each.'],
  ['120 split by 4', '30 each.'],
  ['120 euros divided by 4 people', '30 euros each.'],
  ['split a bill of 100 between 4 people with a 10% tip', '27.50 each: 110 (100 plus a tip of 10%, 10), by 4.'],
  ['teile 120 Euro durch 4 Personen', '30 Euro für jeden.'],
])('%s', (text, said) => expect(outcome(text)).toBe(said));

test.each([
  ['what is 84 divided by 4?', '84 divided by 4 = 21'],
  ['84 divided by 4', '84 divided by 4 = 21'],
])('%s is a sum, of nobody', (text, said) => expect(outcome(text)).toBe(said));

test.each(['split 120 euros between 0 people', 'split 120 between 2.5 people'])(
  '%s: there are no such people',
  (text) => {
    expect(outcome(text)).toMatch(/^I did not understand that\./u);
  },
);

test.each([
  ['what percentage is 30 of 120?', '30 is 25% of 120.'],
  ['what percent of 120 is 30', '30 is 25% of 120.'],
  ['30 is what percent of 120', '30 is 25% of 120.'],
  ['1 out of 3 in percent', '1 is 33.33% of 3.'],
  ['wie viel Prozent sind 30,5 von 120', '30,5 sind 25,42 % von 120.'],
  ['30 sind wie viel Prozent von 120', '30 sind 25 % von 120.'],
  ['from 34 to 37.40 in percent', '+10% from 34 to 37.4.'],
  ['from 40 to 30 in percent', '-25% from 40 to 30.'],
  ['from 40 to 40 in percent', '0% from 40 to 40.'],
  ['von 34 auf 37,40 in Prozent', '+10 % von 34 auf 37,4.'],
])('%s', (text, said) => expect(outcome(text)).toBe(said));

test('nothing is a part of none', () => {
  expect(outcome('what percentage is 30 of 0?')).toMatchObject([['query_rag', {}]]);
  expect(outcome('from 0 to 40 in percent')).toMatch(/^I did not understand that\./u);
});

test.each([
  [
    'how much is 100 dollars in euros',
    'I know no exchange rates. "search the web for euro dollar rate" looks them up.',
  ],
  ['wie viel sind 100 Dollar in Euro', 'Ich kenne keine Wechselkurse. „such im Web nach Euro Dollar Kurs“ sieht nach.'],
])('%s', (text, said) => expect(outcome(text)).toBe(said));
