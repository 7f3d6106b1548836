import { expect, test } from 'vitest';
import { foundInGerman } from './found-in-german.ts';

test('what a calendar file holds is said in German', () => {
  expect(foundInGerman('Zahnarzt on Thursday 3 December 2026 at 14:30 (Europe/Berlin) until 15:15, at Markt 8.')).toBe(
    'Zahnarzt am Donnerstag, 3. Dezember 2026 um 14:30 Uhr (Europe/Berlin) bis 15:15 Uhr, Ort: Markt 8.',
  );
  expect(foundInGerman('Drei Monate. [Vertrag.md, lines 3-9] [a b.pdf, p. 4] [x] on line 3')).toBe(
    'Drei Monate. [Vertrag.md, Zeilen 3-9] [a b.pdf, S. 4] [x] on line 3',
  );
});
