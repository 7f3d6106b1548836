import { describe, expect, test } from 'vitest';
import { isPartOfRepetition, withChoice, withMinutes } from './choose.ts';
import { findDate } from './find.ts';
import { asSpoken, readSpoken } from './spoken.ts';
import { understand } from './understand.ts';
import { withoutTime } from './without-time.ts';

/** A Friday, 12:27. */
const SPOKEN = { timeZone: 'Europe/Oslo', now: new Date('2026-11-20T11:27:00Z') };

describe('one of two readings is picked', () => {
  const answers = (expected: string | undefined, ...said: string[]) => said.map((each) => [each, expected] as const);

  test.each([
    ...answers('05:00', 'the first', 'first one', 'the former.', 'a.m.', 'morning', '5am'),
    ...answers('05:00', '5:00', 'at 5:00', '05.00'),
    ...answers('17:00', 'second', 'the later one', 'latter!', 'in the afternoon', 'pm', 'evening', '17:00', 'at 5pm'),
    ...answers(undefined, 'at 5', "5 o'clock", '5', '18:00', 'tomorrow', 'yes', 'tomorrow at 5pm'),
  ])('of every day at 5: "%s" is %s', (answer, time) => {
    const chosen = withChoice('remind me every day at 5 to feed the cat', answer, SPOKEN);
    expect(chosen).toBe(time && `remind me every day at ${time} to feed the cat`);
  });

  test.each([
    ...answers('2026-11-21', 'the first', 'tomorrow', '21 november'),
    ...answers('2026-11-28', 'second', '2026-11-28', '28 november', 'the last'),
    ...answers(undefined, 'in a week', 'pm', 'on 28 november at 9', '29 november'),
  ])('of next saturday: "%s" is %s', (answer, date) => {
    const chosen = withChoice('remind me next saturday at 9 to call', answer, SPOKEN);
    expect(chosen).toBe(date && `remind me on ${date} at 9 to call`);
  });

  test.each([
    ...answers('every year', 'every year', 'each', 'yearly'),
    ...answers('this year', 'only this year', 'this', 'just this one'),
    ...answers(undefined, 'first', 'yes'),
  ])('of december: "%s" is %s', (answer, which) => {
    const chosen = withChoice('remind me every tuesday in december at 9 to pay', answer, SPOKEN);
    expect(chosen).toBe(which && `remind me every tuesday in december ${which} at 9 to pay`);
  });

  test.each([
    ...answers('05:00', 'die erste', 'morgens', 'früh', 'vormittags'),
    ...answers('17:00', 'die zweite', 'nachmittags', 'am Nachmittag', 'um 17 Uhr', 'abends', 'später'),
  ])('in German: "%s" is %s', (answer, time) => {
    const chosen = withChoice('erinnere mich jeden Tag um 5 an die Katze', answer, SPOKEN);
    expect(chosen).toBe(`erinnere mich jeden Tag um ${time} an die Katze`);
  });

  test('of a day, in German', () => {
    const pick = (answer: string) => withChoice('erinnere mich nächsten Samstag um 9 an Oma', answer, SPOKEN);
    expect(pick('die letzte')).toBe('erinnere mich am 2026-11-28 um 9 an Oma');
    expect(pick('morgen')).toBe('erinnere mich am 2026-11-21 um 9 an Oma');
  });

  test('where there is but one, nothing is', () => {
    expect(withChoice('remind me at 9 to call', 'first', SPOKEN)).toBeUndefined();
    expect(withChoice('remind me on 4/5 at 9 to pay', 'first', SPOKEN)).toBeUndefined();
  });
});

test.each([
  ['every day', 'at 9', true],
  ['every day', 'in the morning', true],
  ['every day', 'on monday', true],
  ['every month', 'on the 5th', true],
  ['every day', 'monday at 9', false],
  ['every day', 'every monday', false],
  ['every day', 'yes', false],
  ['tomorrow', 'at 9', false],
])('of "remind me %s", "%s" is a part: %s', (when, answer, isPart) => {
  expect(isPartOfRepetition(`remind me ${when} to call`, answer)).toBe(isPart);
});

test.each([
  ['remind me tomorrow at 9 to call Anna', 'remind me to call Anna'],
  ['call Anna tomorow at 9', 'call Anna'],
  ['remind me to pay the rent every month', 'remind me to pay the rent'],
  ['erinnere mich am Montag um 9 Uhr an Oma', 'erinnere mich an Oma'],
  ['remind me in a day or two to call', 'remind me to call'],
  ['remind me the day after tomorrow about the boiler', 'remind me about the boiler'],
  ['remind me at', 'remind me'],
  ['pay in december', 'pay'],
  ['buy milk', 'buy milk'],
])('"%s" without its time is "%s"', (text, rest) => expect(withoutTime(text)).toBe(rest));

test.each([
  ['what day is 24 december', '2026-12-23T23:00:00Z', false],
  ['how long until christmas', '2026-12-24T23:00:00Z', false],
  ['when was last monday', '2026-11-15T23:00:00Z', false],
  ['what is on next tuesday at 5pm', '2026-11-24T16:00:00Z', true],
  ['how many days until 1.1.2027', '2026-12-31T23:00:00Z', false],
  ['the 5th of may 1999', '1999-05-04T22:00:00Z', false],
  ['24. dezember', '2026-12-23T23:00:00Z', false],
  ['what was on 20 nov 2024 at 14:30', '2024-11-20T13:30:00Z', true],
  ['sep 2027', '2027-08-31T22:00:00Z', false],
  ['2 days ago', '2026-11-17T23:00:00Z', false],
])('"%s" speaks of %s', (question, at, namesTime) => {
  expect(findDate(question, SPOKEN)).toEqual({ at: new Date(at), namesTime });
});

test.each([
  ['silvester', '2026-12-31'],
  ['new year', '2027-01-01'],
  ["valentine's day", '2027-02-14'],
  ['halloween', '2027-10-31'],
  ['nikolaus', '2026-12-06'],
  ['heiligabend', '2026-12-24'],
  ['boxing day', '2026-12-26'],
  ['rosenmontag', '2027-02-08'],
  ['himmelfahrt', '2027-05-06'],
  ['pentecost', '2027-05-16'],
  ['totensonntag', '2026-11-22'],
  ['zweiter advent', '2026-12-06'],
  ['dritter advent', '2026-12-13'],
  ['easter 2038', '2038-04-25'],
  ['easter 2285', '2285-03-22'],
  ['ostermontag 2024', '2024-04-01'],
])('%s is on %s', (name, date) => {
  expect(
    findDate(name, { ...SPOKEN, timeZone: 'UTC' })
      ?.at.toISOString()
      .slice(0, 10),
  ).toBe(date);
});

test.each(['nothing here', '3000 years ago', '100000 years ago', 'in 9999999999999 days'])(
  '%s: no date is none',
  (text) => expect(findDate(text, SPOKEN)).toBeUndefined(),
);

test.each([
  ['tomorrow at 5', '2026-11-21T16:00:00.000Z'],
  ['at 5', '2026-11-20T16:00:00.000Z'],
  ['on 24 december at 6', '2026-12-24T17:00:00.000Z'],
  ...['tomorrow at 17:00', 'tomorrow at 7', 'in 20 minutes', 'every day at 17:00', 'tomorrow'].map((same) => [
    same,
    same,
  ]),
  ...['0 9 * * *', 'call Anna tomorrow', 'blursday', 'x'.repeat(201)].map((same) => [same, same]),
] as [string, string][])('%s, as it is said, is %s', (words, read) => expect(asSpoken(words, SPOKEN)).toBe(read));

test.each([
  ['every day at 5', 'When exactly? It may be 05:00 or 17:00.'],
  ['every sunday at 5', 'When exactly? "5" may be in the morning or in the afternoon.'],
  ['first tuesday of the month at 3', 'When exactly? "3" may be in the morning or in the afternoon.'],
  ['next saturday at 9', 'When exactly? It may be 2026-11-21 or 2026-11-28.'],
  ['morgen um 5', 'Wann genau? Es kann 05:00 oder 17:00 sein.'],
])('%s is asked about', (words, question) => {
  const refusal = expect.objectContaining({
    ...{ code: 'bad_time', message: `"${words}" is not clear. ${question}`, unclear: true },
    hint: 'Say it with am or pm, or on 24 hours, and with the day.',
  });
  expect(() => asSpoken(words, SPOKEN)).toThrow(refusal);
  expect(() => readSpoken(words, SPOKEN)).toThrow(refusal);
});

test('what is more than a time is none', () => {
  expect(readSpoken('call Anna tomorrow', SPOKEN)).toBeUndefined();
  expect(readSpoken('tomorrow', SPOKEN)).toMatchObject({ kind: 'day', rest: '' });
  expect(readSpoken('every day at 17:00', SPOKEN)).toMatchObject({ kind: 'repeats' });
});

test.each([
  ['in half an hour', 30],
  ['in an hour and a half', 90],
  ['in two and a half hours', 150],
  ['in 2 1/2 hours', 150],
  ['in a quarter of an hour', 15],
  ['in three quarters of an hour', 45],
  ['in half a day', 720],
  ['in twenty-five minutes', 25],
  ['in a couple of hours', 120],
  ['in 2 hours and 10 minutes', 130],
  ['in ein paar Minuten', 3],
  ['in anderthalb Stunden', 90],
  ['in einer halben Stunde', 30],
])('%s are %i minutes', (said, minutes) => {
  const [at] = understand(said, { timeZone: SPOKEN.timeZone, from: SPOKEN.now, count: 1 }).next;
  expect(((at?.getTime() ?? 0) - SPOKEN.now.getTime()) / 60_000).toBe(minutes);
});

test.each([
  ['in half a year', '2027-05-20T10:27:00Z'],
  ['in a year and a half', '2028-05-20T10:27:00Z'],
  ['in 2 quarters at 9', '2027-05-20T07:00:00Z'],
])('%s is at %s, along the calendar', (said, at) => {
  expect(understand(said, { timeZone: SPOKEN.timeZone, from: SPOKEN.now, count: 1 }).next).toEqual([new Date(at)]);
});

test.each([
  ['every half hour', '1800'],
  ['every hour and a half', '5400'],
  ['every half minute', '30'],
  ['every 2 days', '172800'],
])('%s is an interval of %s seconds', (said, expression) => {
  expect(understand(said, { timeZone: 'UTC', from: SPOKEN.now })).toMatchObject({ kind: 'every', expression });
});

test.each(['in half a month', 'every half day', 'in a weekend', 'in 2 nights at 9', 'in twenty-eleven minutes'])(
  '%s is no amount',
  (said) => expect(() => understand(said, { timeZone: 'UTC', from: SPOKEN.now })).toThrow('is not clear'),
);

test.each([
  ['18', ['06:15', '18:15'], '18:15'],
  ['6', ['06:15', '18:15'], '06:15'],
  ['6', ['06:00', '18:00'], '6'],
  ['in the evening', ['06:15', '18:15'], 'in the evening'],
])('"%s" of %j is %s', (answer, times, chosen) => {
  expect(withMinutes(answer, times)).toBe(chosen);
});
