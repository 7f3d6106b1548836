import { expect, test } from 'vitest';
import { outcome } from '../../../testing/built-in-outcome.ts';

test.each([
  ['what year is it?', 'It is 2026.'],
  ['welches Jahr haben wir?', 'Es ist 2026.'],
  ['what month is it?', 'It is November 2026.'],
  ['welcher Monat ist es?', 'Es ist November 2026.'],
  ['what time will it be in 2 hours?', 'It will be 18:00.'],
  ['wie spät ist es in 2 Stunden?', 'Es ist dann 18:00 Uhr.'],
  ['what time is it in Foobarville?', 'I do not know the time zone of Foobarville; a larger city nearby may help.'],
  [
    'wie spät ist es in Foobarhausen?',
    'Die Zeitzone von Foobarhausen kenne ich nicht; vielleicht hilft eine größere Stadt in der Nähe.',
  ],
])('%s', (text, said) => expect(outcome(text)).toBe(said));

test.each([
  ['London and Lisbon', 'London and Lisbon have the same time now.'],
  ['New York and London', 'London is 5 hours ahead of New York now.'],
  ['Paris and London', 'Paris is 1 hour ahead of London now.'],
  ['London and Delhi', 'Delhi is 5.5 hours ahead of London now.'],
])('the time difference between %s', (places, said) => {
  expect(outcome(`what's the time difference between ${places}?`)).toBe(said);
});

test.each([
  ['Berlin und Paris', 'In Berlin und Paris ist es jetzt gleich spät.'],
  ['Berlin und London', 'Berlin ist London jetzt 1 Stunde voraus.'],
  ['Berlin und Delhi', 'Delhi ist Berlin jetzt 4,5 Stunden voraus.'],
])('der Zeitunterschied zwischen %s', (places, said) => {
  expect(outcome(`wie groß ist der Zeitunterschied zwischen ${places}?`)).toBe(said);
});

const FORWARD = 'he clocks go forward an hour at 01:00 on Sunday 28 March 2027';
const BACK = 'he clocks go back an hour at 02:00 on Sunday 31 October 2027';
test.each([
  ['when do the clocks change in London?', `T${FORWARD} (Europe/London).`],
  ['when do the clocks go forward in London?', `T${FORWARD} (Europe/London).`],
  ['when do the clocks go back in London?', `T${BACK} (Europe/London).`],
  ['when do the clocks change in London in 2027?', `T${FORWARD}, and t${BACK} (Europe/London).`],
  ['when do the clocks change next year in London?', `T${FORWARD}, and t${BACK} (Europe/London).`],
  ['when do the clocks go back in London next year?', `T${BACK} (Europe/London).`],
  [
    'when do the clocks change in Lord Howe?',
    'The clocks go back half an hour at 02:00 on Sunday 4 April 2027 (Australia/Lord_Howe).',
  ],
  [
    'wann ist die Zeitumstellung in Berlin im Jahr 2027?',
    [
      'Die Uhren werden am Sonntag, 28. März 2027 um 02:00 Uhr um eine Stunde vorgestellt, und',
      'die Uhren werden am Sonntag, 31. Oktober 2027 um 03:00 Uhr um eine Stunde zurückgestellt (Europe/Berlin).',
    ].join(' '),
  ],
  [
    'when do the clocks change?',
    'The clocks of UTC do not change. For another place say "when do the clocks change in London".',
  ],
  [
    'wann ist die Zeitumstellung?',
    'In UTC werden die Uhren nicht umgestellt. Woanders: „wann ist die Zeitumstellung in Wien“.',
  ],
])('%s', (text, said) => expect(outcome(text)).toBe(said));

test.each(['when do the clocks change in Foobar?', 'when do the clocks change this year in London?'])(
  '%s: what the rules do not say is for the documents',
  (text) => expect(outcome(text)).toMatchObject([['query_rag', {}]]),
);
