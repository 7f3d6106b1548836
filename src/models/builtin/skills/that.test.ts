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
  ['an welchem Wochentag ist das?', 'Es ist am 7. Dezember 2026.', 'Das ist Montag, 7. Dezember 2026.'],
])('%s, after "%s"', (text, before, said) => expect(outcome(text, after(before))).toBe(said));

test.each([
  ['how many days is that?', '9 December', 'It is 17 days until Wednesday 9 December 2026.'],
  ['how many weeks is that?', '9 December', 'It is 2 weeks and 3 days until Wednesday 9 December 2026.'],
  ['what weekday is that?', '9 December', 'That is Wednesday 9 December 2026.'],
])('%s: of two dates, which one is asked', (text, answer, said) => {
  expect(outcome(text, after(TWO))).toBe('Which date: Monday 7 December 2026 or Wednesday 9 December 2026?');
  expect(answered(text, answer, after(TWO))).toBe(said);
});
