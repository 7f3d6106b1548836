import { expect, test } from 'vitest';
import { refusal, say, type ToldCode, told, type Value } from './told.ts';

const AT = { at: '2026-11-27T08:00:00Z', zone: 'Europe/Berlin' };
const FRIDAY = 'Freitag, 27. November 2026 um 09:00 Uhr';
const ORCHIDS = told('job', { id: 'job_1', text: 'orchids', when: AT });

test.each<[ToldCode, Readonly<Record<string, Value>>, en: string, de: string]>([
  [
    'no_job_called',
    { said: 'yoga', jobs: [ORCHIDS, told('more', { count: 3 })] },
    'No scheduled job is called "yoga". There is: job_1 "orchids" (Fri 2026-11-27 09:00); and 3 more.',
    `Keine Erinnerung passt zu „yoga“. Geplant ist: job_1 "orchids" (${FRIDAY}); und 3 weitere.`,
  ],
  [
    'no_jobs',
    { said: 'yoga' },
    'No scheduled job is called "yoga". Nothing is scheduled.',
    'Keine Erinnerung passt zu „yoga“; es ist nichts geplant.',
  ],
  [
    'several_jobs',
    { said: 'a', count: 2, jobs: [ORCHIDS] },
    '"a" may be any of 2: job_1 "orchids" (Fri 2026-11-27 09:00). Which id?',
    `Zu „a“ passen 2: job_1 "orchids" (${FRIDAY}). Welche davon? Sag ihre Nummer.`,
  ],
  [
    'comes_again',
    { id: 'job_1', when: 'jeden Tag um 9' },
    'job_1 comes again and again (jeden Tag um 9). Say when from now on, such as "every weekday at 10:00".',
    'Das kommt immer wieder (jeden Tag um 9). Sag, wann es künftig kommen soll, etwa „jeden Mittwoch um 19 Uhr“.',
  ],
  [
    'time_passed',
    { said: 'gestern', at: AT, zone: 'Europe/Berlin' },
    '"gestern" is in the past (Fri 2026-11-27 09:00, Europe/Berlin).',
    `„gestern“ ist schon vorbei (${FRIDAY}). Nenn eine spätere Zeit.`,
  ],
  [
    'unclear_time',
    { said: 'am 32.', why: told('no_such_date') },
    '"am 32." is not a time I understand: there is no such date.',
    'Die Zeit „am 32.“ verstehe ich nicht: dieses Datum gibt es nicht.',
  ],
  ['no_file', { path: 'a.md' }, 'There is no a.md.', 'Die Datei „a.md“ gibt es nicht.'],
  [
    'other_weekday',
    { day: '2026-12-06', is: { weekday: 0 }, not: { weekday: 6 } },
    '2026-12-06 is a Sunday, not a Saturday',
    'der 2026-12-06 ist ein Sonntag, kein Samstag',
  ],
  [
    'not_in_part',
    { time: '09:00', part: told('in_evening') },
    '09:00 is not in the evening',
    '09:00 ist nicht am Abend',
  ],
  [
    'either_half',
    { hour: 5 },
    '"5" may be in the morning or in the afternoon',
    '„5“ kann morgens oder nachmittags sein',
  ],
  ['misspelt', { word: 'mntag' }, '"mntag" may be meant as ""', '„mntag“ kann „“ heißen'],
])('%s %j', (code, values, en, de) => {
  expect(say(told(code, values), 'en')).toBe(en);
  expect(say(told(code, values), 'de')).toBe(de);
  // As it is stored beside a result.
  expect(say(JSON.parse(JSON.stringify(told(code, values))), 'de')).toBe(de);
});

test('a code without a sentence says nothing', () => {
  expect(say({ code: 'toString', values: {} }, 'en')).toBeUndefined();
});

test('an error carries what its message says, and the advice that a model reads with it', () => {
  const what = told('file_there', { path: 'a.md' });
  expect(refusal('path_refused', what, { hint: 'Delete it.' })).toMatchObject({
    ...{ message: 'a.md exists already.', hint: 'Delete it.', told: what },
  });
  expect(refusal('path_refused', what, { hint: 'Delete it.', advises: true })).toMatchObject({
    message: 'a.md exists already. Delete it.',
    told: { code: 'file_there', values: { path: 'a.md', hint: 'Delete it.' } },
  });
});
