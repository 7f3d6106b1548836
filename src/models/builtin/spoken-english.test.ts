import { expect, test } from 'vitest';
import { loadUnits } from './measure.ts';
import { recognizeIntent } from './recognize.ts';
import type { Intent, PriorMessage } from './request.ts';

/** A Monday, 10:00. */
const NOW = new Date('2026-11-23T10:00:00Z');
const units = await loadUnits();

/** @param said alternately by the person and by us, the request last. */
function understood(...said: readonly string[]): Intent {
  const earlier = said
    .slice(0, -1)
    .map((text, at): PriorMessage => ({ by: at % 2 === 0 ? 'person' : 'assistant', text }));
  const can = (tool: string) => tool !== 'search_memory' && tool !== 'calendar_events';
  const found = recognizeIntent({ text: said.at(-1) ?? '', now: NOW, timeZone: 'Europe/London', can, earlier, units });
  if (found.kind === 'needs units') throw new Error('the units are there');
  return found;
}

/** The calls, or what is said. */
function outcome(...said: readonly string[]): unknown {
  const found = understood(...said);
  return found.kind === 'act' ? found.actions.map(({ tool, input }) => [tool, input]) : found.text;
}

test.each([
  ['when do the clocks go forward?', 'The clocks go forward an hour at 01:00 on Sunday 28 March 2027 (Europe/London).'],
  ['when does daylight saving time end in New York', 'back an hour at 02:00 on Sunday 7 November 2027'],
  ['wann beginnt die Sommerzeit?', 'am Sonntag, 28. März 2027 um 01:00 Uhr um eine Stunde vorgestellt'],
  ['how many days til thanksgiving', '3 days until Thursday 26 November 2026'],
  ['when is black friday', 'That is Friday 27 November 2026.'],
  ['when is pancake day 2027', 'That is Tuesday 9 February 2027.'],
  ["what's 2 pints in ml", '2 pints = 946.3529 ml (US) or 1136.523 ml (UK)'],
  ['how far is 10k in miles', '6.21371'],
  ['undo that', '`/undo`'],
  ["what's 3/8 as a percentage", '3 is 37.5% of 8.'],
  ["I'm a bit fed up today", 'I am sorry to hear that.'],
  ['can you write my essay for me', 'That is beyond me'],
])('%s', (text, answer) => expect(outcome(text)).toContain(answer));

test.each([
  ['yo set a timer for 12 min', 'schedule', { text: 'the time is up' }],
  ['swap the milk for oat milk on my shopping list', 'change_list', { remove: ['milk'], add: ['oat milk'] }],
  ['add a scarf to gift ideas', 'change_list', { list: 'gift ideas', add: ['a scarf'] }],
  ['hi there, can you stick nappies and wipes on the list', 'change_list', { add: ['nappies', 'wipes'] }],
  [
    'todo: book flights, renew library card, fix bike',
    'change_list',
    { add: ['book flights', 'renew library card', 'fix bike'] },
  ],
  ['nvm cancel the alarm', 'list_schedules', {}],
  [
    'remind me in two hours n a half to move the car',
    'schedule',
    { when: '2026-11-23T12:30:00.000Z', text: 'move the car' },
  ],
  ['also remind me tomorrow at 5pm to pick up Zara', 'schedule', { text: 'pick up Zara' }],
  ['how many days are there until the concert?', 'query_rag', { query: 'when is the concert' }],
  ['washing machine says E18 what do I do', 'query_rag', {}],
  ['what were my blood pressure readings?', 'list_notes', { query: 'blood pressure' }],
  ['delete all the gym reminders', 'cancel_schedule', { id: 'all gym' }],
  ['I already called Nan, you can drop that', 'cancel_schedule', { id: 'called Nan' }],
  ['make the surgery one nine instead', 'reschedule', { id: 'surgery', when: 'at 9' }],
  ['how long until the cake?', 'list_schedules', {}],
  ['when is the next bank holiday?', 'query_rag', { query: 'bank holiday public holiday' }],
  ['do I have any appointments on friday', 'list_schedules', {}],
  ['what else do I gotta do', 'show_lists', { list: 'to-do' }],
])('%s', (text, tool, input) => expect(outcome(text)).toMatchObject([[tool, input], ...anyMore(text)]));

/** Where a second call looks into the documents. */
function anyMore(text: string): unknown[] {
  return /cake|appointments/u.test(text) ? [['query_rag', {}]] : [];
}

const TIP = ["what's 15% tip on 63.40", 'A tip of 15% is 9.51; 72.91 in all.'];
const LEASE = ['my lease is up when?', 'The lease begins on March 1, 2026 and ends on February 28, 2027. [lease.txt]'];
const LIST = [
  'add bird seed and fat balls to the shopping list',
  'Added to your shopping list: bird seed and fat balls.',
];
test.each([
  [[...TIP, 'split that 4 ways'], '18.23 each.'],
  [["what's 10% off 58", '52.20 (5.80 off).', 'and times 5'], /= 261$/u],
  [['what is 12 * 7?', '12 * 7 = 84', 'and half of that'], /= 42$/u],
  [['how many km are 26 miles?', '26 miles = 41.84294 kilometres', 'and in metres?'], /= 41842\.94 metres$/u],
  [[...LEASE, 'how many days is that from now'], 'It is 97 days until Sunday 28 February 2027.'],
  [[...LEASE, 'what day of the week is that'], 'That is Sunday 28 February 2027.'],
])('what goes on from the answer before: %s', (said, answer) =>
  expect(outcome(...said)).toEqual(typeof answer === 'string' ? answer : expect.stringMatching(answer)),
);

test('a list at hand is shown, ticked and changed without its name', () => {
  expect(outcome(...LIST, "so what's on there now")).toMatchObject([
    ['show_lists', {}],
    ['list_notes', {}],
    ['list_notes', {}],
  ]);
  expect(outcome(...LIST, "actually I've got bird seed already")).toMatchObject([
    ['change_list', { tick: ['bird seed'] }],
  ]);
  expect(outcome(...LIST, 'swap the fat balls for peanuts')).toMatchObject([
    ['change_list', { list: 'shopping', remove: ['fat balls'], add: ['peanuts'] }],
  ]);
});

test('a question is no answer to ours', () => {
  const question = understood('remind me to collect the kids');
  if (question.kind !== 'ask') throw new Error('when?');
  expect(outcome('remind me to collect the kids', question.text, 'how long will the chili take')).toMatchObject([
    ['query_rag', { query: 'how long will the chili take' }],
  ]);
});

test('a time that is not meant is asked about, never saved', () => {
  expect(outcome('remind me not on fridays at 9 to feed the cat')).toMatch(/It says when not, but not when\.$/u);
  expect(outcome('remind me never on sundays at 9 to x')).toMatch(/It says when not, but not when\.$/u);
  expect(outcome('remind me any time except mondays at 9 to x')).toMatch(/It says when not, but not when\.$/u);
  expect(outcome('remind me to take 2 tonight')).toMatch(/The hour is not said\.$/u);
  expect(outcome('remind me 8 tonight to call')).toMatchObject([['schedule', { when: '2026-11-23T20:00:00.000Z' }]]);
  expect(outcome('remind me to call bob but not before 5pm')).toMatch(/It says when not, but not when\.$/u);
  const question = understood('remind me every weekday at quarter to four to collect the kids');
  if (question.kind !== 'ask') throw new Error('morning or afternoon?');
  const more = outcome(
    'remind me every weekday at quarter to four to collect the kids',
    question.text,
    'not on fridays',
  );
  expect(more).toMatch(/^When should I remind you/u);
});

test('the events of calendar files stand beside the reminders of a day', () => {
  const found = understood("what's on tomorrow?");
  if (found.kind !== 'act' || !found.together) throw new Error('two calls');
  const result = (value: unknown) => ({ ok: true, text: '', value, input: {} });
  const passages = [
    {
      text: 'Eye test on Tuesday 24 November 2026 at 10:15 until 10:45, at Vision Corner.\nParty on Saturday 5 December 2026.',
      citation: '[family.ics, lines 4-9]',
    },
    {
      text: 'Builders on Monday 23 November 2026 until Wednesday 25 November 2026.',
      citation: '[family.ics, lines 10-14]',
    },
    { text: 'Letter on Tuesday 24 November 2026.', citation: '[letter.txt, line 1]' },
  ];
  expect(found.together([result([]), result({ passages })])).toBe(
    '- Builders until Wednesday 25 November 2026\n- Eye test at 10:15 until 10:45, at Vision Corner',
  );
  expect(found.together([result([]), result({ passages: [] })])).toBe('Nothing is planned: Tuesday 24 November 2026.');
});

test('a question that shares a word with a passage is shown it, and is told what was not found', () => {
  const found = understood('is the gym open on sunday');
  if (found.kind !== 'act') throw new Error('a call');
  const passages = [{ text: 'Hours: weekdays 5 a.m. to 11 p.m.', citation: '[gym.md, lines 3-6]' }];
  const said = (value: unknown) => found.actions[0]?.say({ ok: true, text: '', value, input: {} });
  expect(said({ answer: '', confidence: 0.2, passages })).toContain('weekdays 5 a.m. to 11 p.m. [gym.md, lines 3-6]');
  const [other] = [{ text: 'Plan: Flex 40.', citation: '[phone-plan.txt, lines 3-7]' }];
  expect(said({ answer: '', confidence: 0.2, passages: [other] })).toMatch(/^I found nothing about that/u);
});

test('days until what the documents know', () => {
  const found = understood('how many days are there until the concert?');
  if (found.kind !== 'act') throw new Error('a call');
  const answer = 'The concert is on Saturday 12 December at 6 pm. [choir.txt, lines 1-3]';
  expect(found.actions[0]?.say({ ok: true, text: '', value: { answer, passages: [] }, input: {} })).toBe(
    `It is 19 days until Saturday 12 December 2026:\n${answer}`,
  );
});

test('a repetition that was moved is told with its next three times, in step with the day that it counts from', () => {
  const found = understood('move the ferns reminder to 10am');
  if (found.kind !== 'act') throw new Error('a call');
  const value = {
    ...{ id: 'job_1', text: 'water the ferns', next: '2026-11-24T10:00:00.000Z' },
    description: 'every 3rd day at 10:00 [0 10 * * *; every 3 days from 2026-11-21] (Europe/London)',
  };
  expect(found.actions[0]?.say({ ok: true, text: '', value, input: {} })).toBe(
    'Moved: water the ferns now comes every 3rd day at 10:00, next on Tuesday 24 November 2026 at 10:00, then ' +
      'Friday 27 November 2026 at 10:00, then Monday 30 November 2026 at 10:00 (Europe/London).',
  );
});
