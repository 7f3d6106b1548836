import { expect, test } from 'vitest';
import { answered, outcome } from '../../../testing/built-in-outcome.ts';
import type { PriorMessage } from '../request.ts';

const after = (text: string): readonly PriorMessage[] => [
  { by: 'person', text: 'when is it?' },
  { by: 'assistant', text },
];
const TWO = 'It is on 7 December 2026 or on 9 December 2026.';

test.each([
  ['how many days is that?', 'It is on 7 December 2026.', 'It is 15 days until Monday 7 December 2026.'],
  ['how many weeks is that?', 'It is on 7 December 2026.', 'It is 2 weeks and 1 day until Monday 7 December 2026.'],
  ['what weekday is that?', 'It is on 7 December 2026.', 'That is Monday 7 December 2026.'],
  ['how many days is that?', 'From 7 June 2026 to 7 December 2026.', 'It is 15 days until Monday 7 December 2026.'],
  ['how many months is that?', 'It is on 22 January 2027.', 'It is 2 months until Friday 22 January 2027.'],
  ['and how far off is that?', 'It is on December 7, 2026.', 'It is 15 days until Monday 7 December 2026.'],
  ['how long until then', 'It is on 2026-12-07.', 'It is 15 days until Monday 7 December 2026.'],
  ['how far off is that?', 'It is on 22 November 2026.', 'It is 0 days until Sunday 22 November 2026.'],
  ['how far off is that?', 'It was on 7 June 2026.', 'Sunday 7 June 2026 was 168 days ago.'],
  ['how many weeks is that?', 'It was on 7 June 2026.', 'Sunday 7 June 2026 was 24 weeks ago.'],
  ['an welchem Wochentag ist das?', 'Es ist am 7. Dezember 2026.', 'Das ist Montag, 7. Dezember 2026.'],
  ['was ist das für ein Tag?', 'Es ist am 7. Dezember 2026.', 'Das ist Montag, 7. Dezember 2026.'],
  ['auf welchen Tag fällt das?', 'Es ist am 7. Dezember 2026.', 'Das ist Montag, 7. Dezember 2026.'],
  ['wie viele Tage sind das noch?', 'Es ist am 7. Dezember 2026.', 'Bis Montag, 7. Dezember 2026: 15 Tage.'],
  [
    'wie viele Wochen sind das noch?',
    'Es ist am 7. Dezember 2026.',
    'Bis Montag, 7. Dezember 2026: 2 Wochen und 1 Tag.',
  ],
  ['wie lange ist das noch hin?', 'Es ist am 7. Dezember 2026.', 'Bis Montag, 7. Dezember 2026: 15 Tage.'],
  ['wie lange ist das noch hin?', 'Es war am 7. Juni 2026.', 'Sonntag, 7. Juni 2026 ist 168 Tage her.'],
])('%s, after "%s"', (text, before, said) => expect(outcome(text, after(before))).toBe(said));

test.each([
  ['how many days is that?', '9 December', 'It is 17 days until Wednesday 9 December 2026.'],
  ['how many weeks is that?', '9 December', 'It is 2 weeks and 3 days until Wednesday 9 December 2026.'],
  ['what weekday is that?', '9 December', 'That is Wednesday 9 December 2026.'],
])('%s: of two dates, which one is asked', (text, answer, said) => {
  expect(outcome(text, after(TWO))).toBe('Which date: Monday 7 December 2026 or Wednesday 9 December 2026?');
  expect(answered(text, answer, after(TWO))).toBe(said);
});

const ZWEI = 'Am 7. Dezember 2026 oder am 9. Dezember 2026.';
test.each([
  ['wie viele Tage sind das noch?', 'Es sind noch 17 Tage bis Mittwoch, 9. Dezember 2026.'],
  ['wie viele Wochen sind das noch?', 'Es sind noch 2 Wochen und 3 Tage bis Mittwoch, 9. Dezember 2026.'],
  ['welcher Tag ist das?', 'Das ist Mittwoch, 9. Dezember 2026.'],
])('%s: von zwei Tagen wird gefragt, welcher', (text, said) => {
  expect(outcome(text, after(ZWEI))).toBe('Welcher Tag: Montag, 7. Dezember 2026 oder Mittwoch, 9. Dezember 2026?');
  expect(answered(text, '9. Dezember', after(ZWEI))).toBe(said);
});

test('without a date nothing goes on', () => {
  expect(outcome('how far off is that?', after('It is soon.'))).toEqual([
    ['query_rag', { query: 'how far off is that?' }],
  ]);
});
