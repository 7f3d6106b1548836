import { expect, test } from 'vitest';
import { outcome } from '../../../testing/built-in-outcome.ts';

/** It is 16:00 here, which is UTC, and 11:00 in New York. */
test.each([
  ['what time is it?', 'It is 16:00 on Sunday 22 November 2026.'],
  ["what's the date today?", 'Today is Sunday 22 November 2026.'],
  ['what week is it?', 'It is week 47 (ISO 8601).'],
  ['what time is it in Tokyo?', 'In Tokyo it is 01:00 on Monday 23 November 2026 (Asia/Tokyo).'],
  [
    'what time is it in Tokyo and in London right now?',
    [
      'In Tokyo it is 01:00 on Monday 23 November 2026 (Asia/Tokyo).',
      'In London it is 16:00 on Sunday 22 November 2026 (Europe/London).',
    ].join('\n'),
  ],
  ['wie spät ist es?', 'Es ist 16:00 Uhr, Sonntag, 22. November 2026.'],
  ['welcher Tag ist heute?', 'Heute ist Sonntag, 22. November 2026.'],
  ['welche Kalenderwoche haben wir?', 'Es ist Kalenderwoche 47.'],
  ['wie spät ist es jetzt in Tokio?', 'In Tokio ist es 01:00 Uhr, Montag, 23. November 2026 (Asia/Tokyo).'],
])('%s', (text, said) => expect(outcome(text)).toBe(said));

const TOKYO_23 = 'In Tokyo it is 23:00 on Monday 23 November 2026 (Asia/Tokyo).';
const TOKYO_18 = 'In Tokyo it is 18:00 on Monday 23 November 2026 (Asia/Tokyo).';
test.each([
  ["if it's 9am in New York, what time is it in Tokyo?", TOKYO_23],
  ["what time is it in Tokyo when it's 9am in New York?", TOKYO_23],
  ['what is 9am New York time in Tokyo?', TOKYO_23],
  ['9am New York time in Tokyo', TOKYO_23],
  ['what is 9am in New York in Tokyo?', TOKYO_23],
  ['what is 9am my time in Tokyo?', TOKYO_18],
  ["what time is it in Tokyo when it's 9am here?", TOKYO_18],
  ['at 9am here, what time is it in Tokyo?', TOKYO_18],
  ['what is 17:00 in Tokyo?', 'In Tokyo it is 02:00 on Monday 23 November 2026 (Asia/Tokyo).'],
  ['what is 9am New York time?', 'That is 14:00 on Monday 23 November 2026 here.'],
  ['what time is 9am New York time here?', 'That is 14:00 on Monday 23 November 2026 here.'],
  ['when it is 9am in New York, what time is it here?', 'That is 14:00 on Monday 23 November 2026 here.'],
  ['wie spät ist 17 Uhr in Tokio?', 'In Tokio ist es 02:00 Uhr, Montag, 23. November 2026 (Asia/Tokyo).'],
  [
    'wenn es in New York 9:30 Uhr ist, wie spät ist es in London?',
    'In London ist es 14:30 Uhr, Sonntag, 22. November 2026 (Europe/London).',
  ],
  ['wenn es in New York 9 Uhr ist, wie spät ist es dann hier?', 'Das ist hier 14:00 Uhr, Sonntag, 22. November 2026.'],
])('from one place to another: %s', (text, said) => expect(outcome(text)).toBe(said));

test.each([
  ['what time will it be in 3 hours?', 'It will be 19:00.'],
  ['what time will it be in Tokyo in 3 hours?', 'In Tokyo it is 04:00 on Monday 23 November 2026 (Asia/Tokyo).'],
  ['time difference between London and Lisbon', 'London and Lisbon have the same time now.'],
  ["what's the time difference to Tokyo?", 'Tokyo is 9 hours ahead of here now.'],
  ['how many hours behind is New York?', 'It is 5 hours later here than in New York now.'],
  ["what's the time difference between here and London?", 'It is the same time in London as here now.'],
  ['Zeitunterschied zwischen hier und Lissabon', 'In Lissabon ist es jetzt so spät wie hier.'],
  ['Zeitunterschied zwischen New York und hier', 'Hier ist es jetzt 5 Stunden später als in New York.'],
  ['how far ahead of us is Paris?', 'Paris is 1 hour ahead of us now.'],
  ['is Tokyo ahead of London?', 'Tokyo is 9 hours ahead of London now.'],
  ['Zeitunterschied zwischen London und New York', 'London ist New York jetzt 5 Stunden voraus.'],
  ['wie groß ist denn die Zeitverschiebung nach Tokio?', 'Tokio ist hier jetzt 9 Stunden voraus.'],
])('later, and elsewhere: %s', (text, said) => expect(outcome(text)).toBe(said));

test.each([
  'what time is it in 3 weeks?',
  'what is 9am in Foobar in Tokyo?',
  'what is 17:00 in Foobar?',
  'what time will it be in Foobar in 3 hours?',
  'what is the time difference to Foobar?',
])('%s: no place that is known', (text) => expect(outcome(text)).toEqual([['query_rag', { query: text }]]));
