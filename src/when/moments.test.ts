import { expect, test } from 'vitest';
import { sayRuns } from './confirm.ts';
import { findTime } from './find.ts';
import { sayings } from './say.ts';
import { understand } from './understand.ts';
import { withoutTime } from './without-time.ts';
import { zoneData } from './zone.ts';

const timeZone = 'Europe/Oslo';
/** A Friday, 12:27 in Oslo. */
const NOON = '2026-11-20T11:27:00Z';

test.each([
  ['wake me at 6', NOON, '2026-11-21T05:00:00Z'],
  ['wake me at 3', NOON, '2026-11-20T14:00:00Z'],
  ['wake me at 1', NOON, '2026-11-20T12:00:00Z'],
  ['call Anna at 3', NOON, '2026-11-20T14:00:00Z'],
  ['call Anna today at 5', NOON, '2026-11-20T16:00:00Z'],
  ['call Anna today at 11', NOON, '2026-11-20T22:00:00Z'],
  ['call Anna today at 1pm', NOON, '2026-11-20T12:00:00Z'],
  ['call Anna today at 9', '2026-11-20T21:30:00Z', '2026-11-20T08:00:00Z'],
  ['call Anna on the 20th at 10', NOON, '2026-12-20T09:00:00Z'],
  ['ruf am 20. um 14 Uhr Anna an', NOON, '2026-11-20T13:00:00Z'],
  ['call Anna at 1 at night', NOON, '2026-11-21T00:00:00Z'],
  ['call Anna at 1 at night', '2026-11-20T23:30:00Z', '2026-11-21T00:00:00Z'],
  ['call Anna at 1 at night', '2026-11-21T01:00:00Z', '2026-11-22T00:00:00Z'],
])('"%s", said at %s, is at %s', (text, now, at) => {
  expect(findTime(text, { timeZone, now: new Date(now) })).toMatchObject({ kind: 'once', at: new Date(at) });
});

/** 04:40 and 00:20 of that Friday. */
const [EARLY, NIGHT] = ['2026-11-20T03:40:00Z', '2026-11-19T23:20:00Z'];

test.each([
  ['call Anna today at ten to six', EARLY, ['05:50', '17:50']],
  ['call Anna today at 6:30', EARLY, ['06:30', '18:30']],
  ['call Anna today at 4', NIGHT, ['04:00', '16:00']],
  ['ruf heute um 5 Oma an', NIGHT, ['05:00', '17:00']],
  ['call Anna at half past four', NIGHT, ['04:30', '16:30']],
  ['ruf um 5 Oma an', NIGHT, ['05:00', '17:00']],
])('"%s", said before dawn at %s, may be either half of the day', (text, now, between) => {
  expect(findTime(text, { timeZone, now: new Date(now) })).toMatchObject({ kind: 'unclear', between });
});

test.each([
  ['wake me today at 6', EARLY, '2026-11-20T05:00:00Z'],
  ['call Anna today at 8', EARLY, '2026-11-20T07:00:00Z'],
  ['call Anna at 5', EARLY, '2026-11-20T04:00:00Z'],
  ['call Anna at 1', NIGHT, '2026-11-20T00:00:00Z'],
  ['call Anna today at 05:50', EARLY, '2026-11-20T04:50:00Z'],
  ['ruf heute um 5:50 Oma an', EARLY, '2026-11-20T04:50:00Z'],
  ['call Anna today at 4', EARLY, '2026-11-20T15:00:00Z'],
])('"%s", said before dawn at %s, is at %s', (text, now, at) => {
  expect(findTime(text, { timeZone, now: new Date(now) })).toMatchObject({ kind: 'once', at: new Date(at) });
});

/** Quoted words are names. */
test.each([
  ['watch "Saturday Night" at 6pm', 'watch "Saturday Night"'],
  ['read “Tomorrow, and tomorrow” at 6pm', 'read “Tomorrow, and tomorrow”'],
  ["watch 'The Day After Tomorrow' at 6pm", "watch 'The Day After Tomorrow'"],
  ['um 18 Uhr ist Elternabend', 'ist Elternabend'],
  ['that at 6pm Tom comes', 'that Tom comes'],
  ['that I call Tom at 6pm', 'that I call Tom'],
  ['at 18.00 to call Tom', 'to call Tom'],
  ['today 18.00 to call Tom', 'to call Tom'],
  ['um 18 Uhr „Freitag der 13.“ schauen', '„Freitag der 13.“ schauen'],
])('%s', (text, rest) => {
  const at = new Date('2026-11-20T17:00:00Z');
  expect(findTime(text, { timeZone, now: new Date(NOON) })).toMatchObject({ kind: 'once', at, rest });
});

test.each([
  ["in three days' time at 9 to call Anna", '2026-11-23T08:00:00Z'],
  ["in a week's time at 9 to call Anna", '2026-11-27T08:00:00Z'],
  ["in an hour's time to call Anna", '2026-11-20T12:27:00Z'],
])('%s', (text, at) => {
  expect(findTime(text, { timeZone, now: new Date(NOON) })).toMatchObject({ at: new Date(at), rest: 'to call Anna' });
});

test('an hour that is as far from now in both halves of the day is asked about', () => {
  expect(findTime('call Anna at 12', { timeZone, now: new Date(NOON) })).toMatchObject({
    ...{ kind: 'unclear', between: ['00:00', '12:00'] },
  });
});

const read = (said: string) => understand(said, { timeZone, from: new Date(NOON), count: 1 });

test.each([
  ['sunday this weekend at 10', '2026-11-22T09:00:00Z'],
  ['saturday next weekend at 10', '2026-11-28T09:00:00Z'],
  ['the last workday of december at 9', '2026-12-31T08:00:00Z'],
  ['the last workday of january 2027 at 9', '2027-01-29T08:00:00Z'],
  ['the last day of february at 9', '2027-02-28T08:00:00Z'],
  ['the third thursday of next month at 9', '2026-12-17T08:00:00Z'],
  ['the first monday of november at 9', '2027-11-01T08:00:00Z'],
  ['the 15th of next month at 9', '2026-12-15T08:00:00Z'],
  ['in 7000 years', '9026-11-20T11:27:00Z'],
  ['every 36525 days', '2126-11-21T11:27:00Z'],
])('%s is at %s', (said, at) => expect(read(said).next).toEqual([new Date(at)]));

test.each([
  ['friday this weekend at 10', 'which day is meant is not certain'],
  ['every day at 9 until yesterday', 'that is in the past, 2026-11-19'],
  ['every day at 9 until 31 november', 'there is no day 31 in that month'],
  ['in 9999999999999 days', 'it is too far away'],
  ['in 99999999999999999 minutes', 'it is too far away'],
  ['9999999999999 days after 1 may', 'it is too far away'],
  ['9999999999999 hours before 9:00 tomorrow', 'it is too far away'],
  ['in 300000 years', 'it is too far away'],
  ['1200 years ago', 'it is too far away'],
  ['every 9999999999999 minutes', 'it is too far away'],
  ['every 36526 days', 'it is too far away'],
])('%s is refused: %s', (said, why) => expect(() => read(said)).toThrow(why));

test('a repetition ends on its day; one that would end before it begins is refused', () => {
  expect(read('every day at 9 until friday').expression).toBe('0 9 * * *; until 2026-11-27');
  expect(() => read('every monday at 9 until saturday')).toThrow(
    expect.objectContaining({
      message: '"0 9 * * 1; until 2026-11-21" does not come before it ends.',
      hint: 'Give a later end.',
    }),
  );
  expect(() => read('* * * * * * *')).toThrow('it has 7 fields');
  expect(() => read('* 1 2 3 4 5 6 7')).toThrow('it has 8 fields');
});

test('runs are said in full, in both languages, and none as well', () => {
  const runs = [new Date('2027-03-06T08:00:00Z'), new Date('2027-03-13T08:05:00Z')];
  expect(sayRuns(runs, timeZone)).toBe(
    'Saturday 6 March 2027 at 09:00, then Saturday 13 March 2027 at 09:05 (Europe/Oslo)',
  );
  expect(sayRuns([], timeZone)).toBe('no day that lies ahead');
  const german = sayings('de', { timeZone, now: new Date(NOON) });
  expect(german.runs(runs)).toBe(
    'Samstag, 6. März 2027 um 09:00 Uhr, dann Samstag, 13. März 2027 um 09:05 Uhr (Europe/Oslo)',
  );
  expect(german.runs([])).toBe('an keinem Tag, der noch kommt');
  expect(german.month(runs[0] ?? new Date())).toBe('März 2027');
  const english = sayings('en', { timeZone, now: new Date(NOON) });
  expect([english.month(new Date(NOON)), english.near(new Date(NOON))]).toEqual(['November 2026', 'today']);
});

test('the rules of time zones have a version', () => expect(zoneData()).toMatch(/^20\d\d[a-z]$/u));

test.each([
  ['every 12th at 8:00', ['2026-12-12T07:00:00Z', '2027-01-12T07:00:00Z']],
  ['jeden 24. um 18 Uhr', ['2026-11-24T17:00:00Z', '2026-12-24T17:00:00Z']],
])('%s comes once a month', (said, next) => {
  expect(understand(said, { timeZone, from: new Date(NOON), count: 2 }).next).toEqual(next.map((at) => new Date(at)));
});

test.each([
  ['remind me mid March at 9 to change the tyres', 'remind me to change the tyres'],
  ['remind me the Friday after next to bleed the radiators', 'remind me to bleed the radiators'],
  ['remind me an hour after dinner to walk', 'remind me to walk'],
  ['remind me in a while to look', 'remind me to look'],
  ['erinnere mich Anfang März an die Reifen', 'erinnere mich an die Reifen'],
  ['erinnere mich zwei Wochen lang täglich um 8 an die Salbe', 'erinnere mich an die Salbe'],
  ['erinnere mich morgen zur Mittagszeit an den Kuchen', 'erinnere mich an den Kuchen'],
  ['call Jo sometime about the car', 'call Jo about the car'],
])('of "%s" the task is left', (text, rest) => expect(withoutTime(text)).toBe(rest));
