import { describe, expect, test } from 'vitest';
import { LONGEST_REQUEST } from './not-understood.ts';
import { recognizeIntent } from './recognize.ts';
import type { PriorMessage } from './request.ts';

/** A Friday, 12:27 in Oslo. */
const NOW = new Date('2026-11-20T11:27:00Z');

const plan = (text: string, earlier: readonly PriorMessage[] = []) =>
  recognizeIntent({ text, now: NOW, timeZone: 'Europe/Oslo', can: () => true, earlier });

/** What is asked; anything but a question is shown as it is. */
function question(text: string): unknown {
  const found = plan(text);
  return found.kind === 'ask' ? found.text : found;
}

/** When and what is scheduled once the question is answered. */
function answered(text: string, answer: string): unknown {
  const found = plan(answer, [
    { by: 'person', text },
    { by: 'assistant', text: String(question(text)) },
  ]);
  const input = found.kind === 'act' ? found.actions[0]?.input : undefined;
  return input ? `${input.when}: ${input.text}` : found;
}

const LIKE = 'For example "tomorrow at 9" or "in 20 minutes".';

describe('a time that is not clear is asked about in one question', () => {
  test.each([
    ['remind me tomorrow past to call Fjordbank', 'When should I remind you to call Fjordbank? "past" is not clear.'],
    ['remind me half past to call Fjordbank', `When should I remind you to call Fjordbank? ${LIKE}`],
    ['remind me when I am home to call Anna', `When should I remind you to call Anna? ${LIKE}`],
    ['remind me until friday to drink', 'When should I remind you to drink? How often within that time is not said.'],
    ['remind me twice a day to drink', 'When should I remind you to drink? The times of day are not said.'],
    [
      'remind me every tuesday in december at 9 to water',
      'When should I remind you to water: this year or every year?',
    ],
    ['remind me soon to call Anna', 'When should I remind you to call Anna? "soon" is not clear.'],
    ['remind me at sunset to walk the dog', 'When should I remind you to walk the dog? "sunset" is not clear.'],
    ['remind me tomorow at 9 to call Anna', 'Did you mean "tomorrow"?'],
    ['remind me every day at 5 to feed the cat', 'When should I remind you to feed the cat: 05:00 or 17:00?'],
    ['remind me next saturday at 9 to call', 'When should I remind you to call: 2026-11-21 or 2026-11-28?'],
    ['remind me on the 32nd to pay', 'When should I remind you to pay? There is no day 32 in that month.'],
    ['remind me on our anniversary at 9 to cook', 'When should I remind you to cook? "anniversary" is not clear.'],
    ['erinnere mich am Donerstag um 9 an den Zahnarzt', 'Meinst du „donnerstag“ statt „Donerstag“?'],
    ['erinnere mich jeden Tag um 5 an die Katze', 'Wann soll ich dich an „Katze“ erinnern: 05:00 oder 17:00?'],
    ['erinnere mich am 32. an die Miete', 'Wann soll ich dich an „Miete“ erinnern? Einen 32. hat der Monat nicht.'],
    [
      'erinnere mich zweimal am Tag an die Tabletten',
      'Wann soll ich dich an „Tabletten“ erinnern? Die Uhrzeiten fehlen.',
    ],
    [
      'erinnere mich bald daran, die Zeitung zu abonnieren',
      'Wann soll ich dich daran erinnern, die Zeitung zu abonnieren? „bald“ ist mir nicht klar.',
    ],
    [
      'erinnere mich nächsten Samstag um 9 an Oma',
      'Wann soll ich dich an „Oma“ erinnern: Samstag, 21. November 2026 oder Samstag, 28. November 2026?',
    ],
    [
      'erinnere mich letzten Samstag an Oma',
      'Wann soll ich dich an „Oma“ erinnern? Das ist schon vorbei (Samstag, 14. November 2026).',
    ],
    ['erinnere mich bald an die Miete', 'Wann soll ich dich an „Miete“ erinnern? „bald“ ist mir nicht klar.'],
  ])('%s', (text, asked) => expect(question(text)).toBe(asked));
});

describe('the answer picks one of two readings, and the rest of what was said stays', () => {
  test.each([
    ['remind me every day at 5 to feed the cat', '17:00', 'every day at 17:00: feed the cat'],
    ['remind me every day at 5 to feed the cat', '5pm', 'every day at 17:00: feed the cat'],
    ['remind me every day at 5 to feed the cat', 'in the morning', 'every day at 05:00: feed the cat'],
    ['remind me every day at 5 to feed the cat', 'the second one', 'every day at 17:00: feed the cat'],
    ['remind me tomorrow at 6:45 to go', '18:45', '2026-11-21T17:45:00.000Z: go'],
    ['remind me next saturday at 9 to call', '2026-11-28', '2026-11-28T08:00:00.000Z: call'],
    ['remind me next saturday at 9 to call', 'the 28th', '2026-11-28T08:00:00.000Z: call'],
    [
      'remind me every tuesday in december at 9 to water',
      'this year',
      'every tuesday in december this year at 9: water',
    ],
    ['remind me every tuesday in december at 9 to water', 'yearly', 'every tuesday in december every year at 9: water'],
    ['erinnere mich nächsten Samstag um 9 an Oma', 'am 28.', '2026-11-28T08:00:00.000Z: Oma'],
    ['erinnere mich nächsten Samstag um 9 an Oma', 'am 21.11.', '2026-11-21T08:00:00.000Z: Oma'],
    ['erinnere mich jeden Tag um 5 an die Katze', '17 Uhr', 'jeden Tag um 17:00: Katze'],
    ['erinnere mich jeden Tag um 5 an die Katze', 'nachmittags', 'jeden Tag um 17:00: Katze'],
  ])('%s: %s', (text, answer, scheduled) => expect(answered(text, answer)).toBe(scheduled));

  test.each([
    ['remind me twice a day to drink', 'at 8 and 20', 'twice a day at 8 and 20: drink'],
    ['remind me until friday to drink', 'every day at 9', 'until friday every day at 9: drink'],
    ['remind me every month to pay', 'on the 3rd at 9', 'every month on the 3rd at 9: pay'],
    ['erinnere mich zweimal am Tag an die Katze', 'um 8 und 20 Uhr', 'zweimal am Tag um 8 und 20 Uhr: Katze'],
  ])('%s: what was missing, %s', (text, answer, scheduled) => expect(answered(text, answer)).toBe(scheduled));

  test('half an answer does not make it a single time', () => {
    expect(answered('remind me twice a day to drink', 'at 8')).toMatchObject({ kind: 'ask' });
  });

  test.each([
    ['remind me every day at 5 to feed the cat', 'hmm, not sure'],
    ['remind me every day at 5 to feed the cat', 'at 5'],
    ['remind me next saturday at 9 to call', 'whichever suits'],
    ['erinnere mich jeden Tag um 5 an die Katze', 'weiß nicht'],
  ])('%s: what picks neither, %s, is no word of the task', (text, answer) => {
    expect(answered(text, answer)).toMatchObject({ kind: 'ask', text: question(text) });
  });

  test.each([
    ['remind me every day at 5 to feed the cat', 'tomorrow at 5pm', '2026-11-21T16:00:00.000Z: feed the cat'],
    ['remind me next saturday at 9 to call', 'on the 28th at 10am', '2026-11-28T09:00:00.000Z: call'],
    ['remind me on our anniversary at 9 to cook', 'on 3 December at 9', '2026-12-03T08:00:00.000Z: cook'],
    ['remind me to call Anna', '17:30', '2026-11-20T16:30:00.000Z: call Anna'],
  ])('%s: a whole time in its place, %s', (text, answer, scheduled) => expect(answered(text, answer)).toBe(scheduled));
});

test('a text that is too long for a request is told so', () => {
  const long = 'The orchard was quiet. '.repeat(LONGEST_REQUEST / 10);
  expect(plan(long)).toMatchObject({ kind: 'say', text: expect.stringContaining('longer than the 2000 characters') });
  expect(plan(`what is ${long}?`)).toMatchObject({ kind: 'act', actions: [{ tool: 'query_rag' }] });
  expect(plan(`what is ${long.repeat(3)}?`)).toMatchObject({ kind: 'say' });
  expect(plan(`note: ${long}`)).toMatchObject({ kind: 'act', actions: [{ input: { text: long.trim() } }] });
});
