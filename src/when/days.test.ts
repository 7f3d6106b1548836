import { expect, test } from 'vitest';
import { dateAfter, daysApart } from './days.ts';

test.each([
  ['2026-11-01', '2027-01-02', 62],
  ['2027-01-02', '2026-11-01', -62],
  ['2026-03-28', '2026-03-30', 2],
  ['2028-02-28', '2028-03-01', 2],
  ['2026-11-01T23:00:00Z', '2026-11-02 01:00', 1],
])('from %s to %s are %d days', (from, to, days) => {
  expect(daysApart(from, to)).toBe(days);
});

test.each([
  ['2026-11-01', 9, '2026-11-10'],
  ['2026-12-31', 1, '2027-01-01'],
  ['2026-03-01', -1, '2026-02-28'],
])('%s and %d days', (date, days, after) => {
  expect(dateAfter(date, days)).toBe(after);
});

test.each(['2026-02-30', 'tomorrow', '', '01.11.2026'])('%j is no date', (date) => {
  expect(() => daysApart(date, '2026-11-01')).toThrow('is no date like 2026-11-01');
});

test('a date beyond all calendars is an error', () => {
  expect(() => dateAfter('2026-11-01', 1e12)).toThrow(RangeError);
});
