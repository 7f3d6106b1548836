import { describe, expect, test } from 'vitest';
import { zoneOf } from '../../when/zone.ts';
import { loadUnits } from './measure.ts';
import { intentOf, recognizeIntent } from './recognize.ts';
import type { Intent, PriorMessage } from './request.ts';

/** A Friday, 11:25 in a zone that the machine of the tests is not in. */
const TIME_ZONE = 'Asia/Kathmandu';
const NOW = localInstant(20, 11, 25);
const UNITS = await loadUnits();
const local = (...fields: Parameters<typeof localInstant>) => localInstant(...fields).toISOString();

function localInstant(day: number, hour: number, minute = 0, month = 10): Date {
  return new Date(zoneOf(TIME_ZONE).instantAt(Date.UTC(2026, month, day, hour, minute)));
}

function plan(text: string, earlier: readonly PriorMessage[] = []): Intent {
  // Nothing is remembered yet, so there is nothing to search.
  const absent = (tool: string) => tool === 'search_memory' || tool === 'forget_memory';
  const can = (tool: string) =>
    !absent(tool) && (!tool.endsWith('_notify') || ['discord_notify', 'signal_notify'].includes(tool));
  const found = recognizeIntent({ text, now: NOW, timeZone: TIME_ZONE, can, earlier, units: UNITS });
  if (found.kind === 'needs units') throw new Error('the units are there');
  return found;
}

/** The one call that a request amounts to. */
function call(text: string, earlier: readonly PriorMessage[] = []) {
  const found = plan(text, earlier);
  if (found.kind !== 'act' || found.actions.length !== 1) return found;
  const { as: _manner, ...input } = found.actions[0]?.input ?? {};
  return [found.actions[0]?.tool, input];
}

function answer(text: string): string {
  const found = plan(text);
  return found.kind === 'act' ? JSON.stringify(found.actions) : found.text;
}

const NOTES: readonly (readonly [string, string])[] = [
  ['note: the spare key is with Anna', 'the spare key is with Anna'],
  ['Note that the spare key is with Anna.', 'the spare key is with Anna.'],
  ['take a note: buy oat milk', 'buy oat milk'],
  ['Take a note that the boiler was serviced', 'the boiler was serviced'],
  ['please take a note saying the door code is 4711', 'the door code is 4711'],
  ['could you make a note that Ben is allergic to nuts?', 'Ben is allergic to nuts?'],
  ['write down: call the bank', 'call the bank'],
  ['write this down: 42 is the answer', '42 is the answer'],
  ['jot down that the train was late', 'the train was late'],
  ["don't forget that the lease ends in June", 'the lease ends in June'],
  ['remember to buy stamps', 'buy stamps'],
  ['add "renew passport" to my notes', 'renew passport'],
  ['put the wifi password is hunter2 in my notes', 'the wifi password is hunter2'],
  ['save this: the printer is called Bertha', 'the printer is called Bertha'],
  ['cap: idea for the talk', 'idea for the talk'],
  ['capture: ask Tom about skis', 'ask Tom about skis'],
  ['log to journal: slept well', 'slept well'],
  ['journal: a quiet day', 'a quiet day'],
  ['note to self: stretch more', 'stretch more'],
  ["Hey Wooster, I'd like you to note that Monday is free", 'Monday is free'],
  ['keep in mind that the shop closes early on Sundays', 'the shop closes early on Sundays'],
  ['memo: ring the plumber', 'ring the plumber'],
  ['I parked on level 3, please remember that', 'I parked on level 3'],
  ['new note: the gate squeaks', 'the gate squeaks'],
  ['keep a note of this: locker 12', 'locker 12'],
];

const LISTS: readonly string[] = [
  'show my notes',
  'list notes',
  'what are my notes?',
  'What have I noted so far?',
  'read my notes back to me',
  'can you show me all my notes please?',
  'which notes do I have',
  'what did I write down?',
  'show the journal',
  'do I have any notes?',
];

const REMINDERS: readonly (readonly [string, string, string])[] = [
  ['in 1 minute say hello', local(20, 11, 26), 'say hello'],
  ['In one minute, say hello.', local(20, 11, 26), 'say hello'],
  ['say hello in 1 minute', local(20, 11, 26), 'say hello'],
  ['remind me in 30 mins to call Anna', local(20, 11, 55), 'call Anna'],
  ['remind me to call Anna in half an hour', local(20, 11, 55), 'call Anna'],
  ['Remind me to call Anna at 5pm', local(20, 17), 'call Anna'],
  ['please remind me at 17:00 to call Anna', local(20, 17), 'call Anna'],
  ['remind me at 5 to call Anna', local(20, 17), 'call Anna'],
  ['remind me tomorrow at 9 to call Anna', local(21, 9), 'call Anna'],
  ['remind me to call Anna tomorrow at 9am', local(21, 9), 'call Anna'],
  ['can you remind me about the meeting on Monday at 3pm?', local(23, 15), 'the meeting'],
  ['remind me tomorrow morning to water the plants', local(21, 9), 'water the plants'],
  ['remind me tonight to lock the door', local(20, 21), 'lock the door'],
  ['remind me at noon that lunch is ready', local(20, 12), 'lunch is ready'],
  ['remind me at half past five to leave', local(20, 17, 30), 'leave'],
  ['remind me on the 25th at 10am to pay rent', local(25, 10), 'pay rent'],
  ['remind me on 24 December at 18:00 to light the candles', local(24, 18, 0, 11), 'light the candles'],
  ['set a reminder for tomorrow at 8am to take out the bins', local(21, 8), 'take out the bins'],
  ['set an alarm for 7:30 tomorrow', local(21, 7, 30), 'wake up'],
  ['set a timer for 10 minutes', local(20, 11, 35), 'the time is up'],
  ['wake me at 6am', local(21, 6), 'wake up'],
  ["don't let me forget to call Ben at 4pm", local(20, 16), 'call Ben'],
  ['schedule dentist on Tuesday at 14:15', local(24, 14, 15), 'dentist'],
  ['I want to be reminded in 2 hours to stretch', local(20, 13, 25), 'stretch'],
  ['tell me in ten minutes to check the oven', local(20, 11, 35), 'check the oven'],
  ['ping me at 3pm about the report', local(20, 15), 'the report'],
  ['tomorrow at 8am search the web for tide tables', local(21, 8), 'search the web for tide tables'],
  ['remember to buy milk tomorrow at 5pm', local(21, 17), 'buy milk'],
  ['every weekday at 8 say good morning', 'every weekday at 8', 'say good morning'],
  ['remind me every day at 9pm to take my pills', 'every day at 9pm', 'take my pills'],
  ['every monday at 8am remind me to water the ferns', 'every monday at 8am', 'water the ferns'],
  ['remind me to stand up every 2 hours', 'every 2 hours', 'stand up'],
  ['please set a 5 minute timer', local(20, 11, 30), 'the time is up'],
  ['tomorrow at 9, remind me to call Anna', local(21, 9), 'call Anna'],
  ['call Anna tomorrow at 5pm', local(21, 17), 'call Anna'],
  ['schedule a daily reminder at 9am to drink water', 'daily at 9am', 'drink water'],
  ['remind me on the first of every month to pay rent', 'on the first of every month', 'pay rent'],
  ['every 5 minutes say tick', 'every 5 minutes', 'say tick'],
  ['remind me daily at 7am to meditate', 'daily at 7am', 'meditate'],
  ['every morning say good morning', 'every morning', 'say good morning'],
];

const ASK_BACK: readonly (readonly [string, RegExp])[] = [
  ['remind me to call Anna', /^When should I remind you to call Anna\?/u],
  ['remind me about the meeting', /^When should I remind you of the meeting\?/u],
  ['set a reminder to buy milk', /^When should I remind you to buy milk\?/u],
  ['remind me tomorrow to call Anna', /^At what time tomorrow should I remind you to call Anna\?/u],
  [
    'remind me to pay the rent on Tuesday',
    /^At what time on Tuesday 24 November 2026 should I remind you to pay the rent\?/u,
  ],
  ['remind me tomorrow at 9', /^What should I remind you of tomorrow at 09:00\?/u],
  ['remind me', /^What should I remind you of, and when\?/u],
  ['take a note', /^What should I note\?/u],
  ['search the web', /^What should I search the web for\?/u],
  ['send me a notification', /^What should the message say\?/u],
];

const FILES: readonly (readonly [string, string, Record<string, string>])[] = [
  ['read notes.txt', 'read_file', { path: 'notes.txt' }],
  ['show me the file docs/plan.md', 'read_file', { path: 'docs/plan.md' }],
  ['open recipes.md please', 'read_file', { path: 'recipes.md' }],
  ["what's in todo.txt?", 'read_file', { path: 'todo.txt' }],
  ['what does readme.md say?', 'read_file', { path: 'readme.md' }],
  ['cat a.txt', 'read_file', { path: 'a.txt' }],
  ['write "hello world" to hello.txt', 'write_file', { path: 'hello.txt', content: 'hello world' }],
  ['save the total is 12 as total.md', 'write_file', { path: 'total.md', content: 'the total is 12' }],
  ['create a file called list.txt with milk and eggs', 'write_file', { path: 'list.txt', content: 'milk and eggs' }],
  ['create notes/today.md containing: a good day', 'write_file', { path: 'notes/today.md', content: 'a good day' }],
  ['list my files', 'list_directory', { path: '.' }],
  ['what files are there?', 'list_directory', { path: '.' }],
];

const OUTSIDE: readonly (readonly [string, string, Record<string, string>])[] = [
  ['notify me that dinner is ready', 'notify', { text: 'dinner is ready' }],
  ['send me a notification: the build is done', 'notify', { text: 'the build is done' }],
  ['send a message saying I am late', 'notify', { text: 'I am late' }],
  ['send a discord message: build finished', 'notify', { text: 'build finished', to: 'discord' }],
  ['send "good night" to discord', 'notify', { text: 'good night', to: 'discord' }],
  ['message me on signal that the bread is done', 'notify', { text: 'the bread is done', to: 'signal' }],
  ['post hello everyone on discord', 'notify', { text: 'hello everyone', to: 'discord' }],
  ['search the web for tide tables', 'web_search', { query: 'tide tables' }],
  ['google how to prune roses', 'web_search', { query: 'how to prune roses' }],
  ['look up the weather in Oslo online', 'web_search', { query: 'the weather in Oslo' }],
  ['fetch https://example.org/a.html', 'fetch_text', { url: 'https://example.org/a.html' }],
  ['what does https://example.org say?', 'fetch_text', { url: 'https://example.org' }],
];

const DOCUMENTS: readonly (readonly [string, string])[] = [
  ['what do my documents say about the boiler?', 'the boiler'],
  ['search my documents for heat pumps', 'heat pumps'],
  ['search library for zettelkasten', 'zettelkasten'],
  ['according to my documents, when was the house built?', 'when was the house built'],
  ['find the warranty in my files', 'the warranty'],
  ['where is the spare key?', 'where is the spare key?'],
  ['who wrote the report on tides?', 'who wrote the report on tides?'],
  ['When does the lease end?', 'When does the lease end?'],
  ['how do I reset the boiler?', 'how do I reset the boiler?'],
  ['tell me about the garden', 'the garden'],
  ['explain the warranty terms', 'the warranty terms'],
  ['is there anything about insurance in my documents?', 'insurance'],
  ['and its author?', 'and its author?'],
  ['Which pump does the manual recommend', 'Which pump does the manual recommend'],
];

const SUMS: readonly (readonly [string, string])[] = [
  ['what is 12 * 7?', '84'],
  ["what's 2+2", '4'],
  ['calculate (3 + 4) * 2', '14'],
  ['12 x 12', '144'],
  ['how much is 15% of 80?', '12'],
  ['what is 15 percent of 80', '12'],
  ['80 + 15%', '92'],
  ['100 / 8', '12.5'],
  ['what is the square root of 144?', '12'],
  ['2 to the power of 10', '1024'],
  ['2^3^2', '512'],
  ['7 squared', '49'],
  ['twelve times seven', '84'],
  ['two hundred plus five', '205'],
  ['half of 90', '45'],
  ['17 mod 5', '2'],
  ['1,250 * 4', '5000'],
  ['0.1 + 0.2', '0.3'],
  ['what is -3 * -4', '12'],
];

const SAID: readonly (readonly [string, RegExp])[] = [
  ['convert 10 km to miles', /= 6\.213712 miles/u],
  ['10 kg in pounds', /= 22\.04623 pounds/u],
  ['how many feet in a mile?', /1 mile = 5280 feet/u],
  ['100 F in C', /= 37\.77778 C/u],
  ['what is 20 degrees celsius in fahrenheit?', /= 68 fahrenheit/u],
  ['how many minutes are in 3 hours', /3 hours = 180 minutes/u],
  ['convert 2 cups to ml', /= 473\.1765 ml/u],
  ['how many grams in a pound', /453\.5924 grams/u],
  ['5 km in kg', /no conversion/u],
  ['8 Mb in MB', /= 1 MB/u],
  ['250 ML in l', /= 0\.25 l/u],
  ['2 EL in TL', /= 6 TL/u],
  ['100 PS in kW', /= 73\.54988 kW/u],
  ['1 cwt in kg', /= 50\.80235 kg/u],
  ['36 points in inches', /= 0\.5 inches/u],
  ['5 kN in N', /= 5000 N/u],
  ['100 km/h in m/s', /= 27\.77778 m\/s/u],
  ['30 mpg in l/100 km', /= 7\.840486 l/u],
  ['6 l/100 km in mpg', /= 39\.20243 mpg/u],
  ['the average of 3, 4 and 8', /average of 3, 4, 8 is 5/u],
  ['1 / 0', /division by zero/u],
  ['what time is it?', /^It is 11:25 on Friday 20 November 2026/u],
  ['what day is it today?', /^Today is Friday 20 November 2026/u],
  ["what's the date", /^Today is Friday 20 November 2026/u],
  ['how many days until Christmas?', /^It is 35 days until Friday 25 December 2026/u],
  ['how long until new year', /^It is 42 days/u],
  ['how many weeks until 25 December', /^It is 5 weeks until/u],
  ['how many days between 1 March and 5 May?', /it is 65 days/u],
  ['what day is 3 weeks from today', /^That is Friday 11 December 2026/u],
  ['what date is 10 days after 25 December?', /^That is Monday 4 January 2027/u],
  ['what day of the week is 2026-12-25?', /^That is Friday 25 December 2026/u],
  ['what date was 2 weeks ago', /^That is Friday 6 November 2026/u],
  ['is 2028 a leap year?', /^2028 is a leap year/u],
  ['how many days are in February 2028?', /^There are 29 days in February 2028/u],
  ['when is halloween?', /^That is Sunday 31 October 2027/u],
  ['what week is it', /^It is week 47/u],
  ['how old is someone born on 1 December 1990?', /^35 years/u],
  ['help', /remind you/u],
  ['what can you do?', /search your documents/u],
  ['add 5 and 7', /= 12$/u],
  ['5 factorial', /^5! = 120$/u],
  ['what tools do you have?', /\/tools lists them/u],
  ['who are you?', /built-in model.*not a large language model/u],
  ['what model are you using?', /OPENAI_BASE_URL/u],
  ['how do I connect a real model?', /OPENAI_API_KEY/u],
  ['are you an AI?', /deterministic program/u],
  ['do you send my data to the internet?', /leaves this machine/u],
  ['hello', /^Hello\./u],
  ['Hi Wooster!', /^Hello\./u],
  ['good morning', /^Hello\./u],
  ['thank you!', /^You are welcome/u],
  ['bye', /^Goodbye/u],
  ['how are you?', /^All in order/u],
  ['say hello', /^hello$/u],
  ['Reminder: call Anna', /^Reminder: call Anna$/u],
  ['write me a poem about the sea', /language model.*connect a model/su],
  ['blorp the wibble', /did not understand.*connect a real model/su],
];

describe('the built-in model understands', () => {
  test.each(NOTES)('%s', (text, note) => expect(call(text)).toEqual(['write_note', { text: note }]));
  test.each(LISTS)('%s', (text) => expect(call(text)).toEqual(['list_notes', {}]));
  test.each(REMINDERS)('%s', (text, when, task) => expect(call(text)).toEqual(['schedule', { when, text: task }]));
  test.each(FILES)('%s', (text, tool, input) => expect(call(text)).toEqual([tool, input]));
  test.each(OUTSIDE)('%s', (text, tool, input) => expect(call(text)).toEqual([tool, input]));
  test.each(DOCUMENTS)('%s', (text, query) => expect(call(text)).toEqual(['query_rag', { query }]));
  test.each(SUMS)('%s', (text, value) =>
    expect(answer(text)).toMatch(new RegExp(` = ${value.replace('.', '\\.')}$`, 'u')),
  );
  test.each(SAID)('%s', (text, pattern) => expect(answer(text)).toMatch(pattern));
  test.each(['list my reminders', 'what reminders do I have?', 'what is scheduled?', 'show all scheduled tasks'])(
    '%s',
    (text) => expect(call(text)).toEqual(['list_schedules', {}]),
  );
  test.each([
    ['remind me at 5pm to call Anna', 'reminder'],
    ['every weekday at 8 say good morning', 'prompt'],
  ])('%s: a %s', (text, as) => expect(plan(text)).toMatchObject({ actions: [{ input: { as } }] }));
  test('cancel reminder job_01abc', () =>
    expect(call('cancel reminder job_01abc')).toEqual(['cancel_schedule', { id: 'job_01abc' }]));
});

describe('what is missing is asked for', () => {
  test.each(ASK_BACK)('%s', (text, question) => {
    const found = plan(text);
    expect(found.kind).toBe('ask');
    expect(found.kind === 'ask' && found.text).toMatch(question);
  });

  test('the next words complete the request', () => {
    const earlier: PriorMessage[] = [
      { by: 'person', text: 'remind me to call Anna' },
      { by: 'assistant', text: answer('remind me to call Anna') },
    ];
    expect(call('tomorrow at 9', earlier)).toEqual(['schedule', { when: local(21, 9), text: 'call Anna' }]);
  });

  test('a request can be completed in two steps', () => {
    const earlier: PriorMessage[] = [
      { by: 'person', text: 'remind me' },
      { by: 'assistant', text: answer('remind me') },
      { by: 'person', text: 'call Anna' },
      { by: 'assistant', text: answer('remind me to call Anna') },
    ];
    expect(call('at 5pm', earlier)).toEqual(['schedule', { when: local(20, 17), text: 'call Anna' }]);
  });

  test.each([
    ['remind me tomorow at 9 to call Anna', 'yes', local(21, 9)],
    ['remind me tomorow at 9 to call Anna', 'tomorrow at 10am', local(21, 10)],
    ['remind me every second tusday to call Anna', 'on tuesday at 9', local(24, 9)],
    ['remind me this morning at 9 to call Anna', 'at 5pm', local(20, 17)],
    ['remind me tomorrow from 5pm to 6pm to call Anna', 'tomorrow at 5pm', local(21, 17)],
  ])('a better time goes in the place of one that was not clear: %s, %s', (text, answered, when) => {
    const earlier: PriorMessage[] = [
      { by: 'person', text },
      { by: 'assistant', text: answer(text) },
    ];
    expect(call(answered, earlier)).toEqual(['schedule', { when, text: 'call Anna' }]);
  });

  test('another request instead is taken as that', () => {
    const earlier: PriorMessage[] = [
      { by: 'person', text: 'remind me to call Anna' },
      { by: 'assistant', text: answer('remind me to call Anna') },
    ];
    expect(call('note: buy milk', earlier)).toEqual(['write_note', { text: 'buy milk' }]);
    expect(plan('never mind', earlier)).toMatchObject({ kind: 'say' });
  });
});

test('several requests in one sentence are done together', () => {
  const found = plan('note that I like tea, and remind me tomorrow at 9 to buy some');
  expect(found).toMatchObject({
    actions: [
      { tool: 'write_note', input: { text: 'I like tea' } },
      { tool: 'schedule', input: { when: local(21, 9), text: 'buy some' } },
    ],
  });
});

test('only a conversion needs the library of units', async () => {
  const asked = (text: string) => ({ text, now: NOW, timeZone: TIME_ZONE, can: () => true, earlier: [] });
  const needs = (text: string) => recognizeIntent(asked(text)).kind === 'needs units';
  expect(
    ['convert 10 km to miles', "5'10 in cm", '200 Grad Fahrenheit in Celsius'].filter((text) => !needs(text)),
  ).toEqual([]);
  expect(
    ['what is 3 + 4', 'remind me at 6pm to call Anna', 'add milk to my list', 'help'].filter((text) => needs(text)),
  ).toEqual([]);
  expect(await intentOf(asked('turn 3 apples into pies'))).toEqual(
    recognizeIntent({ ...asked('turn 3 apples into pies'), units: UNITS }),
  );
});

describe('the text of a scheduled job that is due', () => {
  const due = (text: string) =>
    recognizeIntent({ text, now: NOW, timeZone: TIME_ZONE, can: () => true, earlier: [], isDue: true });

  test.each(['Drink water.', 'remind me to call Anna', 'Nimm deine Tabletten.'])(
    '"%s" asks for nothing, so it is what is said',
    (text) => expect(due(text)).toEqual({ kind: 'say', text }),
  );

  test('a request is carried out', () => {
    expect(due('note that I like tea')).toMatchObject({ kind: 'act', actions: [{ tool: 'write_note' }] });
  });
});
