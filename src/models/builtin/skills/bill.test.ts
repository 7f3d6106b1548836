import { expect, test } from 'vitest';
import { outcome } from '../../../testing/built-in-outcome.ts';

test.each([
  ["what's 15% tip on 84.60 split by three?", '32.43 each: 97.29 (84.60 plus a tip of 15%, 12.69), by 3.'],
  ['a jacket is 129 with 30% off plus 10% tax, what do I pay?', '99.33 (129 less 30%, 38.70, plus 10%, 9.03).'],
  ['what do I pay for 200 with 20% vat and 10% off?', '216 (200 less 10%, 20, plus 20%, 36).'],
  ['zu zweit 90 Euro mit 10 % Trinkgeld, wie viel jeder?', '49,50 für jeden: 99 (90 plus 10 % Trinkgeld, 9), durch 2.'],
  ['the bill is £62.40, add a 15% tip', '£71.76 (£62.40 plus a tip of 15%, £9.36).'],
])('%s', (text, said) => expect(outcome(text)).toBe(said));

test('two percentages for one thing are none that can be worked out', () => {
  expect(outcome('dinner 80 with 10% tip and 15% tip')).toMatch(/^I did not understand that\./u);
});
