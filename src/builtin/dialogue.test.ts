import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readExamples, taught } from '../base/examples.ts';
import type { DoneCall } from '../models/message-data.ts';
import { recognizeIntent } from './recognize.ts';
import { resultOf } from './report.ts';
import type { Intent, PriorMessage } from './request.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const examples = globSync(['src/tools/builtin/*.examples.jsonl'], { cwd: ROOT }).flatMap((path) =>
  readExamples(readFileSync(join(ROOT, path), 'utf8'), path).flatMap((each) => taught(each)),
);
/** A Thursday. */
const NOW = new Date('2026-11-26T10:00:00Z');
/** A person types for a while. */
const BETWEEN_MS = 7000;
const CHANGING = new Set(['schedule', 'reschedule', 'rename_schedule', 'write_note', 'change_list']);
const JOBS = [
  { id: 'job_a', text: 'call the dentist', when: 'once at ...', next: '2026-11-27T09:00:00Z' },
  { id: 'job_b', text: 'water the ferns', when: 'once at ...', next: '2026-11-28T09:00:00Z' },
];

/** What the documents say. */
const ANSWERS: readonly (readonly [RegExp, string])[] = [
  [/dentist/iu, 'Your dentist appointment is on Thursday 10 December 2026 at 14:15. [a.md, line 3]'],
  [/Zahnarzt/iu, 'Der Zahnarzttermin ist am 10. Dezember 2026 um 14:15 Uhr. [a.md, Zeile 3]'],
  [/lease/iu, 'The lease ends on 31 May 2027. [b.md, line 3]'],
];

/** What each request of a conversation, one some seconds after the other, comes to: its calls, or what is said or asked. */
function talk(...requests: readonly string[]): readonly string[] {
  const earlier: PriorMessage[] = [];
  const done: DoneCall[] = [];
  let jobs = 0;
  return requests.map((text, at) => {
    const now = new Date(NOW.getTime() + at * BETWEEN_MS);
    let intent: Intent = recognizeIntent({
      ...{ text, examples, earlier: [...earlier], timeZone: 'UTC', now, can: () => true },
      done: done.map((call) => ({ ...call, ago: call.ago })),
    });
    const told: string[] = [];
    const calls: string[] = [];
    for (const call of done.splice(0)) done.push({ ...call, ago: call.ago + 1 });
    while (intent.kind === 'act') {
      const results = intent.actions.map(({ tool, input }) => {
        calls.push(`${tool} ${Object.values(input).join(' | ')}`);
        const id = tool === 'schedule' ? `job_${jobs + 1}` : String(input.id ?? '');
        const found = ANSWERS.find(([asks]) => tool === 'query_rag' && asks.test(String(input.query)))?.[1];
        const made = { id, next: '2026-11-27T09:00:00.000Z', text: input.text };
        const value = tool === 'list_schedules' ? JOBS : found ? { answer: found, passages: [] } : made;
        if (tool === 'schedule') jobs += 1;
        if (CHANGING.has(tool)) done.push({ id: `eff_${done.length}`, ago: 1, tool, input, value });
        return resultOf({ ok: true, input, text: JSON.stringify(value), value });
      });
      told.push(...intent.actions.map((action, at) => (results[at] ? action.say(results[at]) : '')));
      const next: Intent | undefined = intent.next?.(results);
      if (!next) break;
      intent = next;
    }
    const said = intent.kind === 'act' ? told.filter(Boolean).join('\n') : intent.text;
    earlier.push({ by: 'person', text }, { by: 'assistant', text: said });
    return calls.length > 0 ? calls.join('; ') : `${intent.kind}: ${said}`;
  });
}

test('a question is answered by what fits it', () => {
  expect(talk('remind me to oil the gate', 'tomorrow at 10am is fine').at(-1)).toBe(
    'schedule 2026-11-27T10:00:00.000Z | oil the gate | reminder',
  );
  expect(talk('remind me on Saturday to oil the gate', '9').at(-1)).toContain('schedule 2026-11-28T09:00');
  expect(talk('remind me at half eight to go', '20:30').at(-1)).toContain('schedule 2026-11-26T20:30');
  expect(talk('remind me tomorrow at 9', 'buy flowers').at(-1)).toContain('| buy flowers |');
  expect(talk('remind me in 20 minutes', 'the oven')).toEqual([
    'ask: What should I remind you of in 20 minutes?',
    'schedule 2026-11-26T10:20:07.000Z | the oven | reminder',
  ]);
  expect(talk('erinnere mich in 20 Minuten', 'an die Wäsche').at(-1)).toMatch(/^schedule \S+T10:20:07\S+ \| .*Wäsche/u);
  expect(talk('erinnere mich morgen daran, Anna anzurufen', 'um 9').at(-1)).toContain('T09:00:00.000Z | Anna anrufen');
  expect(talk('erinnere mich morgen daran, die Fenster zuzumachen', 'um 9').at(-1)).toContain(
    '| die Fenster zumachen |',
  );
  expect(talk('erinnere mich morgen um 9', 'die Blumen gießen').at(-1)).toContain('| die Blumen gießen |');
  expect(talk('ich brauche Milch', 'ja, gerne').at(-1)).toBe('change_list shopping | Milch');
  expect(talk('we need cat litter', 'do we have any?').at(-1)).not.toContain('change_list');
});

test('how long before is answered in hours and in days, and by no time of day', () => {
  const [dentist, zahnarzt] = [
    'dentist on 5 December at 3pm, remind me before',
    'Zahnarzt am 5.12. um 15 Uhr, erinnere mich vorher',
  ];
  expect(talk(dentist, 'an hour is fine').at(-1)).toContain('2026-12-05T14:00:00.000Z | dentist');
  expect(talk(dentist, '2 days').at(-1)).toContain('2026-12-03T15:00:00.000Z | dentist');
  expect(talk(zahnarzt, 'eine halbe Stunde vorher').at(-1)).toContain('2026-12-05T14:30:00.000Z | Zahnarzt');
  expect(talk(zahnarzt, 'zwei Tage').at(-1)).toContain('2026-12-03T15:00:00.000Z | Zahnarzt');
  expect(talk(dentist, '2pm').at(-1)).not.toContain('schedule');
});

test('anything else is a new request, and the question stays open', () => {
  const [, sum, kept] = talk('remind me to oil the gate', 'what is 12 times 7?', 'tomorrow at 9');
  expect(sum).toContain('84');
  expect(kept).toContain('| oil the gate |');
  expect(talk('remind me to oil the gate', 'thanks!').at(-1)).toMatch(/^say: /u);
  expect(talk('remind me to oil the gate', 'never mind').at(-1)).toMatch(/^say: /u);
  expect(talk('remind me to oil the gate', 'add milk to my shopping list').at(-1)).toContain('change_list');
  expect(talk('remind me tomorrow at 9', 'when was the treaty signed?').at(-1)).toContain('query_rag');
  expect(talk('remind me to do the dishes', 'tomorrow at 9').at(-1)).toContain('| do the dishes |');
  expect(talk('remind me to oil the gate', 'in which year was the treaty signed?').at(-1)).toContain('query_rag');
});

test('"it" is what was made or changed last', () => {
  const made = 'remind me tomorrow at 9 to water the orchids';
  expect(talk(made, 'make it 7pm').at(-1)).toBe('reschedule job_1 | 7pm');
  expect(talk(made, 'no, 11').at(-1)).toBe('reschedule job_1 | at 11');
  expect(talk(made, 'Sunday').at(-1)).toBe('reschedule job_1 | Sunday');
  expect(talk(made, 'push it back an hour').at(-1)).toBe('reschedule job_1 | an hour later');
  expect(talk(made, 'cancel it').at(-1)).toBe('cancel_schedule job_1');
  expect(talk(made, 'thanks', 'make it 7pm').at(-1)).toBe('reschedule job_1 | 7pm');
  expect(talk(made, 'remind me at 5pm to eat', 'cancel the other one').at(-1)).toBe('cancel_schedule job_1');
  expect(talk('erinnere mich morgen um 9 an Oma', 'lieber um 14 Uhr').at(-1)).toBe('reschedule job_1 | um 14 Uhr');
  expect(talk('erinnere mich morgen um 9 an Oma', 'eine halbe Stunde früher bitte').at(-1)).toBe(
    'reschedule job_1 | eine halbe Stunde früher',
  );
  expect(talk('note that Ben likes tea', 'remind me of that tomorrow at 9').at(-1)).toContain('| Ben likes tea |');
});

test('it is nothing where nothing was done', () => {
  expect(talk('make it 7pm').at(-1)).toMatch(/^say: I did not understand/u);
  expect(talk('remind me of that').at(-1)).toMatch(/^ask: What should I remind you of/u);
});

test('one of several is chosen by its place or its words', () => {
  expect(talk('cancel a reminder', 'the second one').at(-1)).toBe('list_schedules ; cancel_schedule job_b');
  expect(talk('cancel a reminder', 'the dentist').at(-1)).toBe('list_schedules ; cancel_schedule job_a');
  expect(talk('lösche eine Erinnerung', 'alle').at(-1)).toBe(
    'list_schedules ; cancel_schedule job_a; cancel_schedule job_b',
  );
});

test('several requests in one sentence are done together, and a question comes first', () => {
  expect(talk('note that I like tea, and remind me tomorrow at 9 to buy some').at(-1)).toBe(
    'write_note I like tea; schedule 2026-11-27T09:00:00.000Z | buy some | reminder',
  );
  expect(talk('add milk to my shopping list and remind me to call Anna', 'at 5pm').at(-1)).toMatch(
    /^change_list .*; schedule .*17:00.* call Anna/u,
  );
  expect(talk('remind me at 5pm to buy milk and call Anna').at(-1)).toContain('| buy milk and call Anna |');
});

test('what has a time is a reminder, and a request with a time is done then', () => {
  expect(talk('call Anna tomorrow at 5pm').at(-1)).toContain('| call Anna | reminder');
  expect(talk('every day at 8 show my shopping list').at(-1)).toBe(
    'schedule every day at 8 | show my shopping list | prompt',
  );
  expect(talk('um 18 Uhr Zähler ablesen').at(-1)).toContain('| Zähler ablesen | reminder');
  expect(talk('what happens tomorrow at 9?').at(-1)).not.toContain('schedule');
});

test('a timer is stopped, whatever was touched last', () => {
  const made = ['set a timer for 20 minutes', 'remind me tomorrow at 9 to water the orchids'];
  expect(talk(...made, 'stop the timer').at(-1)).toBe('cancel_schedule job_1');
  expect(talk('remind me tomorrow at 9 to water the orchids', 'stop the timer').at(-1)).toBe('list_schedules ');
  expect(talk('stell einen Timer auf 20 Minuten', 'danke', 'stopp den Timer').at(-1)).toBe('cancel_schedule job_1');
});

test('"undo that" takes back all that the request before did', () => {
  const both = 'note that I like tea, and remind me tomorrow at 9 to buy some';
  expect(talk(both, 'undo that').at(-1)).toBe('undo_change eff_1; undo_change eff_0');
  expect(talk('note that the shelf is 55 cm wide', 'undo that').at(-1)).toBe('undo_change ');
});

test('what goes on from the request since answers no older question', () => {
  const made = ['remind me to oil the gate', 'remind me at 5pm to eat'];
  expect(talk(...made, 'make it 6pm').at(-1)).toBe('reschedule job_1 | 6pm');
  expect(talk(...made, 'cancel it').at(-1)).toBe('cancel_schedule job_1');
  expect(talk(...made, 'undo that').at(-1)).toBe('undo_change ');
});

test('half a day that answers which hour is meant is no hour of its own', () => {
  const asked = 'remind me at half eight to water the plants';
  expect(talk(asked, 'tonight').at(-1)).toBe('schedule 2026-11-26T20:30:00.000Z | water the plants | reminder');
  expect(talk(asked, 'tomorrow morning').at(-1)).toBe(
    'schedule 2026-11-27T08:30:00.000Z | water the plants | reminder',
  );
  expect(talk('erinnere mich um halb acht an den Müll', 'heute Abend').at(-1)).toContain('2026-11-26T19:30:00.000Z');
});

test('"at 10, not at 9" moves what was just set', () => {
  expect(talk('remind me tomorrow at 9 to call Anna', 'no, at 10, not at 9').at(-1)).toBe('reschedule job_1 | at 10');
});

const DENTIST = 'when is my dentist appointment?';
const ZAHNARZT = 'wann ist der Zahnarzttermin?';
const ANN = 'remind me on 10 December at 2pm to see Ann';
const ANNA = 'erinnere mich am 10.12. um 14 Uhr an Anna';
const MOT = 'note that the MOT is on 10 December';

test.each([
  // Behind an answer that names a day.
  [[DENTIST, 'remind me of that the day before', 'at 8'], '2026-12-09T08:00'],
  [[DENTIST, 'remind me of that the day before', 'half past seven'], '2026-12-09T07:30'],
  [[DENTIST, 'remind me of that the day before at 8'], '2026-12-09T08:00'],
  [[DENTIST, 'remind me of that', 'the day before', 'at 8'], '2026-12-09T08:00'],
  [[DENTIST, 'remind me of that', 'two days before at 9'], '2026-12-08T09:00'],
  [[DENTIST, 'remind me of that an hour before'], '2026-12-10T13:15'],
  [[DENTIST, 'remind me an hour before'], '2026-12-10T13:15'],
  [[ZAHNARZT, 'erinnere mich daran am Tag davor', 'um 8'], '2026-12-09T08:00'],
  [[ZAHNARZT, 'erinnere mich daran am Vortag um 8'], '2026-12-09T08:00'],
  [[ZAHNARZT, 'erinnere mich daran zwei Tage vorher um 9'], '2026-12-08T09:00'],
  [[ZAHNARZT, 'erinnere mich daran', 'zwei Tage vorher um 9'], '2026-12-08T09:00'],
  [[ZAHNARZT, 'erinnere mich eine Stunde vorher'], '2026-12-10T13:15'],
  [['when does the lease end?', 'remind me an hour before', 'noon'], '2027-05-31T11:00'],
  [['when does the lease end?', 'remind me of that', 'a fortnight before', 'at 9'], '2027-05-17T09:00'],
  [[ZAHNARZT, 'erinnere mich daran zwei Tage vorher um 9', 'und eine Stunde vorher'], '2026-12-10T13:15'],
  // Behind a reminder, which has a time.
  [[ANN, 'remind me two days before that'], '2026-12-08T14:00'],
  [[ANN, 'remind me two days before that at 9'], '2026-12-08T09:00'],
  [[ANN, 'remind me the day before as well', '7pm'], '2026-12-09T19:00'],
  [[ANN, 'and an hour before'], '2026-12-10T13:00'],
  [[ANN, 'remind me two days before that', 'and an hour before'], '2026-12-10T13:00'],
  [[ANNA, 'erinnere mich auch am Tag davor', '19 Uhr'], '2026-12-09T19:00'],
  [[ANNA, 'und eine Stunde vorher'], '2026-12-10T13:00'],
  [['dentist on 10 December at 3pm, remind me the day before', 'at 8'], '2026-12-09T08:00'],
  [['dentist on 10 December at 3pm, remind me the day before at 8'], '2026-12-09T08:00'],
  [['Zahnarzt am 10.12. um 15 Uhr, erinnere mich am Tag davor um 8'], '2026-12-09T08:00'],
  // Behind a note, which has a day.
  [[MOT, 'remind me of that the day before at 8'], '2026-12-09T08:00'],
  [[MOT, 'remind me of that', 'tomorrow at 9'], '2026-11-27T09:00'],
])('%j counts back to %s', (turns, when) => {
  expect(talk(...turns).at(-1)).toContain(`schedule ${when}:00.000Z |`);
});

test.each([
  [['when does the lease end?', 'remind me an hour before'], /^query_rag [^;]*$/u],
  [[MOT, 'remind me an hour before'], /At what time on Thursday 10 December/u],
  [['remind me of that the day before'], /^(?:ask|say): /u],
  [['remind me two days before'], /^(?:ask|say): /u],
  [['thanks', 'und zwei Tage vorher'], /^(?:ask|say): /u],
])('%j is asked about: there is no time to count from', (turns, said) => {
  const last = talk(...turns).at(-1);
  expect(last).not.toContain('schedule');
  expect(last).toMatch(said);
});
