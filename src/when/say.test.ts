import { expect, test } from 'vitest';
import { workdaysBetween } from './calendar.ts';
import { findDate } from './find.ts';
import { zoneOfPlace } from './places.ts';
import { sayings } from './say.ts';

const NOW = new Date('2026-11-20T10:25:00Z');
const BERLIN = { timeZone: 'Europe/Berlin', now: NOW };
const MONDAY = new Date('2026-11-23T13:00:00Z');

test('days and times are said in both languages', () => {
  const [en, de] = [sayings('en', BERLIN), sayings('de', BERLIN)];
  expect(en.nearAndTime(MONDAY)).toBe('on Monday 23 November 2026 at 14:00');
  expect(de.nearAndTime(MONDAY)).toBe('am Montag, 23. November 2026 um 14:00 Uhr');
  expect(de.near(new Date('2026-11-21T23:30:00Z'))).toBe('übermorgen');
  expect(de.runs([NOW, MONDAY])).toBe(
    'Freitag, 20. November 2026 um 11:25 Uhr, dann Montag, 23. November 2026 um 14:00 Uhr (Europe/Berlin)',
  );
});

test.each([
  ['Tokyo', 'Asia/Tokyo'],
  ['Tokio', 'Asia/Tokyo'],
  ['new york', 'America/New_York'],
  ['the UK', 'Europe/London'],
  ['München', 'Europe/Berlin'],
  ['Atlantis', undefined],
])('the time zone of %s is %s', (place, zone) => expect(zoneOfPlace(place)).toBe(zone));

test.each([
  ['easter', '2027-03-28'],
  ['ostern 2026', '2026-04-05'],
  ['good friday 2027', '2027-03-26'],
  ['pfingstmontag 2027', '2027-05-17'],
  ['weihnachten', '2026-12-25'],
  ['der vierte Advent', '2026-12-20'],
  ['1. Advent 2027', '2027-11-28'],
  ['Muttertag 2027', '2027-05-09'],
])('%s is on %s', (name, date) => {
  expect(findDate(name, { timeZone: 'UTC', now: NOW })?.at.toISOString().slice(0, 10)).toBe(date);
});

test.each([
  ['2026-11-20', '2026-11-23', 1],
  ['2026-11-20', '2026-12-04', 10],
  ['2026-11-21', '2026-11-22', 0],
  ['2026-11-22', '2026-11-27', 5],
])('from %s to %s there are %i working days', (from, to, days) => {
  expect(workdaysBetween(new Date(from), new Date(to), 'UTC')).toBe(days);
  expect(workdaysBetween(new Date(to), new Date(from), 'UTC')).toBe(days);
});
