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
  // Not past, ended, or by a rule that is not read: the first day stays.
  ['Friday 4 December 2026', 'freq weekly, byday fr', 'Friday 4 December 2026'],
  ['Tuesday 8 September 2026', 'freq weekly, until 20261020T235900Z', 'Tuesday 8 September 2026'],
  ['Tuesday 8 September 2026', 'freq weekly, count 3', 'Tuesday 8 September 2026'],
  ['Tuesday 8 September 2026', 'freq monthly, byday tu,we, bysetpos 1', 'Tuesday 8 September 2026'],
])('%s, %s', (first, rule, next) => {
  expect(withNextDays(said(first, rule), '2026-11-23')).toBe(said(next, rule));
});
