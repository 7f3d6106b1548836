import { expect, test } from 'vitest';
import { loadUnits } from './measure.ts';
import { recognizeIntent } from './recognize.ts';

/** A Sunday, 16:00. */
const NOW = new Date('2026-11-22T16:00:00Z');
const units = await loadUnits();

/** The calls, or what is said. */
function outcome(text: string): unknown {
  const found = recognizeIntent({
    text,
    now: NOW,
    timeZone: 'Europe/London',
    can: (tool) => tool !== 'search_memory',
    earlier: [],
    units,
  });
  if (found.kind === 'needs units') throw new Error('the units are there');
  return found.kind === 'act' ? found.actions.map(({ tool, input }) => [tool, input]) : found.text;
}

test.each([
  ['if I save 75 a month, how much is that in two years?', '1800 (24 × 75).'],
  ['if I put £40 aside every week how much will I have after a year?', '£2080 (52 × £40).'],
  ['my rent of 1140 goes up 4%, what will it be?', '1185.60 (45.60 more).'],
  ['the fare is 3.20 and falls by 5 percent, what is it then?', '3.04 (0.16 less).'],
  ["what's the VAT on 65 at 20%?", '13 (20% of 65).'],
  ['how much interest do I get on 5000 at 3.1% in a year?', '155 (3.1% of 5000).'],
  ['price without VAT if 240 includes 20% VAT?', '200 (40 of it is tax).'],
  ['I paid 18 for 4 coffees, how much was one?', '4.50 each (18 by 4).'],
  ['the bill is 72 and there are 3 of us, what does each pay?', '24 each: 72, by 3.'],
  ['three of us share a bill of 94.20, how much each?', '31.40 each: 94.20, by 3.'],
  ["shoes cost 85 and are 20 percent off, what's the price?", '68 (85 less 20%, 17).'],
  ['how many times does 14 go into 360?', '25 times, and 10 is left.'],
  ['a coat was £160 and is now £112, how much is that off in percent?', '30% less: from £160 to £112.'],
  ['how much is 3 x 12.99 plus 4.50 shipping?', '3 x 12.99 plus 4.50 shipping = 43.47'],
  ["what's 2 lb 4 oz in grams?", '2 lb 4 oz = 1020.583 grams'],
])('a sum told as a story: %s', (text, answer) => expect(outcome(text)).toBe(answer));

test.each([
  ["what's the date in 6 weeks?", 'That is Sunday 3 January 2027.'],
  ['what will the date be in 100 days?', 'That is Tuesday 2 March 2027.'],
  ["what's the second Tuesday of March 2027?", 'That is Tuesday 9 March 2027.'],
  ['is the 25th a Wednesday?', 'Yes, that is Wednesday 25 November 2026.'],
  ['does Christmas fall on a Monday this year?', 'No, that is Friday 25 December 2026.'],
  ['how long ago was 9 November 1989?', 'It is 37 years and 13 days since Thursday 9 November 1989.'],
  ['how far ahead of Berlin is Sydney?', 'Sydney is 10 hours ahead of Berlin now.'],
  ["what's the time difference to Auckland?", 'Auckland is 13 hours ahead of here now.'],
  ['what time will it be in New York in 3 hours?', 'In New York it is 14:00 on Sunday 22 November 2026'],
  ['if I call Mumbai at 9am, what time is it there?', 'In Mumbai it is 14:30'],
  ['when it is 8 in the evening in Lagos, what time is it in London?', 'In London it is 19:00'],
  ['what time is it in Denver when it is noon in Paris?', 'In Denver it is 04:00'],
])('a question of time: %s', (text, answer) => expect(outcome(text)).toContain(answer));

test.each([
  ['when is the last day of school?', 'query_rag'],
  ['did I note anything about the bakery?', 'list_notes'],
  ['find what I wrote about parking', 'list_notes'],
  ['I paid the window cleaner 15 pounds, please write that down', 'write_note'],
  ['how many notes do I have?', 'list_notes'],
  ['which tasks are still open?', 'show_lists'],
  ['do I have rice on my list?', 'show_lists'],
  ['when will you remind me about the insurance?', 'list_schedules'],
])('%s', (text, tool) => expect(outcome(text)).toMatchObject([[tool, {}]]));

test.each([
  ['cancel everything about the dentist', 'cancel_schedule', { id: 'all dentist' }],
  ['cancel my wake-up call', 'cancel_schedule', { id: 'wake up' }],
  ['bring the insurance reminder forward by a day', 'reschedule', { id: 'insurance', when: 'a day earlier' }],
  ['add 6 eggs and some butter to the groceries', 'change_list', { list: 'shopping', add: ['6 eggs', 'butter'] }],
  ['start a list of gift ideas: scarf, puzzle', 'change_list', { list: 'gift ideas', add: ['scarf', 'puzzle'] }],
  ["I don't need the gym reminder any more", 'cancel_schedule', { id: 'gym' }],
  ['delete the gift ideas list', 'change_list', { list: 'gift ideas', clear: true }],
])('%s', (text, tool, input) => expect(outcome(text)).toEqual([[tool, input]]));
