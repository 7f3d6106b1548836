import { expect, test } from 'vitest';
import { outcome } from '../../../testing/built-in-outcome.ts';

test.each([
  ['how many months until 21 January 2027?', 'It is 1 month and 30 days until Thursday 21 January 2027.'],
  ['how many months until 22 January 2027?', 'It is 2 months until Friday 22 January 2027.'],
  ['how many months until 23 January 2027?', 'It is 2 months and 1 day until Saturday 23 January 2027.'],
  ['how many months until 21 December 2026?', 'It is 29 days until Monday 21 December 2026.'],
  ['how many months since 22 September 2026?', 'It is 2 months since Tuesday 22 September 2026.'],
  ['how many years until 22 November 2027?', 'It is 1 year until Monday 22 November 2027.'],
  ['how many years until 21 November 2027?', 'It is 364 days until Sunday 21 November 2027.'],
  ['how many years since 22 November 2020?', 'It is 6 years since Sunday 22 November 2020.'],
  ['how many weeks until 28 November 2026?', 'It is 6 days until Saturday 28 November 2026.'],
  ['how many weeks until 29 November 2026?', 'It is 1 week until Sunday 29 November 2026.'],
  ['how many weeks until 30 November 2026?', 'It is 1 week and 1 day until Monday 30 November 2026.'],
  ['how many weeks until 8 December 2026?', 'It is 2 weeks and 2 days until Tuesday 8 December 2026.'],
  [
    'how many working days until 27 November 2026?',
    'It is 5 working days (Monday to Friday, holidays not left out) until Friday 27 November 2026.',
  ],
  [
    'how many working days until tomorrow?',
    'It is 1 working day (Monday to Friday, holidays not left out) until Monday 23 November 2026.',
  ],
  ['wie viele Monate bis zum 22. Januar 2027?', 'Es sind noch 2 Monate bis Freitag, 22. Januar 2027.'],
  ['wie viele Monate bis zum 23. Dezember 2026?', 'Es sind noch 1 Monat und 1 Tag bis Mittwoch, 23. Dezember 2026.'],
  ['wie viele Jahre bis zum 9. Februar 2028?', 'Es sind noch 1 Jahr und 79 Tage bis Mittwoch, 9. Februar 2028.'],
  ['wie viele Jahre bis zum 22. November 2028?', 'Es sind noch 2 Jahre bis Mittwoch, 22. November 2028.'],
  ['wie viele Wochen bis zum 30. November 2026?', 'Es sind noch 1 Woche und 1 Tag bis Montag, 30. November 2026.'],
  ['wie viele Wochen bis zum 8. Dezember 2026?', 'Es sind noch 2 Wochen und 2 Tage bis Dienstag, 8. Dezember 2026.'],
  [
    'wie viele Arbeitstage bis zum 27. November 2026?',
    'Es sind noch 5 Arbeitstage (Montag bis Freitag, Feiertage nicht abgezogen) bis Freitag, 27. November 2026.',
  ],
  [
    'wie viele Arbeitstage bis zum 23. November 2026?',
    'Es sind noch 1 Arbeitstag (Montag bis Freitag, Feiertage nicht abgezogen) bis Montag, 23. November 2026.',
  ],
])('%s, on the afternoon of 22 November', (text, said) => expect(outcome(text)).toBe(said));

test.each([
  ['how many days until 7 June 2026?', 'Sunday 7 June 2026 was 168 days ago.'],
  ['how many weeks until 7 June 2026?', 'Sunday 7 June 2026 was 24 weeks ago.'],
  ['how many days until 21 November 2026?', 'Saturday 21 November 2026 was 1 day ago.'],
  ['how many days until 22 November 2026?', 'That is today.'],
  ['wie viele Tage bis zum 7. Juni 2026?', 'Sonntag, 7. Juni 2026 ist 168 Tage her.'],
])('%s: a day that lies behind is not called one to come', (text, said) => expect(outcome(text)).toBe(said));

test.each([
  ['how many hours from 9:30 to 11:00?', '1 hour and 30 minutes.'],
  ['wie viele Stunden von 9:30 bis 12:31?', '3 Stunden und 1 Minute.'],
  ['wie viele Stunden von 9:30 bis 10:30?', '1 Stunde.'],
])('%s: hours and minutes', (text, said) => expect(outcome(text)).toBe(said));
