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
  ['0 factorial', '0! = 1'],
  ['5!', '5! = 120'],
  ['what is 5!?', '5! = 120'],
  ['170 factorial', '170! = 7.25741561531e+306'],
  ['the average of 3,4,5', 'The average of 3, 4, 5 is 4.'],
  ['the average of 3,10,5', 'The average of 3, 10, 5 is 6.'],
  ['the sum of 3, and 4', 'The sum of 3, 4 is 7.'],
  ['add up 3, 4 and 5', 'The sum of 3, 4, 5 is 12.'],
  ['take 3 from 10', 'take 3 from 10 = 7'],
  ['what is the 5 + 6?', '5 + 6 = 11'],
  ['5 + 6 =  ?', '5 + 6 = 11'],
  ['3 dollars plus 1 dollar', '3 dollars plus 1 dollar = 4'],
  ['2 pounds plus 1 pound', '2 pounds plus 1 pound = 3'],
  ['2 francs plus 1 franc', '2 francs plus 1 franc = 3'],
  ['12 345 + 1', '12 345 + 1 = 12346'],
  ['1 234 567 + 1', '1 234 567 + 1 = 1234568'],
  ['2 a day for 3 days and 4 tickets at 5', '2 a day for 3 days and 4 tickets at 5 = 26'],
  [
    '4 tickets at 12.50 each and 2 tickets at 10, how much is that?',
    '4 tickets at 12.50 each and 2 tickets at 10 = 70',
  ],
  ['690 a week divided by 3', '690 a week divided by 3 = 230'],
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

test.each([
  ['3 dollars plus 1 pound'],
  ['was sind 3 Euro plus 2 Franken?'],
  ['what is 2026-11-22?'],
  ['what is 2026-11-22 + 1?'],
  ['what is 1.2.3?'],
  ['what is 12.11.3 - 4?'],
  ['what is (3)?'],
  ['what is 3?'],
  ['what is 3 plus blue?'],
  ['what is + ?'],
  ['the sum of 3'],
  ['the sum of 3 and blue'],
  ['subtract 3 and blue'],
  ['2.5 factorial'],
  ['-1 factorial'],
])('%s is no sum', (text) => expect(JSON.stringify(outcome(text))).not.toMatch(/^"[^"]{0,40}(?:=| is \d)/u));
