import { expect, test } from 'vitest';
import { withNextDays } from './next-event.ts';

const said = (first: string, rule: string) =>
  `Yoga on ${first} at 18:00, at the hall.\nRepeats: ${rule}.\nBring a mat.`;

test.each([
  ['Tuesday 8 September 2026', 'freq weekly, byday tu, until 20261215T235900Z', 'Tuesday 24 November 2026'],
  ['Monday 14 September 2026', 'freq weekly, interval 2, byday mo', 'Monday 23 November 2026'],
  ['Monday 7 September 2026', 'freq weekly, interval 2, byday mo,we', 'Monday 30 November 2026'],
  ['Thursday 3 September 2026', 'freq monthly, byday 1th', 'Thursday 3 December 2026'],
  ['Friday 25 September 2026', 'freq monthly, byday -1fr', 'Friday 27 November 2026'],
  ['Saturday 31 January 2026', 'freq monthly', 'Thursday 31 December 2026'],
  ['Friday 1 May 2020', 'freq yearly', 'Saturday 1 May 2027'],
  ['Sunday 22 November 2026', 'freq daily, interval 3', 'Wednesday 25 November 2026'],
  ['Tuesday 8 September 2026', 'freq weekly', 'Tuesday 24 November 2026'],
  ['Tuesday 8 September 2026', 'freq weekly, byday tu, wkst su, count 12', 'Tuesday 24 November 2026'],
  ['Tuesday 8 September 2026', 'freq weekly, until 20261124T235900Z', 'Tuesday 24 November 2026'],
  ['Wednesday 2 September 2026', 'freq weekly, interval 3, byday we', 'Wednesday 25 November 2026'],
  ['Wednesday 9 September 2026', 'freq weekly, interval 3, byday we', 'Wednesday 2 December 2026'],
  ['Sunday 6 September 2026', 'freq weekly, interval 2, byday su,mo', 'Monday 23 November 2026'],
  ['Monday 7 September 2026', 'freq weekly, interval 2, byday su,mo', 'Monday 30 November 2026'],
  ['Tuesday 10 November 2026', 'freq daily, byday we', 'Wednesday 25 November 2026'],
  ['Monday 10 August 2026', 'freq monthly, interval 5', 'Sunday 10 January 2027'],
  ['Saturday 5 September 2026', 'freq monthly, bymonthday 5', 'Saturday 5 December 2026'],
  ['Friday 11 September 2026', 'freq monthly, byday +2fr', 'Friday 11 December 2026'],
  ['Friday 18 September 2026', 'freq monthly, byday -2fr', 'Friday 18 December 2026'],
  ['Monday 28 September 2026', 'freq monthly, byday -1mo', 'Monday 30 November 2026'],
  ['Friday 1 May 2020', 'freq yearly, interval 3', 'Tuesday 1 May 2029'],
  ['Thursday 5 March 2026', 'freq yearly, bymonth 3, bymonthday 5', 'Friday 5 March 2027'],
  ['Friday 2 January 2026', 'freq yearly, bymonth 3, bymonthday 5', 'Friday 5 March 2027'],
  ['Monday 23 February 2026', 'freq yearly, bymonth 2, byday -1mo', 'Monday 22 February 2027'],
  ['Monday 23 November 2026', 'freq weekly', 'Monday 23 November 2026'],
  // Still to come, already ended, or under a rule that is not understood: the first day stays.
  ['Friday 4 December 2026', 'freq weekly, byday fr', 'Friday 4 December 2026'],
  ['Tuesday 8 September 2026', 'freq weekly, until 20261020T235900Z', 'Tuesday 8 September 2026'],
  ['Tuesday 8 September 2026', 'freq weekly, count 3', 'Tuesday 8 September 2026'],
  ['Tuesday 8 September 2026', 'freq weekly, count 11', 'Tuesday 8 September 2026'],
  ['Tuesday 8 September 2026', 'freq weekly, byday tuesday', 'Tuesday 8 September 2026'],
  ['Tuesday 8 September 2026', 'freq weekly, byday xtu', 'Tuesday 8 September 2026'],
  ['Tuesday 8 September 2026', 'freq hourly', 'Tuesday 8 September 2026'],
  ['Tuesday 8 September 2026', 'interval 2', 'Tuesday 8 September 2026'],
  ['Tuesday 41 September 2026', 'freq weekly', 'Tuesday 41 September 2026'],
  ['Tuesday 8 September 2026', 'freq monthly, byday tu,we, bysetpos 1', 'Tuesday 8 September 2026'],
])('%s, %s', (first, rule, next) => {
  expect(withNextDays(said(first, rule), '2026-11-23')).toBe(said(next, rule));
});

test('of several events each is told by its own rule, and all that stands around them stays', () => {
  const weekly = (title: string, day: string) => `${title} on ${day}.\nRepeats: freq weekly.`;
  const others = 'Yoga on Tuesday 8 September 2026.\n\nRepeats: freq weekly.';
  const text = [weekly('Choir', 'Tuesday 8 September 2026'), others, weekly('Band', 'Friday 4 September 2026')];
  const next = [weekly('Choir', 'Tuesday 24 November 2026'), others, weekly('Band', 'Friday 27 November 2026')];
  expect(withNextDays(text.join('\n'), '2026-11-23')).toBe(next.join('\n'));
});
