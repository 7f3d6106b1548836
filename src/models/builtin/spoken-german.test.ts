import { expect, test } from 'vitest';
import { told } from '../../base/told.ts';
import { failureInGerman } from './failures-german.ts';
import { foundInGerman } from './found-in-german.ts';

test('what a calendar file holds is said in German', () => {
  expect(foundInGerman('Zahnarzt on Thursday 3 December 2026 at 14:30 (Europe/Berlin) until 15:15, at Markt 8.')).toBe(
    'Zahnarzt am Donnerstag, 3. Dezember 2026 um 14:30 Uhr (Europe/Berlin) bis 15:15 Uhr, Ort: Markt 8.',
  );
  expect(foundInGerman('Drei Monate. [Vertrag.md, lines 3-9] [a b.pdf, p. 4] [x] on line 3')).toBe(
    'Drei Monate. [Vertrag.md, Zeilen 3-9] [a b.pdf, S. 4] [x] on line 3',
  );
});

test.each([
  [
    `${told('comes_again', { id: 'job_1', when: 'jeden dienstag um 9 [0 9 * * 2] (Europe/Berlin)' })}`,
    /^Das kommt immer wieder \(jeden dienstag um 9\)/u,
  ],
  ['No scheduled job is called "yoga". Nothing is scheduled. `wooster schedule list` shows all.', /^Keine Erinnerung/u],
  [
    'No scheduled job is called "x". There is: job_1 "a" (Fri 2026-11-27 09:00).',
    /job_1 "a" \(Freitag, 27\. November 2026 um 09:00 Uhr\)\.$/u,
  ],
  ['database is locked.', 'Das Werkzeug meldet auf Englisch „database is locked“.'],
  [told('unclear_time', { said: 'am 32.', why: 'there is no such date' }), 'dieses Datum gibt es nicht'],
  [told('no_file', { path: 'a.md' }), /^Die Datei „a\.md“/u],
  ['"a" may be any of 2: job_1 "a"; job_2 "ab". Which id? Give more of its words.', /^Zu „a“ passen 2: job_1/u],
])('a failure reaches a German in German: %s', (text, german) => expect(failureInGerman(text)).toMatch(german));
