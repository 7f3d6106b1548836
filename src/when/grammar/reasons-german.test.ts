import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { reasonInGerman } from './reasons-german.ts';

const WHEN = resolve(import.meta.dirname, '..');

test('every reason to ask is known in German', () => {
  const sources = readdirSync(WHEN, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.test.ts'),
  );
  const reasons = sources.flatMap((path) => {
    const source = readFileSync(join(WHEN, path), 'utf8');
    return [...source.matchAll(/(?:new Unclear\(|\bwhy: )(?:'([^']+)'|`([^`]+)`)/gu)].map(
      ([, plain, template]) => plain ?? template ?? '',
    );
  });
  expect(reasons.length).toBeGreaterThan(50);
  // The parts that are quoted.
  const filled = reasons.map((reason) =>
    reason
      .replace(/\$\{\w+\.join\(' or '\)\}/u, '05:00 or 17:00')
      .replace(/of the \$\{unit\}/u, 'of the week')
      .replace(/day \$\{\w+\} in/u, 'day 31 in')
      .replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/gu, 'x'),
  );
  expect(filled.filter((reason) => reasonInGerman(reason) === undefined)).toEqual([]);
});

test.each([
  ['"bald" is not clear', '„bald“ ist mir nicht klar'],
  ['"25:00" is not a time of day', '„25:00“ ist keine Uhrzeit'],
  ['"40.40." is not a date', '„40.40.“ ist kein Datum'],
  ['"3.4" may be a date or a time', '„3.4“ kann ein Datum oder eine Uhrzeit sein'],
  ['"4/5" may be day and month or month and day', '„4/5“ kann Tag und Monat oder Monat und Tag sein'],
  ['"5" may be in the morning or in the afternoon', '„5“ kann morgens oder nachmittags sein'],
  ['"mntag" may be meant as "montag"', '„mntag“ kann „montag“ heißen'],
  ['"montags um 9" can be read in two ways', '„montags um 9“ lässt sich auf zwei Arten lesen'],
  ['it may be 05:00 or 17:00', 'es kann 05:00 oder 17:00 sein'],
  ['there is no day 31 in that month', 'einen 31. hat der Monat nicht'],
  ['that is in the past, 2026-11-19', 'das ist schon vorbei (2026-11-19)'],
  ['2026-11-22 is another day', 'der 2026-11-22 ist ein anderer Tag'],
  ['2026-12-01 is a Tuesday, not a Monday', 'der 2026-12-01 ist ein Dienstag, kein Montag'],
  ['2026-12-06 is a Sunday, not a Saturday', 'der 2026-12-06 ist ein Sonntag, kein Samstag'],
  ['2026-12-02 is a Wednesday, not a Thursday', 'der 2026-12-02 ist ein Mittwoch, kein Donnerstag'],
  ['2026-12-04 is a Friday, not a Fryday', 'der 2026-12-04 ist ein Freitag, kein Fryday'],
  ['09:00 is not in the morning', '09:00 ist nicht am Morgen'],
  ['09:00 is not in the afternoon', '09:00 ist nicht am Nachmittag'],
  ['09:00 is not in the evening', '09:00 ist nicht am Abend'],
  ['09:00 is not in the night', '09:00 ist nicht in der Nacht'],
  ['09:00 is not in the lunchtime', '09:00 ist nicht lunchtime'],
  ['the hour is not said', 'die Stunde fehlt'],
  ['toString', undefined],
  ['so "4/5" is not a date', undefined],
  ['"4/5" is not a date, is it', undefined],
])('%s: %s', (reason, german) => expect(reasonInGerman(reason)).toBe(german));
