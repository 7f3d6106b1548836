import { expect, test } from 'vitest';
import { type ToldCode, type ToldValues, told } from '../../base/told.ts';
import { failureInGerman } from './failures-german.ts';

const AT = 'Fri 2026-11-27 09:00';
const FRIDAY = 'Freitag, 27. November 2026 um 09:00 Uhr';

test.each<[ToldCode, ToldValues, string]>([
  [
    'no_job_called',
    { said: 'yoga', jobs: `job_1 "a" (${AT}); job_2 "b" (${AT}:30); and 3 more` },
    `Keine Erinnerung passt zu „yoga“. Geplant ist: job_1 "a" (${FRIDAY}); job_2 "b" (${FRIDAY}); und 3 weitere.`,
  ],
  ['no_jobs', { said: 'yoga' }, 'Keine Erinnerung passt zu „yoga“; es ist nichts geplant.'],
  [
    'several_jobs',
    { said: 'a', count: '2', jobs: `job_1 "a and 3 more"; job_2 "ab" (${AT})` },
    `Zu „a“ passen 2: job_1 "a and 3 more"; job_2 "ab" (${FRIDAY}). Welche davon? Sag ihre Nummer.`,
  ],
  [
    'comes_again',
    { id: 'job_1', when: 'jeden Tag um 9 [0 9 * * *] (Europe/Berlin)' },
    [
      'Das kommt immer wieder (jeden Tag um 9).',
      'Sag, wann es künftig kommen soll, etwa „jeden Mittwoch um 19 Uhr“.',
    ].join(' '),
  ],
  [
    'time_passed',
    { said: 'gestern', at: AT, zone: 'UTC' },
    `„gestern“ ist schon vorbei (${FRIDAY}). Nenn eine spätere Zeit.`,
  ],
  ['move_passed', { said: 'um 9', at: AT }, `„um 9“ wäre ${FRIDAY}, und das ist schon vorbei. Sag den Tag dazu.`],
  [
    'unclear_time',
    { said: 'am 32.', why: 'there is no such date' },
    'Die Zeit „am 32.“ verstehe ich nicht: dieses Datum gibt es nicht.',
  ],
  ['unclear_time', { said: 'bald', why: 'of another reason' }, 'Die Zeit „bald“ verstehe ich nicht.'],
  [
    'no_time',
    { said: 'blau' },
    'Die Zeit „blau“ verstehe ich nicht. Sag sie etwa so: „morgen um 9“ oder „in 20 Minuten“.',
  ],
  ['no_file', { path: 'a.md' }, 'Die Datei „a.md“ gibt es nicht, oder sie lässt sich nicht öffnen.'],
  ['file_there', { path: 'a.md' }, 'Die Datei „a.md“ gibt es schon.'],
])('%s %j', (code, values, german) => expect(failureInGerman(told(code, values))).toBe(german));

test.each([
  ['', ''],
  ['Das geht nicht.', 'Das geht nicht.'],
  ['database is locked.', 'Das Werkzeug meldet auf Englisch „database is locked“.'],
])('without a code: %j', (text, german) => expect(failureInGerman(text)).toBe(german));
