import { expect, test } from 'vitest';
import { outcome } from '../../../testing/built-in-outcome.ts';

test.each([
  ['If I leave at 9:40 and the drive takes 3 hours, when do I arrive?', '09:40 plus 3 hours is 12:40.'],
  ['what is 1 hour after 12:15 pm?', '12:15 plus 1 hour is 13:15.'],
  ['what is 1 hour after 1 PM?', '13:00 plus 1 hour is 14:00.'],
  ['what is 1 hour after 12 AM?', '00:00 plus 1 hour is 01:00.'],
  ['what is 1 hour after 11 am?', '11:00 plus 1 hour is 12:00.'],
  ['what time is an hour after 9 in the Morning?', '09:00 plus 1 hour is 10:00.'],
  ['what time is 1 hour after 3 in the afternoon?', '15:00 plus 1 hour is 16:00.'],
  ['how late is it 2 hours after midday', '12:00 plus 2 hours is 14:00.'],
  ['what time is 2 hours after Midnight', '00:00 plus 2 hours is 02:00.'],
  ['what is Half past 11 am plus 1 minute?', '11:30 plus 1 minute is 11:31.'],
  ['what is quarter past 9 plus 2 hours?', '09:15 plus 2 hours is 11:15.'],
  ["what's a quarter of an hour after quarter to 7 in the evening?", '18:45 plus 15 minutes is 19:00.'],
  ['what is half an hour after 10 past 8?', '08:10 plus 30 minutes is 08:40.'],
  ['what is 1 hour after 20 minutes to 8 pm?', '19:40 plus 1 hour is 20:40.'],
  ['what is 20 past 8 plus 10 minutes', '08:20 plus 10 minutes is 08:30.'],
  ['what time is 2 hours 5 past 8?', '08:05 plus 2 hours is 10:05.'],
  ['what is 2 hours 5pm?', '17:00 plus 2 hours is 19:00.'],
])('%s', (text, said) => expect(outcome(text)).toBe(said));

test.each([
  ['an hour and a half', '1 hour and 30 minutes', '01:30'],
  ['1 and a half hours', '1 hour and 30 minutes', '01:30'],
  ['1.5 hours', '1 hour and 30 minutes', '01:30'],
  ['1,5 hours', '1 hour and 30 minutes', '01:30'],
  ['Half an hour', '30 minutes', '00:30'],
  ['2 h 5', '2 hours and 5 minutes', '02:05'],
  ['2h5', '2 hours and 5 minutes', '02:05'],
  ['2 hr 5', '2 hours and 5 minutes', '02:05'],
  ['2 hour 5', '2 hours and 5 minutes', '02:05'],
  ['12 h 5', '12 hours and 5 minutes', '12:05'],
  ['1 hour and 20 mins', '1 hour and 20 minutes', '01:20'],
  ['61 minutes', '1 hour and 1 minute', '01:01'],
  ['59.9 minutes', '1 hour', '01:00'],
])('%s after midnight', (length, spoken, at) => {
  expect(outcome(`what time is ${length} after midnight?`)).toBe(`00:00 plus ${spoken} is ${at}.`);
});

test.each([
  ['what time is 45 minutes before noon?', '12:00 minus 45 minutes is 11:15.'],
  ['what time is an hour before 1:00?', '01:00 minus 1 hour is 00:00.'],
  ['what time is 90 minutes before 00:30?', '00:30 minus 1 hour and 30 minutes is 23:00 the day before.'],
  [
    'when do I have to leave if I must be there at half past nine and it takes 2 hours?',
    '09:30 minus 2 hours is 07:30.',
  ],
  ['what time did they take off if the flight of 2 hours landed at 14:00?', '14:00 minus 2 hours is 12:00.'],
])('backwards: %s', (text, said) => expect(outcome(text)).toBe(said));

test.each([
  ['22 hours and 59 minutes', '23:59'],
  ['23 hours', '00:00 the next day'],
  ['46 hours and 59 minutes', '23:59 the next day'],
  ['47 hours', '00:00 2 days later'],
  ['71 hours', '00:00 3 days later'],
])('%s after one at night is on a day that is said', (length, at) => {
  expect(outcome(`what time is it ${length} after 01:00?`)).toBe(`01:00 plus ${length} is ${at}.`);
});

test.each([
  ['when does the 3 hour train at 9 in Oslo arrive?'],
  ['what time is 3 hours after 9 with 7 friends?'],
  ['what time is 25 minutes plus 10 minutes?'],
  ['if I leave at 9:40 and arrive at 11:00, what time is 3 hours from then?'],
  ['when does the 3 hour train at 9 get to town?'],
  [`what time is it 3 hours after 9 ${'and so on '.repeat(14)}?`],
  ['what time is 20 minutes to 8?'],
  ['wie spät ist es 3 hours after 9?'],
])('%s: no sum of one time and lengths', (text) => expect(outcome(text)).toMatchObject([['query_rag', {}]]));
