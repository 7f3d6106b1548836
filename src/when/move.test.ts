import { describe, expect, test } from 'vitest';
import { understandMove } from './move.ts';

/** A Friday, 12:27. */
const NOW = new Date('2026-11-20T11:27:00Z');
const timeZone = 'Europe/Oslo';

const moved = (said: string, current?: string) =>
  understandMove(said, { timeZone, from: NOW, current: current === undefined ? undefined : new Date(current) })
    .next[0]?.toISOString()
    .slice(0, 16);

describe('what is not said stays as it is', () => {
  /** Thursday 26 November, 14:30 in Oslo. */
  const CURRENT = '2026-11-26T13:30:00Z';

  test.each([
    ['3pm', '2026-11-26T14:00'],
    ['to 3pm', '2026-11-26T14:00'],
    ['at 16:15', '2026-11-26T15:15'],
    ['auf 15 Uhr', '2026-11-26T14:00'],
    ['in the evening', '2026-11-26T18:00'],
    ['friday', '2026-11-27T13:30'],
    ['to tomorrow', '2026-11-21T13:30'],
    ['am Montag', '2026-11-23T13:30'],
    ['in two weeks', '2026-12-04T13:30'],
    ['friday at 9', '2026-11-27T08:00'],
    ['in 20 minutes', '2026-11-20T11:47'],
    ['2026-12-24 18:00', '2026-12-24T17:00'],
    ['an hour later', '2026-11-26T14:30'],
    ['by 30 minutes later', '2026-11-26T14:00'],
    ['back by an hour', '2026-11-26T14:30'],
    ['30 minutes earlier', '2026-11-26T13:00'],
    ['two days later', '2026-11-28T13:30'],
    ['a day earlier', '2026-11-25T13:30'],
    ['two days later at 7pm', '2026-11-28T18:00'],
    ['einen Tag früher um 9 Uhr', '2026-11-25T08:00'],
    ['eine Stunde später', '2026-11-26T14:30'],
    ['zwei Tage früher', '2026-11-24T13:30'],
    ['every day at 9', '2026-11-21T08:00'],
  ])('"%s"', (said, expected) => expect(moved(said, CURRENT)).toBe(expected));
});

describe('an hour alone is of the half of the day that it has, or asked about', () => {
  /** Thursday 26 November at that time in Oslo. */
  const on = (clock: string) => new Date(`2026-11-26T${clock}:00+01:00`).toISOString();

  test.each([
    ['4', '14:30', '2026-11-26T15:00'],
    ['to 9', '19:00', '2026-11-26T20:00'],
    ['auf 7', '18:15', '2026-11-26T18:00'],
    ['at 10', '20:30', '2026-11-26T21:00'],
    ['8', '10:00', '2026-11-26T07:00'],
    ['16', '09:00', '2026-11-26T15:00'],
    ['08:00', '19:00', '2026-11-26T07:00'],
    ['half past eight', '19:00', '2026-11-26T19:30'],
  ])('"%s" for %s', (said, clock, expected) => expect(moved(said, on(clock))).toBe(expected));

  test.each([
    ['8', '15:30', 'it may be 08:00 or 20:00'],
    ['um 9 Uhr', '20:00', 'it may be 09:00 or 21:00'],
    ['9:15', '20:00', 'it may be 09:15 or 21:15'],
  ])('"%s" for %s is asked about', (said, clock, why) => expect(() => moved(said, on(clock))).toThrow(why));
});

test('a day is kept over a clock change, and the time of day with it', () => {
  const options = { timeZone, from: NOW, current: new Date('2027-03-27T08:00:00Z') };
  expect(understandMove('a day later', options).next[0]?.toISOString()).toBe('2027-03-28T07:00:00.000Z');
  expect(understandMove('sunday 28 March 2027', options).next[0]?.toISOString()).toBe('2027-03-28T07:00:00.000Z');
});

test.each([
  ['10am', '2026-11-20T13:30:00Z', 'has passed'],
  ['a week earlier', '2026-11-20T13:30:00Z', 'has passed'],
  ['some day', '2026-11-20T13:30:00Z', 'not a time I understand'],
  ['half a month later', '2026-11-20T13:30:00Z', 'not a time I understand'],
])('"%s" is refused where the day would have to be guessed', (said, current, why) => {
  expect(() => moved(said, current)).toThrow(why);
});

test('what comes again and again is read as it stands', () => {
  expect(moved('every weekday at 10')).toBe('2026-11-23T09:00');
});

describe('a time of day alone keeps the days on which it comes', () => {
  const at = (said: string, repeating: { said: string; expression: string }) => {
    const { expression, said: kept } = understandMove(said, { timeZone, from: NOW, current: undefined, repeating });
    return [kept, expression];
  };

  test.each([
    ['at 8', 'every weekday at 7.15', '15 7 * * 1,2,3,4,5', 'every weekday at 08:00', '0 8 * * 1,2,3,4,5'],
    ['6:30 pm', 'every Monday at 9', '0 9 * * 1', 'every Monday at 18:30', '30 18 * * 1'],
    ['halb sieben abends', 'jeden Montag um 18 Uhr', '0 18 * * 1', 'jeden Montag um 18:30', '30 18 * * 1'],
    ['half past six', 'every morning at 6', '0 6 * * *', 'every morning at 06:30', '30 6 * * *'],
    ['at 1', 'every day at 11am', '0 11 * * *', 'every day at 13:00', '0 13 * * *'],
    ['18:15', 'every day at 7', '0 7 * * *', 'every day at 18:15', '15 18 * * *'],
    ['quarter past 8', 'every day at 19:00', '0 19 * * *', 'every day at 20:15', '15 20 * * *'],
    ['8:15', 'every day at 19:00', '0 19 * * *', 'every day at 20:15', '15 20 * * *'],
    ['half past twelve', 'every day at 23:30', '30 23 * * *', 'every day at 00:30', '30 0 * * *'],
    ['to 8pm', 'every Wednesday at 9', '0 9 * * 3', 'every Wednesday at 20:00', '0 20 * * 3'],
    ['5am', 'every day at 18:00', '0 18 * * *', 'every day at 05:00', '0 5 * * *'],
    ['an hour later', 'every day at 8am', '0 8 * * *', 'every day at 09:00', '0 9 * * *'],
    ['20 minutes earlier', 'every Monday at 9', '0 9 * * 1', 'every Monday at 08:40', '40 8 * * 1'],
    ['eine halbe Stunde später', 'jeden Montag um 18 Uhr', '0 18 * * 1', 'jeden Montag um 18:30', '30 18 * * 1'],
    ['3pm', 'every day at 9', '0 9 * * *', 'every day at 15:00', '0 15 * * *'],
    [
      '9:30',
      'every other Tuesday at 8 am',
      '0 8 * * 2; every 2 weeks from 2026-11-24',
      'every other Tuesday at 09:30',
      '30 9 * * 2; every 2 weeks from 2026-11-24',
    ],
    [
      '9:30 am',
      'every 2nd day at 8',
      '0 8 * * *; every 2 days from 2026-11-20',
      'every 2nd day at 09:30',
      '30 9 * * *; every 2 days from 2026-11-20',
    ],
    ['to 8pm', 'every 15th', '0 9 15 * *', 'every 15th at 20:00', '0 20 15 * *'],
    ['to 8pm', 'Thursdays', '0 9 * * 4', 'Thursdays at 20:00', '0 20 * * 4'],
    ['auf 20 Uhr', 'jeden 15.', '0 9 15 * *', 'jeden 15. um 20:00', '0 20 15 * *'],
    ['at noon', 'every morning', '0 8 * * *', '0 12 * * *', '0 12 * * *'],
  ])('"%s" for "%s"', (said, former, expression, kept, after) => {
    expect(at(said, { said: former, expression })).toEqual([kept, after]);
  });

  /** Whether it repeats from now on; otherwise the person is asked. */
  const isGuessed = (...asked: Parameters<typeof at>) => {
    try {
      return !(at(...asked)[1] ?? '').startsWith('2026');
    } catch (error) {
      expect(error).toMatchObject({ code: 'bad_time' });
      return false;
    }
  };

  test.each([
    ['at 6', 'every day at noon', '0 12 * * *'],
    ['10 Uhr', 'jeden Tag um 18 Uhr', '0 18 * * *'],
    ['two hours later', 'every Monday at 23:00', '0 23 * * 1'],
    ['two days later', 'every Monday at 9', '0 9 * * 1'],
  ])(
    '"%s" for "%s" could be another half of the day, or another day, so it is not guessed',
    (said, former, expression) => {
      expect(isGuessed(said, { said: former, expression })).toBe(false);
    },
  );

  test.each([
    [
      'Wednesday',
      'every Thursday at 7 in the evening',
      '0 19 * * 4',
      'every Wednesday at 7 in the evening',
      '0 19 * * 3',
    ],
    ['to Sundays', 'Thursdays at 7pm', '0 19 * * 4', 'Sundays at 7pm', '0 19 * * 0'],
    ['auf Mittwoch', 'jeden Montag um 18 Uhr', '0 18 * * 1', 'jeden Mittwoch um 18 Uhr', '0 18 * * 3'],
    [
      'to Thursday',
      'every other Tuesday at 8',
      '0 8 * * 2; every 2 weeks from 2026-12-01',
      'every other Thursday at 8',
      '0 8 * * 4; every 2 weeks from 2026-12-01',
    ],
  ])('a weekday alone keeps the time of day: "%s" for "%s"', (said, former, expression, kept, after) => {
    expect(at(said, { said: former, expression })).toEqual([kept, after]);
  });

  test.each([
    ['Friday', 'every weekday at 9', '0 9 * * 1,2,3,4,5'],
    ['Friday', 'every day at 9', '0 9 * * *'],
  ])('"%s" for "%s" is no other weekday', (said, former, expression) => {
    expect(isGuessed(said, { said: former, expression })).toBe(false);
  });

  test('a day as well is a single time, and several times of day are not one', () => {
    expect(at('tomorrow at 8', { said: 'every day at 7', expression: '0 7 * * *' })[1]).toBe(
      '2026-11-21T07:00:00.000Z',
    );
    expect(at('8:30', { said: 'every day at 7 and 19', expression: '0 7,19 * * *' })[1]).toMatch(/^2026/u);
  });
});
