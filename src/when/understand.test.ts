import { expect, test } from 'vitest';
import { rowsOf } from '../testing/rows.ts';
import { understand } from './understand.ts';

/** A Friday, 12:27 in Oslo. */
const from = new Date('2026-11-20T11:27:00Z');
const reading = (said: string, timeZone = 'Europe/Oslo', now = from) => understand(said, { timeZone, from: now });
const USUAL_HINT =
  'Say it like "tomorrow 8am", "in 20 minutes", "every weekday at 9", "every 2 hours", ' +
  '"2026-12-24 18:00" or as cron "0 9 * * 1-5".';

test.each(rowsOf<readonly [said: string, why: string]>(import.meta.dirname, 'unclear'))('%s: %s', (said, why) => {
  expect(() => reading(said)).toThrow(
    expect.objectContaining({
      code: 'bad_time',
      message: `"${said}" is not a time I understand: ${why}.`,
      hint: USUAL_HINT,
      unclear: true,
    }),
  );
});

test.each([
  ['2026-02-30 09:00', '"2026-02-30 09:00" is not a time I understand.', USUAL_HINT],
  ['2026-13-01T09:00', '"2026-13-01T09:00" is not a time I understand.', USUAL_HINT],
  ['2026-12-24T25:00', '"2026-12-24T25:00" is not a time I understand.', USUAL_HINT],
  [
    '2020-01-01 09:00',
    '"2020-01-01 09:00" is in the past (Wed 2020-01-01 09:00, Europe/Oslo).',
    'It is Fri 2026-11-20 12:27 now; give a later time.',
  ],
  [
    'yesterday at 9',
    '"yesterday at 9" is in the past (Thu 2026-11-19 09:00, Europe/Oslo).',
    'It is Fri 2026-11-20 12:27 now; give a later time.',
  ],
  [
    '* * * *',
    '"* * * *" is not a cron expression: it has 4 fields.',
    'Use five fields (minute hour day month weekday) or six (second first).',
  ],
  [
    '61 * * * *',
    '"61 * * * *" is not a cron expression: Invalid value for minute: 61.',
    'Fields: minute 0-59, hour 0-23, day 1-31, month 1-12, weekday 0-7; steps are written */15.',
  ],
  [
    '@reboot',
    '"@reboot" is not a cron expression: there is no such nickname.',
    'Use one of @hourly, @daily, @midnight, @weekly, @monthly, @yearly, @annually.',
  ],
  [
    '0 0 31 2 *',
    '"0 0 31 2 *" never comes: no such date exists.',
    'Check day and month; 31 February and the like do not exist.',
  ],
  ['tomorrow at 9 Europe/Olso', '"Europe/Olso" is not a time zone.', 'Did you mean Europe/Oslo?'],
  [
    'last monday at 9',
    '"last monday at 9" is in the past (Mon 2026-11-16 09:00, Europe/Oslo).',
    'It is Fri 2026-11-20 12:27 now; give a later time.',
  ],
  [
    'this morning at 9',
    '"this morning at 9" is in the past (Fri 2026-11-20 09:00, Europe/Oslo).',
    'It is Fri 2026-11-20 12:27 now; give a later time.',
  ],
  [
    '2 hours ago',
    '"2 hours ago" is in the past (Fri 2026-11-20 10:27, Europe/Oslo).',
    'It is Fri 2026-11-20 12:27 now; give a later time.',
  ],
])('%s: %s', (said, message, hint) => {
  expect(() => reading(said)).toThrow(expect.objectContaining({ code: 'bad_time', message, hint }));
});

test.each<[said: string, description: string, ...warnings: string[]]>([
  ['every day until 1 november at 9', 'every day until 1 november at 9 [0 9 * * *; until 2027-11-01] (Europe/Oslo)'],
  [
    'every day in december this year at 9',
    'every day in december this year at 9 [0 9 * 12 *; until 2026-12-31] (Europe/Oslo)',
  ],
  ['tomorrow at 9 at night', 'once at Sat 2026-11-21 21:00 (Europe/Oslo)'],
  ['tomorrow at 3 in the afternoon', 'once at Sat 2026-11-21 15:00 (Europe/Oslo)'],
  ['every day at midnight', 'every day at midnight [0 0 * * *] (Europe/Oslo)'],
  ['midnight', 'once at Sat 2026-11-21 00:00 (Europe/Oslo)'],
  ['every day except weekends at 9', 'every day except weekends at 9 [0 9 * * 1,2,3,4,5] (Europe/Oslo)'],
  ['every last workday of the month at 9', 'every last workday of the month at 9 [0 9 LW * *] (Europe/Oslo)'],
  ['next friday', 'once at Fri 2026-11-27 09:00 (Europe/Oslo)', 'no time was given: 09:00 is taken'],
  ['next monday at 9', 'once at Mon 2026-11-23 09:00 (Europe/Oslo)'],
  ['every quarter at 9', 'every quarter at 9 [0 9 1 1,4,7,10 *] (Europe/Oslo)'],
  ['every quarter on the 5th at 9', 'every quarter on the 5th at 9 [0 9 5 1,4,7,10 *] (Europe/Oslo)'],
  [
    'every month at 9',
    'every month at 9 [0 9 1 * *] (Europe/Oslo)',
    'no day was given: the first of the month is taken',
  ],
  ['every week at 9', 'every week at 9 [0 9 * * 1] (Europe/Oslo)', 'no day was given: the first of the week is taken'],
  ['every year at 9', 'every year at 9 [0 9 1 1 *] (Europe/Oslo)', 'no day was given: the first of the year is taken'],
  ['every year in march at 9', 'every year in march at 9 [0 9 1 3 *] (Europe/Oslo)'],
  ['every 2 weeks', 'every 2 weeks of elapsed time'],
  ['every 2 days', 'every 2 days of elapsed time'],
  [
    'every second monday at 9',
    'every second monday at 9 [0 9 * * 1; every 2 weeks from 2026-11-23] (Europe/Oslo)',
    'read as every 2 weeks; for one a month say "the second … of the month"',
  ],
  [
    'every 14 days on mondays at 9',
    'every 14 days on mondays at 9 [0 9 * * 1; every 2 weeks from 2026-11-23] (Europe/Oslo)',
  ],
  ['every hour at :15', 'every hour at :15 [15 * * * *] (Europe/Oslo)'],
  ['every 2 hours at :15', 'every 2 hours at :15 [15 */2 * * *] (Europe/Oslo)'],
  ['every 5 hours', 'every 5 hours of elapsed time'],
  ['every 2 hours', 'every 2 hours of elapsed time'],
  ['every 2 hours on weekdays', 'every 2 hours on weekdays [0 */2 * * 1,2,3,4,5] (Europe/Oslo)'],
  ['monday at 9', 'once at Mon 2026-11-23 09:00 (Europe/Oslo)'],
  ['2026-12-24T18:00+0100', 'once at Thu 2026-12-24 18:00 (Europe/Oslo)'],
  ['2026-12-24T18:00:30.5Z', 'once at Thu 2026-12-24 19:00:30 (Europe/Oslo)'],
  ['tomorrow', 'once at Sat 2026-11-21 09:00 (Europe/Oslo)', 'no time was given: 09:00 is taken'],
  ['in 2 days', 'once at Sun 2026-11-22 12:27 (Europe/Oslo)'],
  ['friday', 'once at Fri 2026-11-27 09:00 (Europe/Oslo)', 'no time was given: 09:00 is taken'],
  ['@daily', 'cron 0 0 * * * (Europe/Oslo)'],
  ['tomorrow at 9 (UTC)', 'once at Sat 2026-11-21 09:00 (UTC)'],
  ['tomorrow at 9, America/New_York', 'once at Sat 2026-11-21 09:00 (America/New_York)'],
  ['tomorrow at 9 GMT', 'once at Sat 2026-11-21 09:00 (UTC)'],
  ['every day at 9 until 1 december', 'every day at 9 until 1 december [0 9 * * *; until 2026-12-01] (Europe/Oslo)'],
  ['every 15 minutes between 2 and 3', 'every 15 minutes between 2 and 3 [*/15 2 * * * | 0 3 * * *] (Europe/Oslo)'],
  ['when my documents change', 'when documents of the project change'],
  ['on: project-changed', 'when documents of the project change'],
  ['project changed', 'when documents of the project change'],
  ['"tomorrow at 9"', 'once at Sat 2026-11-21 09:00 (Europe/Oslo)'],
  ['in 3 working days at 9', 'once at Wed 2026-11-25 09:00 (Europe/Oslo)'],
  ['29 february at 9', 'once at Tue 2028-02-29 09:00 (Europe/Oslo)'],
  ['the 31st at 9', 'once at Thu 2026-12-31 09:00 (Europe/Oslo)'],
  ['0 9 * * 1-5', 'cron 0 9 * * 1-5 (Europe/Oslo)'],
  ['noon', 'once at Sat 2026-11-21 12:00 (Europe/Oslo)'],
  ['tonight', 'once at Fri 2026-11-20 21:00 (Europe/Oslo)', 'no hour was given: night is taken as 21:00'],
  ['every 1 second', 'every second of elapsed time'],
  ['every weekday', 'every weekday [0 9 * * 1,2,3,4,5] (Europe/Oslo)', 'no time was given: 09:00 is taken'],
  ['every week on monday', 'every week on monday [0 9 * * 1] (Europe/Oslo)', 'no time was given: 09:00 is taken'],
  ['every month on the 1st', 'every month on the 1st [0 9 1 * *] (Europe/Oslo)', 'no time was given: 09:00 is taken'],
  ['biweekly', 'every 2 weeks of elapsed time'],
  ['every other day', 'every 2 days of elapsed time'],
  ['hourly', 'hourly [0 * * * *] (Europe/Oslo)'],
  ['daily', 'daily [0 9 * * *] (Europe/Oslo)', 'no time was given: 09:00 is taken'],
  [
    'weekly',
    'weekly [0 9 * * 1] (Europe/Oslo)',
    'no time was given: 09:00 is taken',
    'no day was given: the first of the week is taken',
  ],
  [
    'monthly',
    'monthly [0 9 1 * *] (Europe/Oslo)',
    'no time was given: 09:00 is taken',
    'no day was given: the first of the month is taken',
  ],
  [
    'yearly',
    'yearly [0 9 1 1 *] (Europe/Oslo)',
    'no time was given: 09:00 is taken',
    'no day was given: the first of the year is taken',
  ],
  [
    'every 4 weeks at 9',
    'every 4 weeks at 9 [0 9 * * 1; every 4 weeks from 2026-11-23] (Europe/Oslo)',
    'no day was given: the first of the week is taken',
  ],
  [
    'every 3 months on the 31st at 9',
    'every 3 months on the 31st at 9 [0 9 31 * *; every 3 months from 2026-12-31] (Europe/Oslo)',
  ],
])('%s is read as %s', (said, description, ...warnings) => {
  expect(reading(said)).toMatchObject({ description, warnings });
});

test('what is no time at all is refused with examples, and so is a task', () => {
  expect(() => reading('  ')).toThrow(
    expect.objectContaining({
      message: 'No time was given.',
      hint: 'Say for example "tomorrow 8am" or "every weekday at 9".',
      unclear: true,
    }),
  );
  expect(() => reading('x'.repeat(201))).toThrow(
    expect.objectContaining({
      message: expect.stringContaining('is too long for a time.'),
      hint: 'Give only the time, not the task.',
    }),
  );
  expect(() => reading('x'.repeat(200))).not.toThrow('too long');
});

test('three next times are told unless more are asked for', () => {
  expect(reading('every day at 9').next.map((at) => at.getUTCDate())).toEqual([21, 22, 23]);
  expect(understand('every day at 9', { timeZone: 'UTC', from, count: 1 }).next).toHaveLength(1);
  expect(understand('every 2 hours', { timeZone: 'UTC', from, count: 5 }).next).toHaveLength(5);
});

test('a wall time that the clocks skip comes at the end of the gap, with a warning', () => {
  const { next, warnings } = reading('28 march 2027 at 2:30');
  expect(next).toEqual([new Date('2027-03-28T01:00:00Z')]);
  expect(warnings).toEqual([
    'that time does not exist in Europe/Oslo (the clocks go forward): Sun 2027-03-28 03:00 is taken',
  ]);
});

test('what comes again only in the hour that is skipped has no run on that day, and that is told', () => {
  const before = new Date('2027-03-27T12:00:00Z');
  const { next, warnings } = reading('*/15 2 * * *', 'Europe/Oslo', before);
  expect(next[0]).toEqual(new Date('2027-03-29T00:00:00Z'));
  expect(warnings).toEqual(['the clocks go forward over its next time: there is no run before Mon 2027-03-29 02:00']);
  expect(reading('30 2 * * *', 'Europe/Oslo', before)).toMatchObject({
    warnings: [],
    next: [new Date('2027-03-28T01:00:00Z'), expect.anything(), expect.anything()],
  });
  expect(reading('*/15 9 * * *', 'Europe/Oslo', before).warnings).toEqual([]);
});

test('an amount of time is never too short', () => {
  const now = new Date('2026-11-20T11:27:00.250Z');
  expect(reading('in 20 minutes', 'UTC', now).next).toEqual([new Date('2026-11-20T11:47:01Z')]);
  expect(reading('in 20 minutes', 'UTC').next).toEqual([new Date('2026-11-20T11:47:00Z')]);
});
