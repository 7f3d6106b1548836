import { expect, test } from 'vitest';
import { outcome } from '../../../testing/built-in-outcome.ts';

test.each([
  ['if I save £5 a day, how much is that after 2 weeks?', '£70 (14 × £5).'],
  ['if I save £5 a fortnight, how much is that after 5 weeks?', '£10 (2 × £5).'],
  ['if I save 5 euros a week, how much is that after 2 years?', '520 euros (104 × 5 euros).'],
  ['if I save 5 euros a day, how much is that after a year?', '1825 euros (365 × 5 euros).'],
  ['if I save 5 euros a month, how much is that after 2 years?', '120 euros (24 × 5 euros).'],
  ['if I save 5 euros a year, how much is that after 24 months?', '10 euros (2 × 5 euros).'],
  ['if I save 50 a week, what do I have after 12 weeks?', '600 (12 × 50).'],
  ['if I save 50 a week, what do I have after a week?', '50 (1 × 50).'],
])('savings: %s', (text, said) => expect(outcome(text)).toBe(said));

test.each([
  ['my rent of 800 goes up by 5%, what is it then?', '840 (40 more).'],
  ['my rent is $800 and falls by 5%, what is it then?', '$760 ($40 less).'],
  ['decrease 80 by 25%', '60 (20 less).'],
  ['increase 80 by 25%', '100 (20 more).'],
  ['80 reduced by 25%', '60 (20 less).'],
  ['what is 80 increased by 25%?', '100 (20 more).'],
  ['rent was 800 last year and is 920 now, what is that in percent?', '15% more: from 800 to 920.'],
  ['rent was 800 last year and is 720 now, what is that in percent?', '10% less: from 800 to 720.'],
  ['rent was 800 last year and is 800 now, what is that in percent?', '0%: it stays at 800.'],
  ['what percentage from $80 to $100?', '25% more: from $80 to $100.'],
  ['what percent increase from 80 up to 90?', '12.5% more: from 80 to 90.'],
])('a rise or fall: %s', (text, said) => expect(outcome(text)).toBe(said));

test.each([
  ['what is the vat on £80 at 20%?', '£16 (20% of £80).'],
  ['what is the interest at 5% on 1000?', '50 (5% of 1000).'],
  ['what is the 20% tax on 80?', '16 (20% of 80).'],
  ['how much interest do I get on 1000 at 2.5% a year?', '25 (2.5% of 1000).'],
  ['I paid 12 for 4 tickets, how much is one?', '3 each (12 by 4).'],
  ['a pack of 6 eggs costs €3, how much is one?', '€0.50 each (€3 by 6).'],
  ['how many times does 7 go into 84?', '12 times.'],
  ['how many times does 7 go into 85?', '12 times, and 1 is left.'],
  ['how many 5s are there in 100?', '20 times.'],
])('a share: %s', (text, said) => expect(outcome(text)).toBe(said));

test.each([
  ['if I save 5 euros a year, how much is that after 6 months?'],
  ['if I save 5 euros a week, how much is that after 2 months?'],
  ['if I save 5 euros a week, how much is that after 3 days?'],
  ['if I save 5 euros a month, how much is that after 3 weeks?'],
  ['what is the interest on 1000 at 5% for 3 years?'],
  ['what is the interest on 1000 at 5% over years?'],
  ['I paid 12 for 0 tickets, how much is one?'],
  ['how many times does 0 go into 85?'],
  ['rent was 0 last year and is 720 now, what is that in percent?'],
])('%s: what cannot be reckoned so is looked up', (query) => {
  expect(outcome(query)).toEqual([['query_rag', { query }]]);
});
