import { describe, expect, test } from 'vitest';
import { answered, outcome } from '../../../testing/built-in-outcome.ts';

const reminder = (when: string, text: string) => [['schedule', { when, text, as: 'reminder' }]];

test.each([
  ['Dentist on Friday at 3pm, remind me an hour before', '2026-11-27T14:00:00.000Z', 'Dentist'],
  ['I have a meeting on Friday at 3pm and remind me 20 minutes before', '2026-11-27T14:40:00.000Z', 'a meeting'],
  ['Meeting on Friday at 3pm, remind me half an hour ahead', '2026-11-27T14:30:00.000Z', 'Meeting'],
  ['Meeting on Friday at 3pm, remind me a quarter of an hour before', '2026-11-27T14:45:00.000Z', 'Meeting'],
  ['Dentist on 4 December at 3pm, remind me a week before', '2026-11-27T15:00:00.000Z', 'Dentist'],
  ['Dentist on 4 December at 3pm, remind me two days before', '2026-12-02T15:00:00.000Z', 'Dentist'],
  ['Freitag um 15 Uhr Zahnarzt, erinnere mich eine Stunde vorher', '2026-11-27T14:00:00.000Z', 'Zahnarzt'],
  ['Freitag um 15 Uhr Zahnarzt, erinnere mich eine halbe Stunde vorher', '2026-11-27T14:30:00.000Z', 'Zahnarzt'],
  ['Freitag um 15 Uhr Zahnarzt, erinnere mich dreiviertel Stunde vorher', '2026-11-27T14:15:00.000Z', 'Zahnarzt'],
  ['Freitag um 15 Uhr Zahnarzt, erinnere mich 1,5 Stunden vorher', '2026-11-27T13:30:00.000Z', 'Zahnarzt'],
  ['Freitag um 15 Uhr Zahnarzt, erinnere mich anderthalb Stunden vorher', '2026-11-27T13:30:00.000Z', 'Zahnarzt'],
  ['Zahnarzt am 4. Dezember um 15 Uhr, erinnere mich eine Woche vorher', '2026-11-27T15:00:00.000Z', 'Zahnarzt'],
  ['Freitag um 15 Uhr Zahnarzt, erinnere mich am Abend vorher um 20 Uhr', '2026-11-26T20:00:00.000Z', 'Zahnarzt'],
  ['Freitag um 15 Uhr Zahnarzt, erinnere mich am Abend vorher um acht', '2026-11-26T20:00:00.000Z', 'Zahnarzt'],
  ['Freitag um 15 Uhr Zahnarzt, erinnere mich am Vorabend um 7', '2026-11-26T19:00:00.000Z', 'Zahnarzt'],
  ['Freitag um 15 Uhr Zahnarzt, erinnere mich am Tag vorher um acht', '2026-11-26T08:00:00.000Z', 'Zahnarzt'],
])('%s', (text, when, task) => expect(outcome(text)).toEqual(reminder(when, task)));

test.each(['18:30', '18', 'um 18:30 Uhr'])(
  'of the two times that an event may have %s is one, on its day',
  (answer) => {
    const text = 'Zahnarzt morgen um halb sieben, erinnere mich eine Stunde vorher';
    expect(outcome(text)).toBe('Wann ist das? 06:30 oder 18:30?');
    expect(answered(text, answer)).toEqual(reminder('2026-11-23T17:30:00.000Z', 'Zahnarzt'));
  },
);

describe('what is not said is asked', () => {
  test.each([
    [
      ...['Dentist on Friday at 3pm, remind me beforehand', 'How long before "Dentist" should I remind you?'],
      ...['two hours', '2026-11-27T13:00:00.000Z', 'Dentist'],
    ],
    [
      ...['Dentist on Friday at 3pm, remind me beforehand', 'How long before "Dentist" should I remind you?'],
      ...['an hour before.', '2026-11-27T14:00:00.000Z', 'Dentist'],
    ],
    [
      ...['Freitag um 15 Uhr Zahnarzt, erinnere mich vorher', 'Wie lange vorher soll ich dich an „Zahnarzt“ erinnern?'],
      ...['2 Stunden vorher', '2026-11-27T13:00:00.000Z', 'Zahnarzt'],
    ],
    [
      'Dentist on Friday, remind me a day before',
      'At what time on Thursday 26 November 2026 should I remind you of "Dentist"?',
      ...['9', '2026-11-26T09:00:00.000Z', 'Dentist'],
    ],
    [
      'Freitag um 15 Uhr Zahnarzt, erinnere mich am Abend vorher',
      'Um wie viel Uhr am Donnerstag, 26. November 2026 soll ich dich an „Zahnarzt“ erinnern?',
      ...['20', '2026-11-26T20:00:00.000Z', 'Zahnarzt'],
    ],
    [
      'Freitag um 15 Uhr Zahnarzt, erinnere mich am Tag vorher um blau',
      'Um wie viel Uhr am Donnerstag, 26. November 2026 soll ich dich an „Zahnarzt“ erinnern?',
      ...['um 20 Uhr', '2026-11-26T20:00:00.000Z', 'Zahnarzt'],
    ],
    [
      ...['Meeting soon, remind me an hour before', 'When is that? "soon" is not clear.'],
      ...['tomorrow at 9', '2026-11-23T08:00:00.000Z', 'Meeting'],
    ],
  ])('%s: %s %s', (text, question, answer, when, task) => {
    expect(outcome(text)).toBe(question);
    expect(answered(text, answer)).toEqual(reminder(when, task));
  });

  test.each([
    [
      'Meeting at 17:00, remind me two hours before',
      'That would have been today at 15:00. When should I remind you of "Meeting"?',
      ...['at 16:30', 'Meeting'],
    ],
    [
      'Besprechung um 17 Uhr, erinnere mich zwei Stunden vorher',
      'Das wäre schon heute um 15:00 Uhr gewesen. Wann soll ich dich an „Besprechung“ erinnern?',
      ...['um 16:30', 'Besprechung'],
    ],
  ])('%s: it is too late for that', (text, question, answer, task) => {
    expect(outcome(text)).toBe(question);
    expect(answered(text, answer)).toEqual(reminder('2026-11-22T16:30:00.000Z', task));
  });
});

test('so long before that it is now is still done', () => {
  expect(outcome('Meeting at 17:00, remind me an hour before')).toEqual(
    reminder('2026-11-22T16:00:00.000Z', 'Meeting'),
  );
});

test.each([
  'meeting on Friday at 3pm, remind me blue hours before',
  'meeting on Friday at 3pm, remind me 2.5 days before',
  'on Friday at 3pm, remind me an hour before',
  'meeting every day at 3pm, remind me an hour before',
])('%s: nothing is made of it', (text) => expect(outcome(text)).toMatch(/^When should I remind you/u));
