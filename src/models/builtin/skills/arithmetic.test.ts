import { expect, test } from 'vitest';
import { outcome } from '../../../testing/built-in-outcome.ts';

test.each([
  ['the product of 3, 4 and 5', 'The product of 3, 4, 5 is 60.'],
  ['the maximum of 3, 9 and 5', 'The maximum of 3, 9, 5 is 9.'],
  ['the minimum of 3, 9 and 5', 'The minimum of 3, 9, 5 is 3.'],
  ['the sum of 1, 2 and 3', 'The sum of 1, 2, 3 is 6.'],
  ['das Produkt von 3 und 4', 'Produkt (3; 4): 12.'],
  ['subtract 5 from 12', 'subtract 5 from 12 = 7'],
  ['multiply 3 by 4', 'multiply 3 by 4 = 12'],
  ['add 5 to 7', 'add 5 to 7 = 12'],
  ['3 factorial', '3! = 6'],
  ['what is 3 thousand plus 1', '3 thousand plus 1 = 3001'],
  ['what is 2.5 million plus 1', '2.5 million plus 1 = 2500001'],
  ['was sind 1,5 Millionen plus 1', '1,5 Millionen plus 1 = 1500001'],
  ['was sind 1.250,50 plus 1', '1.250,50 plus 1 = 1251,5'],
  ['1,250.50 + 1', '1,250.50 + 1 = 1251.5'],
  ['1.250,50 + 1', '1.250,50 + 1 = 1251.5'],
  ['1 250 + 1', '1 250 + 1 = 1251'],
  ['divide 5 by 0', 'divide 5 by 0 has no value: division by zero.'],
  ['teile 12 durch 0', 'teile 12 durch 0 hat keinen Wert: Teilung durch null.'],
])('%s', (text, said) => expect(outcome(text)).toBe(said));

test.each(['171 factorial', 'split 12 by 0', '12% tip on 80 split by 0'])('%s: no number is made up', (text) => {
  expect(JSON.stringify(outcome(text))).not.toMatch(/Infinity|NaN|= |each|^"\d/u);
});
