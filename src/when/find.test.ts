import { describe, expect, test } from 'vitest';
import { sayDayAndTime } from './calendar.ts';
import { findDate, findTime } from './find.ts';
import { asSpoken } from './spoken.ts';
import { understand } from './understand.ts';

const ZONES = ['UTC', 'Europe/Oslo', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Kiritimati'] as const;
/** A Friday: 12:27 in Oslo, still morning in New York, already Saturday on Kiritimati. */
const NOW = new Date('2026-11-20T11:27:00Z');

const find = (text: string, timeZone = 'Europe/Oslo', now = NOW) => findTime(text, { timeZone, now });
const instant = (text: string, timeZone = 'Europe/Oslo', now = NOW) => {
  const found = find(text, timeZone, now);
  return found?.kind === 'once' ? found.at.toISOString() : found?.kind;
};

/** Words that both readers must resolve to the same instant. */
const SAME_IN_BOTH = [
  'tomorrow at 8am',
  'tomorrow 8am',
  'at 5pm',
  'friday at 10am',
  'on 24 December at 18:00',
  'in 20 minutes',
  'in 2 hours',
  'in an hour',
  'in a few minutes',
  'in fifteen minutes',
  'next monday at 14:15',
  'tomorrow at noon',
  'tonight',
  'tomorrow evening',
  'on the 25th at 10:00',
  '2026-12-24 18:00',
];

describe.each(ZONES)('in %s', (timeZone) => {
  test.each(SAME_IN_BOTH)('"%s" in a sentence is what a schedule takes it for', (words) => {
    const [next] = understand(words, { timeZone, from: NOW }).next;
    expect(instant(`remind me ${words} to call Ingrid`, timeZone)).toBe(next?.toISOString());
  });
});

test.each([
  ['remind me at the end of the month at 9am to pay', '2026-11-30T08:00:00.000Z'],
  ['erinnere mich Ende des Monats um 9 Uhr an die Miete', '2026-11-30T08:00:00.000Z'],
  ['erinnere mich am zweiten Weihnachtstag um 11 Uhr an Oma', '2026-12-26T10:00:00.000Z'],
  ['erinnere mich am 1. Weihnachtsfeiertag um 11 Uhr an Oma', '2026-12-25T10:00:00.000Z'],
  ['erinnere mich in ner halben Stunde an den Kuchen', '2026-11-20T11:57:00.000Z'],
  ['no, tomorrow at 10, not at 9', '2026-11-21T09:00:00.000Z'],
  ['tomorrow at 10 and not on Monday', '2026-11-21T09:00:00.000Z'],
  ['nein, morgen um 10, nicht um 9', '2026-11-21T09:00:00.000Z'],
  ['remind me every day at 9, not on Fridays, to call', 'unclear'],
  ['remind me next week but not on Monday', 'unclear'],
])('%s: once', (sentence, at) => expect(instant(sentence)).toBe(at));

describe('times as people say them', () => {
  test.each([
    ['remind me at half nine tonight to call', '2026-11-20T20:30:00.000Z', 'remind me to call'],
    ['remind me half six tomorrow evening to call', '2026-11-21T17:30:00.000Z', 'remind me to call'],
    ['wake me at half seven', '2026-11-21T06:30:00.000Z', 'wake me'],
    ['call Anna at half 8 pm', '2026-11-20T19:30:00.000Z', 'call Anna'],
    ['erinnere mich heute Abend um halb neun an Oma', '2026-11-20T19:30:00.000Z', 'erinnere mich an Oma'],
    ['an alarm for 20 minutes', '2026-11-20T11:47:00.000Z', 'an alarm'],
    ['set a 20-minute timer', '2026-11-20T11:47:00.000Z', 'set a timer'],
    ['set the timer to 90 seconds', '2026-11-20T11:28:30.000Z', 'set the timer'],
    ['the cake is in the oven, half an hour', '2026-11-20T11:57:00.000Z', 'the cake is in the oven,'],
    ['half an hour, the cake', '2026-11-20T11:57:00.000Z', ', the cake'],
    ['Wecker auf 20 Minuten', '2026-11-20T11:47:00.000Z', 'Wecker'],
    ['Küchentimer 20 Minuten', '2026-11-20T11:47:00.000Z', 'Küchentimer'],
    ['der Kuchen ist im Ofen, halbe Stunde', '2026-11-20T11:57:00.000Z', 'der Kuchen ist im Ofen,'],
  ])('%s', (sentence, at, rest) => expect(find(sentence)).toMatchObject({ kind: 'once', at: new Date(at), rest }));

  test.each([
    ['in two weeks from today remind me to pay', 'remind me to pay'],
    ['remind me in a fortnight to pay', 'remind me to pay'],
    ['in zwei Wochen ab heute erinnere mich an die Miete', 'erinnere mich an die Miete'],
    ['erinnere mich in vierzehn Tagen an die Miete', 'erinnere mich an die Miete'],
  ])('%s: in a fortnight', (sentence, rest) =>
    expect(find(sentence)).toMatchObject({ kind: 'day', at: new Date('2026-12-04T11:27:00Z'), rest }),
  );

  test.each([
    ['remind me at half eight to call', ['08:30', '20:30']],
    ['remind me tomorrow at half five to call', ['05:30', '17:30']],
    ['erinnere mich um halb acht an Oma', ['07:30', '19:30']],
  ])('%s: either half of the day', (sentence, between) =>
    expect(find(sentence)).toMatchObject({ kind: 'unclear', between }),
  );
});

describe('what is found in a sentence', () => {
  test.each([
    ['remind me tomorrow at 9 to call Ingrid', 'once', 'tomorrow at 9', 'remind me to call Ingrid'],
    ['remind me to pay on Tuesday', 'day', 'on Tuesday', 'remind me to pay'],
    ['every weekday at 8 say good morning', 'repeats', 'every weekday at 8', 'say good morning'],
    ['a daily walk at 9am', 'repeats', 'daily at 9am', 'a walk'],
    ['invoice the last friday of the month at 16:00', 'repeats', 'the last friday of the month at 16:00', 'invoice'],
    ['remind me tomorrow from 5pm to 6pm to call', 'unclear', 'tomorrow from 5pm to 6pm', 'remind me to call'],
    ['remind me every 31 days at 25:00', 'unclear', '', ''],
  ])('%s: %s', (sentence, kind, words, rest) => {
    const found = find(sentence);
    if (kind === 'unclear') expect(found?.kind).toBe(kind);
    else expect({ ...found, at: undefined }).toEqual({ kind, words, rest, at: undefined });
  });

  test('nothing in a sentence without a time', () => expect(find('remind me to call Ingrid')).toBeUndefined());
});

describe('an hour as spoken, without am or pm', () => {
  test.each([
    ['at 5', '2026-11-20T16:00:00.000Z'],
    ['at 12', 'unclear'],
    ['tomorrow at 6:45', 'unclear'],
    ['at half past twelve', '2026-11-20T11:30:00.000Z'],
    ['tomorrow at 5', '2026-11-21T16:00:00.000Z'],
    ['tomorrow at 7', '2026-11-21T06:00:00.000Z'],
    ['tomorrow at 05:00', '2026-11-21T04:00:00.000Z'],
    ['at 7 in the evening', '2026-11-20T18:00:00.000Z'],
  ])('%s', (words, expected) => expect(instant(`remind me ${words} to leave`)).toBe(expected));
});

describe('sentences', () => {
  test.each([
    ['remind me tomorrow to call Ingrid at 6pm', '2026-11-21T17:00:00.000Z', 'remind me to call Ingrid'],
    ['wake me up at 6:45 tomorrow', '2026-11-21T05:45:00.000Z', 'wake me up'],
    ['weck mich morgen um 6:45', '2026-11-21T05:45:00.000Z', 'weck mich'],
    ['remind me at quarter past seven to eat', '2026-11-20T18:15:00.000Z', 'remind me to eat'],
    ['move the dentist reminder to 3pm', '2026-11-20T14:00:00.000Z', 'move the dentist reminder'],
    ['remind me on the first friday of december at 10am', '2026-12-04T09:00:00.000Z', 'remind me'],
    ['remind me at 10 on Sat to call', '2026-11-21T09:00:00.000Z', 'remind me to call'],
    [
      'erinnere mich heute Abend um 8 daran, Anna anzurufen',
      '2026-11-20T19:00:00.000Z',
      'erinnere mich daran, Anna anzurufen',
    ],
    ['erinnere mich um 18 Uhr nach Hause zu gehen', '2026-11-20T17:00:00.000Z', 'erinnere mich nach Hause zu gehen'],
  ])('%s', (sentence, at, rest) => expect(find(sentence)).toMatchObject({ kind: 'once', at: new Date(at), rest }));
});

describe('words that a model hands on as a person said them', () => {
  const said = (words: string) => asSpoken(words, { timeZone: 'Europe/Oslo', now: NOW });

  test.each([
    ['tomorrow at 5', '2026-11-21T16:00:00.000Z'],
    ['at 5', '2026-11-20T16:00:00.000Z'],
    ['tomorrow at 9', 'tomorrow at 9'],
    ['in 20 minutes', 'in 20 minutes'],
    ['every weekday at 9', 'every weekday at 9'],
    ['every 10 days', 'every 10 days'],
    ['every month', 'every month'],
    ['0 9 * * 1-5', '0 9 * * 1-5'],
    ['tomorrow 8am America/New_York', 'tomorrow 8am America/New_York'],
    ['friday', 'friday'],
    ['nonsense', 'nonsense'],
  ])('%s', (words, expected) => expect(said(words)).toBe(expected));

  test.each(['every day at 5', 'tomorrow at 6:45', 'next saturday at 9', 'on 4/5 at 9'])('%s is asked about', (words) =>
    expect(() => said(words)).toThrow(expect.objectContaining({ code: 'bad_time' })),
  );
});

describe('where the clocks change', () => {
  test('a time that is skipped becomes the first that exists, and is said so', () => {
    const now = new Date('2026-03-07T15:00:00Z');
    const found = find('remind me tomorrow at 2:30am to look', 'America/New_York', now);
    expect(found).toMatchObject({ kind: 'once', at: new Date('2026-03-08T07:00:00Z') });
    const at = found?.kind === 'once' ? found.at : now;
    expect(sayDayAndTime(at, now, 'America/New_York')).toBe('tomorrow at 03:00');
  });

  test('a time that comes twice is its first', () => {
    const now = new Date('2026-10-31T15:00:00Z');
    expect(instant('wake me tomorrow at 1:30am', 'America/New_York', now)).toBe('2026-11-01T05:30:00.000Z');
  });
});

describe('dates that questions name', () => {
  test.each([
    ['halloween', '2027-10-30T22:00:00.000Z'],
    ['christmas', '2026-12-24T23:00:00.000Z'],
    ['2 weeks ago', '2026-11-05T23:00:00.000Z'],
    ['last monday', '2026-11-15T23:00:00.000Z'],
    ['1 December 1990', '1990-11-30T23:00:00.000Z'],
    ['tomorrow at 17:00', '2026-11-21T16:00:00.000Z'],
  ])('%s', (words, expected) => {
    expect(findDate(words, { timeZone: 'Europe/Oslo', now: NOW })?.at.toISOString()).toBe(expected);
  });
});
