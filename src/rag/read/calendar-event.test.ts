import { expect, test } from 'vitest';
import { citation, citedIn } from '../citation.ts';
import { eventsIn, writeEvent } from './calendar-event.ts';

const day = '2026-12-03';
const timed = { title: 'Zahnarzt', day, time: '14:30' };

test.each([
  ['a day', { title: 'Holiday', day }],
  ['several days', { title: 'Trip', day, lastDay: '2026-12-05' }],
  ['a time', timed],
  ['a time in a zone', { ...timed, zone: 'Europe/Berlin', end: '15:15', where: 'Hauptstr. 8, at the back' }],
  ['UTC', { ...timed, zone: 'UTC', end: '15:15' }],
  ['past midnight', { ...timed, lastDay: '2026-12-04', end: '02:00' }],
  ['a place that ends with a stop', { ...timed, where: 'Hauptstr.' }],
  ['a rule', { ...timed, where: 'the hall', repeats: 'freq weekly, byday th' }],
])('an event with %s is read as it was written', (_what, event) => {
  const text = `${writeEvent(event)}\nBring the card.\n${writeEvent(timed)}`;
  const parts = eventsIn(text);
  expect(parts.map((part) => part.text).join('')).toBe(text);
  expect(parts.flatMap((part) => part.event ?? [])).toEqual([event, timed]);
});

test('a sentence that is no event stays text', () => {
  const text = 'Bad on Monday 45 Foovember 2026.\nan odd line';
  expect(eventsIn(text)).toEqual([{ text }]);
});

test.each([
  [{ lines: [3, 9] }, { kind: 'line', from: 3, to: 9 }],
  [{ lines: [3, 3] }, { kind: 'line', from: 3, to: 3 }],
  [{ pages: [4, 5] }, { kind: 'page', from: 4, to: 5 }],
  [{ pages: [4, 4] }, { kind: 'page', from: 4, to: 4 }],
  [{ place: 'slide 2' }, { kind: 'slide', from: 2, to: 2 }],
  [{ place: 'Budget, row 4-9' }, undefined],
  [{}, undefined],
] as const)('a citation is read as it was written: %j', (where, place) => {
  const cited = citation({ file: 'a b.md', ...where });
  const data = place ? [{ text: cited, place: { file: 'a b.md', ...place } }] : [];
  expect(citedIn(`Three. ${cited}`)).toEqual(place ? [{ text: 'Three. ' }, ...data] : [{ text: `Three. ${cited}` }]);
});
