import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findTime } from './find.ts';
import { zoneOf } from './zone.ts';

/** A Friday, 12:27 in every zone. */
const nowIn = (timeZone: string) => new Date(zoneOf(timeZone).instantAt(Date.parse('2026-11-20T12:27:00Z')));
const NOW = nowIn('Europe/Oslo');
const ZONES = ['UTC', 'Europe/Oslo', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe'];

const sentences = readFileSync(join(import.meta.dirname, 'tables/asked.txt'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

/** What would be saved, if anything. Whoever saves it asks about a time that has passed. */
function saved(sentence: string, timeZone: string): string | undefined {
  const now = nowIn(timeZone);
  const found = findTime(sentence, { timeZone, now });
  if (found?.kind === 'repeats') return found.words;
  return found?.kind === 'once' && found.at > now ? found.at.toISOString() : undefined;
}

describe('what must not be saved', () => {
  test('the table holds at least 150 sentences', () => expect(new Set(sentences).size).toBeGreaterThanOrEqual(150));

  test.each(ZONES)('nothing of it is, in %s', (timeZone) => {
    expect(sentences.flatMap((line) => (saved(line, timeZone) ? [`${line}: ${saved(line, timeZone)}`] : []))).toEqual(
      [],
    );
  });

  test('what is unclear comes with one short question', () => {
    for (const sentence of sentences) {
      const found = findTime(sentence, { timeZone: 'Europe/Oslo', now: NOW });
      if (found?.kind !== 'unclear') continue;
      expect(found.question, sentence).toMatch(/^.{5,150}[.?)]$/u);
    }
  });
});

describe('one question in the language of the sentence', () => {
  test.each([
    ['remind me tomorow at 9 to call', 'Did you mean "tomorrow"?'],
    ['erinnere mich am Donerstag um 9 an den Zahnarzt', 'Meinst du „donnerstag“ statt „Donerstag“?'],
    ['erinnere mich am 4/5 um 9 Uhr an die Miete', 'Wann genau? „4/5“ kann Tag und Monat oder Monat und Tag sein.'],
    ['erinnere mich am 32. um 9 Uhr an die Miete', 'Wann genau? Einen 32. hat der Monat nicht.'],
    ['erinnere mich jeden Tag um 5 an die Katze', 'Wann genau? Es kann 05:00 oder 17:00 sein.'],
    ['erinnere mich morgen um 25 Uhr an die Katze', 'Wann genau? „25:00“ ist keine Uhrzeit.'],
    ['erinnere mich morgen um 9 oder am Freitag an Oma', 'Wann genau? Der 2026-11-21 ist ein Samstag, kein Freitag.'],
    ['remind me next saturday at 9 to call', 'When exactly? It may be 2026-11-21 or 2026-11-28.'],
    ['remind me every day at 5 to feed the cat', 'When exactly? It may be 05:00 or 17:00.'],
  ])('%s', (sentence, question) =>
    expect(findTime(sentence, { timeZone: 'Europe/Oslo', now: NOW })).toMatchObject({ kind: 'unclear', question }),
  );
});
