import { expect, test } from 'vitest';
import { answered, outcome } from '../../../testing/built-in-outcome.ts';
import { intentOf } from '../recognize.ts';
import type { PriorMessage } from '../request.ts';

const MADE: readonly PriorMessage[] = [
  { by: 'person', text: 'remind me tomorrow at 9 to water the orchids' },
  { by: 'assistant', text: 'Scheduled tomorrow at 09:00: water the orchids (job_1m81r1kx65bfnta7).' },
];

async function callFor(text: string, earlier: readonly PriorMessage[]) {
  const now = new Date('2026-11-22T12:00:00Z');
  const intent = await intentOf({ text, earlier, now, timeZone: 'Europe/Berlin', can: () => true });
  return intent.kind === 'act' ? intent.actions.map(({ tool, input }) => ({ tool, ...input })) : intent.kind;
}

const CORRECTIONS = [
  ['Make that half past ten.', 'half past ten'],
  ['make it 3pm', '3pm'],
  ['no, at 11', 'at 11'],
  ['sorry, I meant Tuesday at 8', 'Tuesday at 8'],
  ['actually, better on Tuesday at 8', 'on Tuesday at 8'],
  ['change it to the day after tomorrow', 'the day after tomorrow'],
  ['nein, lieber um 10', 'um 10'],
  ['mach das um halb elf', 'um halb elf'],
  ['verschieb das auf Dienstag um 8', 'Dienstag um 8'],
  ['doch lieber übermorgen', 'übermorgen'],
  ['und mach daraus 18 Uhr', '18 Uhr'],
] as const;

test.each(CORRECTIONS)('"%s" moves the reminder that was talked about', async (text, when) => {
  expect(await callFor(text, MADE)).toEqual([{ tool: 'reschedule', id: 'job_1m81r1kx65bfnta7', when }]);
});

test.each(CORRECTIONS)('"%s" makes no reminder where none was talked about', async (text) => {
  expect(await callFor(text, [])).toBe('ask');
});

test.each([
  ['und verschieb es um einen Tag', 'einen Tag später'],
  ['doch eine Stunde früher', 'eine Stunde früher'],
  ['and push it back by an hour', 'an hour later'],
  ['bring it forward by two hours', 'two hours earlier'],
  ['pull that forward 15 min', '15 min earlier'],
  ['move it up a day', 'a day earlier'],
  ['half an hour earlier', 'half an hour earlier'],
  ['actually a day later would be better', 'a day later'],
  ['eine Stunde eher bitte', 'eine Stunde früher'],
  ['delay that by an hour', 'an hour later'],
])('"%s" moves it by so much', async (text, when) => {
  expect(await callFor(text, MADE)).toEqual([{ tool: 'reschedule', id: 'job_1m81r1kx65bfnta7', when }]);
});

test.each([
  ['doch erst um zehn', 'um zehn'],
  ['aber am Sonntag', 'am Sonntag'],
  ['14 Uhr wäre besser', '14 Uhr'],
  ['4pm would suit me better', undefined],
  ['but at 4pm', 'at 4pm'],
  ['Sunday', 'Sunday'],
  ['not at 9, at 10', 'at 10'],
  ['um 14 Uhr statt um 9', '14 Uhr'],
  ['kannst du mich lieber um 14 Uhr erinnern', 'um 14 Uhr'],
  ['change the time to 4pm', '4pm'],
  ['postpone it until Sunday', 'Sunday'],
])('"%s", straight after it was made, is for that reminder', async (text, when) => {
  const call = { tool: 'reschedule', id: 'job_1m81r1kx65bfnta7', when };
  expect(await callFor(text, MADE)).toEqual(when === undefined ? expect.anything() : [call]);
});

test.each(['doch erst um zehn', 'aber am Sonntag um 8', '14 Uhr wäre besser', 'but at 4pm'])(
  '"%s" is nothing to be reminded of',
  async (text) => expect(JSON.stringify(await callFor(text, []))).not.toContain('"schedule"'),
);

test.each(['move it forward an hour', 'push that ahead by a day', 'move the dentist forward by an hour'])(
  '"%s" may be earlier or later',
  async (text) => expect(await callFor(text, MADE)).toBe('ask'),
);

test('one of several is asked for', async () => {
  const list = 'a: tomorrow at 09:00 (job_1m81r1kx65bfnta7)\nb: tomorrow at 10:00 (job_2m81r1kx65bfnta7)';
  expect(await callFor('make it 3pm', [...MADE, { by: 'assistant', text: list }])).toBe('ask');
});

test.each(['no, thanks', 'make it short', 'remind me at 11 to eat', 'no, remind me at 11 to eat'])(
  '"%s" moves nothing',
  async (text) => {
    expect(JSON.stringify(await callFor(text, MADE))).not.toContain('reschedule');
  },
);

const GETTING_UP: readonly PriorMessage[] = [
  { by: 'person', text: 'weck mich morgen um 7' },
  { by: 'assistant', text: 'Geplant morgen um 07:00 Uhr: aufstehen (job_1m81r1kx65bfnta7).' },
];
const MADE_IN_GERMAN = GETTING_UP.map(({ by, text }) => ({ by, text: text.replace('aufstehen', 'Orchideen') }));

async function asked(text: string, earlier: readonly PriorMessage[]) {
  const now = new Date('2026-11-22T12:00:00Z');
  const intent = await intentOf({ text, earlier, now, timeZone: 'Europe/Berlin', can: () => true });
  if (intent.kind !== 'ask') throw new Error('not asked back');
  return intent;
}

test.each([
  ['mach das um Viertel nach sechs', 'Wann: 06:15 oder 18:15?', '18', '18:15'],
  ['mach das um Viertel nach sechs', 'Wann: 06:15 oder 18:15?', '18:15', '18:15'],
  ['nein, 5', 'Wann: 05:00 oder 17:00?', '17', 'um 17'],
])('"%s" may be two times: %s %s', async (text, question, answer, when) => {
  const { text: said, complete } = await asked(text, MADE_IN_GERMAN);
  expect(said).toBe(question);
  expect(await callFor(complete(answer), MADE_IN_GERMAN)).toEqual([
    { tool: 'reschedule', id: 'job_1m81r1kx65bfnta7', when },
  ]);
});

test('nobody is woken in the evening', async () => {
  expect(await callFor('mach das um Viertel nach sechs', GETTING_UP)).toEqual([
    { tool: 'reschedule', id: 'job_1m81r1kx65bfnta7', when: '06:15' },
  ]);
});

test.each([
  ['move it forward by an hour', MADE, 'Earlier or later?', 'earlier', 'make it an hour earlier'],
  ['make it 3pm', [], 'Which reminder do you want to move?', 'the orchids', 'move the orchids to 3pm'],
  ['mach das um 15 Uhr', [], 'Welche Erinnerung soll verschoben werden?', 'Oma', 'verschiebe Oma auf um 15 Uhr'],
])('"%s" is asked about: %s', async (text, earlier, question, answer, whole) => {
  const { text: said, complete } = await asked(text, earlier);
  expect([said, complete(answer)]).toEqual([question, whole]);
});

const GEMACHT: readonly PriorMessage[] = [
  { by: 'person', text: 'erinnere mich morgen um 9 an Anna' },
  { by: 'assistant', text: 'Geplant morgen um 09:00 Uhr: Anna (job_1m81r1kx65bfnta7).' },
];

test.each([
  ['move it forward an hour', MADE, 'Earlier or later?', 'later', 'an hour later'],
  ['move it forward an hour', MADE, 'Earlier or later?', 'earlier', 'an hour earlier'],
  ['mach das um Viertel nach sechs', GEMACHT, 'Wann: 06:15 oder 18:15?', '18:15', '18:15'],
  ['mach das um Viertel nach sechs', GEMACHT, 'Wann: 06:15 oder 18:15?', '18', '18:15'],
  ['mach das auf halb sieben', GEMACHT, 'Wann: 06:30 oder 18:30?', '6', '06:30'],
  ['mach das auf halb sieben', GEMACHT, 'Wann: 06:30 oder 18:30?', '20', 'um 20'],
])('"%s" has two meanings', (text, earlier, question, answer, when) => {
  expect(outcome(text, earlier)).toBe(question);
  expect(answered(text, answer, earlier)).toEqual([['reschedule', { id: 'job_1m81r1kx65bfnta7', when }]]);
});

test.each([
  ['make it 10', MADE, 'at 10'],
  ['no, 11', MADE, 'at 11'],
  ['mach das um 18', GEMACHT, 'um 18'],
  ['11 wäre besser', GEMACHT, 'um 11'],
  ['doch erst um 11', GEMACHT, 'um 11'],
])('"%s" names an hour', (text, earlier, when) => {
  expect(outcome(text, earlier)).toEqual([['reschedule', { id: 'job_1m81r1kx65bfnta7', when }]]);
});
