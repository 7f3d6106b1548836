import { expect, test } from 'vitest';
import { partsInGerman } from './found.ts';

const dentist = {
  ...{ title: 'Zahnarzt', day: '2026-12-03', time: '14:30', zone: 'Europe/Berlin' },
  ...{ end: '15:15', where: 'Markt 8' },
};

test('an event and where something stands are said in German, and other words stay', () => {
  const event = { text: 'Zahnarzt on Thursday 3 December 2026 at 14:30', event: dentist };
  expect(partsInGerman([event], 'UTC')).toBe(
    'Zahnarzt am Donnerstag, 3. Dezember 2026 um 14:30 Uhr (Europe/Berlin) bis 15:15 Uhr, Ort: Markt 8.',
  );
  const trip = { title: 'Reise', day: '2026-12-03', lastDay: '2026-12-05', repeats: 'freq yearly' };
  expect(partsInGerman([{ text: '', event: trip }], 'UTC')).toBe(
    'Reise am Donnerstag, 3. Dezember 2026 bis Samstag, 5. Dezember 2026.\nWiederholt sich: freq yearly.',
  );
  const place = (file: string, kind: 'line' | 'page' | 'slide', from: number, to = from) => ({
    text: '[]',
    place: { file, kind, from, to },
  });
  const parts = [{ text: 'Drei Monate. ' }, place('Vertrag.md', 'line', 3, 9), place('a b.pdf', 'page', 4)];
  expect(
    partsInGerman([...parts, place('c.md', 'line', 2), place('d.pptx', 'slide', 2), { text: ' on line 3' }], 'UTC'),
  ).toBe('Drei Monate. [Vertrag.md, Zeilen 3-9][a b.pdf, S. 4][c.md, Zeile 2][d.pptx, Folie 2] on line 3');
});

test('the zone of an event is named where it is not the own', () => {
  const said = (timeZone: string) => partsInGerman([{ text: '', event: dentist }], timeZone);
  expect(said('Europe/Berlin')).toBe(
    'Zahnarzt am Donnerstag, 3. Dezember 2026 um 14:30 Uhr bis 15:15 Uhr, Ort: Markt 8.',
  );
  expect(said('UTC')).toContain('um 14:30 Uhr (Europe/Berlin) bis 15:15 Uhr');
});
