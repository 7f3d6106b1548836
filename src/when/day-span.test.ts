import { expect, test } from 'vitest';
import { findDays } from './day-span.ts';

/** A Wednesday. */
const spoken = { now: new Date('2026-11-25T16:00:00Z'), timeZone: 'UTC' };

test.each([
  ['tomorrow', '2026-11-26', '2026-11-26'],
  ['this week', '2026-11-23', '2026-11-29'],
  ['next week', '2026-11-30', '2026-12-06'],
  ['letzte Woche', '2026-11-16', '2026-11-22'],
  ['the weekend', '2026-11-28', '2026-11-29'],
  ['am nächsten Wochenende', '2026-12-05', '2026-12-06'],
  ['next month', '2026-12-01', '2026-12-31'],
  ['diesen Monat', '2026-11-01', '2026-11-30'],
  ['the next 3 days', '2026-11-25', '2026-11-27'],
])('%s', (words, from, to) => expect(findDays(words, spoken)).toEqual({ from, to }));

test('what is to come begins today', () => {
  expect(findDays('this week', spoken, { ahead: true })).toEqual({ from: '2026-11-25', to: '2026-12-01' });
  expect(findDays('this month', spoken, { ahead: true })).toEqual({ from: '2026-11-25', to: '2026-11-30' });
});

test('other words are no days', () => {
  expect(findDays('every week', spoken)).toBeUndefined();
  expect(findDays('milk', spoken)).toBeUndefined();
});
