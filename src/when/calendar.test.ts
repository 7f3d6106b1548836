import { expect, test } from 'vitest';
import {
  addToDate,
  type CalendarUnit,
  daysBetween,
  daysInMonth,
  isoWeek,
  localDate,
  localTime,
  sayDayAndTime,
  sayHoursBetween,
  sayTime,
  startOfDay,
  startOfMonth,
  yearsBetween,
} from './calendar.ts';
import { machineZone, showWall, zoneOf } from './zone.ts';

const BERLIN = 'Europe/Berlin';
const at = (time: string) => new Date(time);

test('an instant is of the day that its zone shows', () => {
  const late = at('2026-11-20T23:30:05Z');
  expect(localDate(late, BERLIN)).toBe('2026-11-21');
  expect(localTime(late, BERLIN)).toBe('2026-11-21 00:30:05');
  expect([sayTime(late, BERLIN), sayTime(at('2026-11-20T08:05:00Z'), BERLIN)]).toEqual(['00:30:05', '09:05']);
  expect([showWall(late, BERLIN), showWall(late, 'UTC')]).toEqual([
    'Sat 2026-11-21 00:30:05',
    'Fri 2026-11-20 23:30:05',
  ]);
  expect(startOfDay(late, BERLIN)).toEqual(at('2026-11-20T23:00:00Z'));
  expect(startOfMonth(late, BERLIN)).toEqual(at('2026-10-31T23:00:00Z'));
});

test('a day begins at its first instant, where the clocks change at midnight', () => {
  expect(startOfDay(at('2018-11-04T12:00:00Z'), 'America/Sao_Paulo')).toEqual(at('2018-11-04T03:00:00Z'));
});

test('near days are named', () => {
  const now = at('2026-11-20T11:00:00Z');
  expect(sayDayAndTime(at('2026-11-20T16:00:00Z'), now, 'UTC')).toBe('today at 16:00');
  expect(sayDayAndTime(at('2026-11-21T09:00:00Z'), now, 'UTC')).toBe('tomorrow at 09:00');
  expect(sayDayAndTime(at('2026-11-19T09:00:00Z'), now, 'UTC')).toBe('on Thursday 19 November 2026 at 09:00');
});

test.each([
  ['2026-11-20T23:59:00Z', '2026-11-21T00:01:00Z', 1],
  ['2026-11-21T00:01:00Z', '2026-11-20T23:59:00Z', -1],
  ['2026-11-20T00:00:00Z', '2026-11-20T23:59:00Z', 0],
  ['2026-02-28T12:00:00Z', '2026-03-01T00:00:00Z', 1],
])('from %s to %s there are %i days', (from, to, days) => expect(daysBetween(at(from), at(to), 'UTC')).toBe(days));

test.each([
  ['1979-11-20', '2026-11-20', 47],
  ['1979-11-21', '2026-11-20', 46],
  ['1979-12-01', '2026-11-20', 46],
  ['1980-02-29', '2026-02-28', 45],
  ['1980-02-29', '2026-03-01', 46],
])('from %s to %s there are %i whole years', (from, to, years) => {
  expect(yearsBetween(at(from), at(to), 'UTC')).toBe(years);
});

test.each<[number, CalendarUnit, string, string]>([
  [1, 'day', '2026-03-28T08:00:00Z', '2026-03-29T07:00:00Z'],
  [-2, 'week', '2026-11-20T08:00:00Z', '2026-11-06T08:00:00Z'],
  [1, 'month', '2026-01-31T08:00:00Z', '2026-02-28T08:00:00Z'],
  [-1, 'month', '2026-03-31T08:00:00Z', '2026-02-28T09:00:00Z'],
  [2, 'month', '2026-12-15T08:00:00Z', '2027-02-15T08:00:00Z'],
  [1, 'year', '2028-02-29T08:00:00Z', '2029-02-28T08:00:00Z'],
  [4, 'year', '2028-02-29T08:00:00Z', '2032-02-29T08:00:00Z'],
])('%i %s after %s is %s, at the same time of day in Berlin', (amount, unit, from, to) => {
  expect(addToDate(at(from), amount, { unit, timeZone: BERLIN })).toEqual(at(to));
});

test('months have their days, weeks their numbers', () => {
  expect([2, 4, 12].map((month) => daysInMonth(2026, month))).toEqual([28, 30, 31]);
  expect(daysInMonth(2028, 2)).toBe(29);
  const week = (day: string) => isoWeek(at(`${day}T12:00:00Z`), 'UTC');
  expect(['2026-01-01', '2026-11-22', '2026-11-23', '2026-12-31', '2027-01-03', '2027-01-04'].map(week)).toEqual([
    ...[1, 47, 48, 53, 53, 1],
  ]);
});

test('hours between two instants are said with their minutes, in either order', () => {
  const a = at('2026-11-20T09:00:00Z');
  expect(sayHoursBetween(a, at('2026-11-20T12:05:20Z'))).toBe('3 hours and 5 minutes');
  expect(sayHoursBetween(at('2026-11-20T12:05:20Z'), a)).toBe('3 hours and 5 minutes');
  expect(sayHoursBetween(a, at('2026-11-20T09:59:00Z'))).toBe('59 minutes');
  expect(sayHoursBetween(a, at('2026-11-20T10:01:00Z'))).toBe('1 hour and 1 minute');
  expect(sayHoursBetween(a, at('2026-11-20T08:00:00Z'))).toBe('1 hour');
  expect(sayHoursBetween(a, a)).toBe('0 minutes');
});

test('a zone turns wall times into instants: the first of two, the end of a gap', () => {
  const zone = zoneOf(BERLIN);
  const instant = (wall: string) => new Date(zone.instantAt(Date.parse(wall))).toISOString();
  expect(instant('2026-10-25T02:30:00Z')).toBe('2026-10-25T00:30:00.000Z');
  expect(instant('2026-03-29T02:30:00Z')).toBe('2026-03-29T01:00:00.000Z');
  expect(instant('2026-07-01T12:00:00.250Z')).toBe('2026-07-01T10:00:00.250Z');
  expect(zone.wallAt(-250)).toBe(3_600_000 - 250);
  expect(machineZone()).not.toBe('');
});

test.each([
  ['+02:00', '"+02:00" is not a time zone.', 'Use an IANA name such as Europe/Oslo or America/New_York.'],
  ['', '"" is not a time zone.', 'Use an IANA name such as Europe/Oslo or America/New_York.'],
  ['Europe/Berln', '"Europe/Berln" is not a time zone.', 'Did you mean Europe/Berlin?'],
])('%j is no zone', (name, message, hint) => {
  expect(() => zoneOf(name)).toThrow(expect.objectContaining({ code: 'bad_time', message, hint }));
});
