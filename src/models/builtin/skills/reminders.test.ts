import { describe, expect, test } from 'vitest';
import { answered, intent, outcome, told } from '../../../testing/built-in-outcome.ts';

const reminder = (when: string, text: string) => [['schedule', { when, text, as: 'reminder' }]];
const task = (when: string, text: string) => [['schedule', { when, text, as: 'prompt' }]];
const TOMORROW = '2026-11-23T09:00:00.000Z';

describe('what is said of one that was scheduled', () => {
  const once = { id: 'job_1', next: TOMORROW };
  const MONDAY = 'It comes on Monday 23 November 2026 at 09:00';
  const MONTAG = 'kommt am Montag, 23. November 2026 um 09:00 Uhr';

  test.each([
    ['remind me tomorrow at 9 to call Anna', once, `Scheduled tomorrow at 09:00: call Anna (job_1). ${MONDAY} (UTC).`],
    ['remind me tomorrow at 9 to call Anna', 'ok', `Scheduled tomorrow at 09:00: call Anna. ${MONDAY} (UTC).`],
    [
      'remind me tomorrow at 9 to call Anna',
      { ...once, note: 'there' },
      `That is scheduled already, tomorrow at 09:00: call Anna (job_1). ${MONDAY} (UTC).`,
    ],
    ['erinnere mich morgen um 9 an Anna', once, `Geplant morgen um 09:00 Uhr: Anna (job_1). Das ${MONTAG} (UTC).`],
    [
      'erinnere mich morgen um 9 an Anna',
      { ...once, note: 'da' },
      `Das ist schon geplant, morgen um 09:00 Uhr: Anna (job_1). Es ${MONTAG} (UTC).`,
    ],
    [
      'Every second tuesday at 9 remind me to call',
      { id: 'job_1', next: '2026-11-24T09:00:00Z' },
      [
        'Scheduled every second tuesday at 9: call (job_1). It comes on Tuesday 24 November 2026 at 09:00,',
        'then Tuesday 8 December 2026 at 09:00, then Tuesday 22 December 2026 at 09:00 (UTC).',
      ].join(' '),
    ],
    [
      'Jeden Tag um 9 an Anna erinnern',
      once,
      [
        `Geplant jeden Tag um 9: Anna (job_1). Das ${MONTAG}, dann Dienstag, 24. November 2026 um 09:00 Uhr,`,
        'dann Mittwoch, 25. November 2026 um 09:00 Uhr (UTC).',
      ].join(' '),
    ],
    [
      'every day at 9 remind me to stretch',
      'ok',
      'Scheduled every day at 9: stretch. It comes on no day that lies ahead.',
    ],
  ])('%s, answered with %j', (text, value, said) => expect(told(text, value)).toBe(said));
});

test.each([
  ['set a timer for one minute', '2026-11-22T16:01:00.000Z', 'the time is up'],
  ['set a one hour timer', '2026-11-22T17:00:00.000Z', 'the time is up'],
  ['set a 10-minute timer for the eggs', '2026-11-22T16:10:00.000Z', 'the eggs'],
  ['timer 5 minutes', '2026-11-22T16:05:00.000Z', 'the time is up'],
  ['set a timer for twenty one minutes', '2026-11-22T16:21:00.000Z', 'the time is up'],
  ['stell einen Timer auf 10 Minuten', '2026-11-22T16:10:00.000Z', 'Zeit ist um'],
  ['stell einen Timer auf 10 Minuten für die Eier', '2026-11-22T16:10:00.000Z', 'die Eier'],
])('a timer: %s', (text, when, said) => expect(outcome(text)).toEqual(reminder(when, said)));

describe('the time may come first', () => {
  test.each([
    ['at 7 wake me up please', '2026-11-23T07:00:00.000Z', 'wake up'],
    ['at 7 wake me up for the train', '2026-11-23T07:00:00.000Z', 'the train'],
    ['tomorrow at 9 wake me', TOMORROW, 'wake up'],
    ['um 7 weck mich auf', '2026-11-23T07:00:00.000Z', 'aufstehen'],
    ['jeden Tag um 7 weck mich', 'jeden Tag um 7', 'aufstehen'],
    ['tomorrow at 9 ping me about lunch', TOMORROW, 'lunch'],
    ['morgen um 9 erinnere mich an Anna', TOMORROW, 'Anna'],
    ['um 17:30 Anna anrufen', '2026-11-22T17:30:00.000Z', 'Anna anrufen'],
    ['um 18 Uhr Zähler ablesen', '2026-11-22T18:00:00.000Z', 'Zähler ablesen'],
    ['Every weekday at quarter past seven: dogs out', 'Every weekday at quarter past seven', 'dogs out'],
  ])('%s', (text, when, said) => expect(outcome(text)).toEqual(reminder(when, said)));

  test.each([
    ['um 9 erinnere mich an Anna', 'Wann soll ich dich an „Anna“ erinnern: 09:00 oder 21:00?'],
    ['um halb sechs Anna anrufen', 'Wann soll ich dich daran erinnern, Anna anzurufen: 05:30 oder 17:30?'],
    ['Jeden Werktag um Viertel vor sieben: Hund raus', 'Wann soll ich dich an „Hund raus“ erinnern: 06:45 oder 18:45?'],
    ['tomorrow at 9 remind me', 'What should I remind you of tomorrow at 09:00?'],
    ['remind me yesterday at 9 to call', 'At what time? It is already past on Saturday 21 November 2026 at 09:00.'],
    [
      'erinnere mich gestern um 9 an Anna',
      'Um wie viel Uhr? Es ist schon später als am Samstag, 21. November 2026 um 09:00 Uhr.',
    ],
    ['remind me in 9999999999999 days to call Anna', 'When should I remind you to call Anna? It is too far away.'],
    ['erinnere mich in 9999999999999 Tagen an Anna', 'Wann soll ich dich an „Anna“ erinnern? Das ist zu weit weg.'],
  ])('%s: what is left is asked', (text, question) => expect(outcome(text)).toBe(question));

  test('words beside the time are no time', () => {
    expect(intent('the train at 9 wake me')).toMatchObject({ kind: 'say' });
  });
});

describe('the answer to a question of ours', () => {
  test.each([
    ['remind me tomorrow at 9', 'to call Ben', 'call Ben'],
    ['remind me tomorrow at 9', 'of the bins', 'the bins'],
    ['remind me tomorrow at 9', 'about Ben', 'Ben'],
    ['remind me tomorrow at 9', 'call Ben', 'call Ben'],
    ['remind me tomorrow at 9', 'to-do list cleanup', 'to-do list cleanup'],
    ['erinnere mich morgen um 9', 'Ben', 'Ben'],
    ['remind me tomorrow to call Ben', '9', 'call Ben'],
    ['remind me tomorrow to call Ben', 'at 9', 'call Ben'],
    ['remind me tomorrow to call Ben', '9am is fine', 'call Ben'],
    ['erinnere mich morgen an Ben', '9', 'Ben'],
    ['Ben ist morgen da, erinnere mich', '9', 'Ben ist da'],
    ['Besprechung morgen, erinnere mich', 'um 9 Uhr', 'Besprechung'],
  ])('%s: %s', (text, answer, said) => expect(answered(text, answer)).toEqual(reminder(TOMORROW, said)));
});

test.each([
  ['schedule send the report tomorrow at 9', task(TOMORROW, 'send the report')],
  ['plane morgen um 9 sende den Bericht ein', task(TOMORROW, 'sende den Bericht')],
  ['schedule call Anna tomorrow at 9', reminder(TOMORROW, 'call Anna')],
  ['search the web for news every day at 9', task('every day at 9', 'search the web for news')],
  ['jeden Tag um 9 sag guten Morgen', task('jeden Tag um 9', 'sag guten Morgen')],
  ['at 5 say hello', task('2026-11-22T17:00:00.000Z', 'say hello')],
  ['On Friday at 5pm say hello', task('2026-11-27T17:00:00.000Z', 'say hello')],
  ['say hello in 5 minutes', task('2026-11-22T16:05:00.000Z', 'say hello')],
  ['remind me to put the oven on at 7pm', reminder('2026-11-22T19:00:00.000Z', 'put the oven on')],
  ['remind me to stop by at 7pm', reminder('2026-11-22T19:00:00.000Z', 'stop by')],
  ['tell me at 5 that the soup is ready', reminder('2026-11-22T17:00:00.000Z', 'the soup is ready')],
  ['remember to call tomorrow at 5', reminder('2026-11-23T17:00:00.000Z', 'call')],
])('%s', (text, call) => expect(outcome(text)).toEqual(call));

test.each([
  ['remember to call tomorrow', [['write_note', { text: 'call tomorrow' }]]],
  ['search the web for news tomorrow at 9', [['web_search', { query: 'news tomorrow at 9' }]]],
  ['call Anna tomorrow at 5pm, when is that?', [['query_rag', { query: 'call Anna tomorrow at 5pm, when is that?' }]]],
  ['what a day tomorrow at 5', [['query_rag', { query: 'what a day tomorrow at 5' }]]],
])('%s: nothing is scheduled', (text, call) => expect(outcome(text)).toEqual(call));
