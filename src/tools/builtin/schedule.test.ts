import { expect, test } from 'vitest';
import { testScheduler } from '../../testing/scheduler.ts';
import { testScope, testToolbox } from '../../testing/scope.ts';
import type { ToolResult } from '../gate/types.ts';
import { ownReminders } from './own-reminders.ts';
import { createScheduleTools } from './schedule.ts';

/** The tools on a real scheduler, whose clock stands at Friday 2026-11-20 11:00 UTC. */
async function scheduling() {
  const world = await testScheduler();
  const { scheduler, store, clock } = world;
  const scope = await testScope({ store, now: () => clock.now() });
  const toolbox = testToolbox(createScheduleTools(scheduler), scope);
  const call = (name: string, input: object) => toolbox.call(name, input, scope);
  return { ...world, scope, call };
}

/** The value of a call that has to succeed. */
function succeeded(result: ToolResult): Record<string, string> {
  if (!result.ok) throw new Error(result.error);
  return result.value as Record<string, string>;
}

test('a reminder is delivered word for word, without a model', async () => {
  const { call, clock, tick, ran, notices } = await scheduling();
  const input = { when: 'in 20 minutes', text: 'Take your tablets.', as: 'reminder' };
  expect(succeeded(await call('schedule', input))).toMatchObject({ as: 'reminder' });
  clock.advance(20 * 60_000);
  await tick();
  expect(ran).toEqual([]);
  expect(notices.map(({ text }) => text)).toEqual(['Take your tablets.']);
});

test.each([
  ['Remind me tomorrow to water the ferns', 'reminder'],
  ['Can you set me a new reminder: the ferns', 'reminder'],
  ['Erinnere mich morgen an die Farne', 'reminder'],
  ['Kannst du mich morgen früh daran erinnern?', 'reminder'],
  ['Every weekday at 8 I have to feed the ferns', 'reminder'],
  ["I'll need to water the ferns tomorrow at nine", 'reminder'],
  ['Ping me tomorrow about the ferns', 'reminder'],
  ['Tell me tomorrow at 9 to water the ferns', 'reminder'],
  ['Ich muss morgen früh die Farne gießen', 'reminder'],
  ['Every morning tell me the weather for the ferns', 'prompt'],
  ['I need a summary of my notes every morning', 'prompt'],
  ['Every morning, look at my reminder list and plan the day', 'prompt'],
  ['Every Friday, sum up which reminders I have for next week', 'prompt'],
  ['Schau jeden Freitag, welche Erinnerungen ich habe', 'prompt'],
])('of the request "%s" a text is a %s, whatever the model leaves out', async (request, as) => {
  const { call, scope } = await scheduling();
  Object.assign(scope, { turn: { ...scope.turn, text: request } });
  expect(succeeded(await call('schedule', { when: 'tomorrow 9am', text: 'Ferns and all' }))).toMatchObject({ as });
});

test.each([
  ['Reminder: call Anna', 'reminder'],
  ['Time to leave!', 'reminder'],
  ['Take your vitamins.', 'reminder'],
  ['Put the kettle on', 'reminder'],
  ['Leave for the train', 'reminder'],
  ['Blumen gießen', 'reminder'],
  ['search the web for tide tables', 'prompt'],
  ['Summarise my journal of the week', 'prompt'],
  ['How is the weather?', 'prompt'],
  ['Cluster my notes by theme', 'prompt'],
  ['Take the headlines of the day and turn them into a poem', 'prompt'],
  ['Fasse meine Notizen zusammen', 'prompt'],
])('without a word about it, "%s" is a %s', async (text, as) => {
  const { call } = await scheduling();
  expect(succeeded(await call('schedule', { when: 'tomorrow 9am', text }))).toMatchObject({ as });
});

test('a confirmation names the next run with weekday, date, time and zone, of a recurring one the next three', async () => {
  const { call } = await scheduling();
  expect(succeeded(await call('schedule', { when: 'tomorrow 9am', text: 'x' })).runs).toBe(
    'Saturday 21 November 2026 at 09:00 (UTC)',
  );
  expect(succeeded(await call('schedule', { when: 'every weekday at 9', text: 'x' })).runs).toBe(
    'Monday 23 November 2026 at 09:00, then Tuesday 24 November 2026 at 09:00, then Wednesday 25 November 2026 at 09:00 (UTC)',
  );
});

test.each([
  [25, 'Friday 20 November 2026 at 11:25 (UTC)'],
  ['45m', 'Friday 20 November 2026 at 11:45 (UTC)'],
  [2880, 'Sunday 22 November 2026 at 11:00 (UTC)'],
  [1_795_249_500, 'Saturday 21 November 2026 at 08:25 (UTC)'],
  [1_795_249_500_000, 'Saturday 21 November 2026 at 08:25 (UTC)'],
])('the number %s is at %s', async (when, runs) => {
  const { call } = await scheduling();
  expect(succeeded(await call('schedule', { when, text: 'x' })).runs).toBe(runs);
});

test.each([
  ['tomorrow at 6', 'Wake up!', 'Saturday 21 November 2026 at 06:00 (UTC)'],
  ['jeden Samstag um 6:10', 'Aufstehen', /^Saturday 21 November 2026 at 06:10/u],
])('"%s" for "%s" is in the morning', async (when, text, runs) => {
  const { call } = await scheduling();
  expect(succeeded(await call('schedule', { when, text })).runs).toMatch(runs);
});

test.each([1845, '1845', '0615', '2028', 20_261_205, '20261205'])('%s is no number of minutes', async (when) => {
  const { call } = await scheduling();
  expect(await call('schedule', { when, text: 'x' })).toMatchObject({ ok: false });
});

test('a reminder is moved by its words, under the same id', async () => {
  const { call, scheduler } = await scheduling();
  const { id } = succeeded(await call('schedule', { when: 'thursday 14:00', text: 'dentist' }));
  const moved = succeeded(await call('reschedule', { id: 'the dentist reminder', when: '3pm' }));
  expect(moved).toMatchObject({ id, text: 'dentist', runs: 'Thursday 26 November 2026 at 15:00 (UTC)' });
  expect(moved.was).toContain('14:00');
  expect((await scheduler.list()).map(({ id: each }) => each)).toEqual([id]);
});

test('a moved reminder comes at its new time only, also after it had come', async () => {
  const { call, clock, tick, notices } = await scheduling();
  await call('schedule', { when: 'in 20 minutes', text: 'tea', as: 'reminder' });
  await call('reschedule', { id: 'tea', when: 'in 2 hours' });
  clock.advance(60 * 60_000);
  await tick();
  expect(notices).toEqual([]);
  clock.advance(60 * 60_000);
  await tick();
  expect(notices.map(({ text }) => text)).toEqual(['tea']);
});

test('a job that has come can be set going again by its id', async () => {
  const { call, clock, tick, scheduler } = await scheduling();
  const { id } = succeeded(await call('schedule', { when: 'in 20 minutes', text: 'tea', as: 'reminder' }));
  clock.advance(20 * 60_000);
  await tick();
  expect((await scheduler.show(id ?? '')).job).toMatchObject({ enabled: false, pausedBecause: 'done' });
  await call('reschedule', { id, when: 'tomorrow at 9' });
  expect((await scheduler.show(id ?? '')).job).toMatchObject({ enabled: true, pausedBecause: undefined });
});

test('a repetition is not made a single time', async () => {
  const { call } = await scheduling();
  await call('schedule', { when: 'every weekday at 9', text: 'standup' });
  expect(await call('reschedule', { id: 'standup', when: 'tomorrow at 10am' })).toMatchObject({
    ok: false,
    error: expect.stringContaining('Say when from now on'),
  });
  const moved = succeeded(await call('reschedule', { id: 'standup', when: '10am' }));
  expect(moved.description).toContain('every weekday at 10:00 [0 10 * * 1,2,3,4,5]');
  expect(moved.runs).toMatch(/^Monday 23 November 2026 at 10:00, then /u);
});

test.each(['4', 4, '16'])(
  'an hour alone, %j, moves a reminder on its day and is no number of minutes',
  async (when) => {
    const { call } = await scheduling();
    await call('schedule', { when: 'thursday 14:00', text: 'dentist', as: 'reminder' });
    const moved = succeeded(await call('reschedule', { id: 'dentist', when }));
    expect(moved.runs).toBe('Thursday 26 November 2026 at 16:00 (UTC)');
  },
);

test('the text changes and the time stays', async () => {
  const { call, scheduler } = await scheduling();
  await call('schedule', { when: 'thursday 14:00', text: 'dentist', as: 'reminder' });
  const renamed = succeeded(await call('rename_schedule', { id: 'dentist', text: 'Dentist, bring the card' }));
  expect(renamed).toMatchObject({ text: 'Dentist, bring the card', was: 'dentist' });
  expect(await scheduler.list()).toMatchObject([{ prompt: 'Dentist, bring the card', options: { verbatim: true } }]);
});

test('several that fit are named instead of cancelling one', async () => {
  const { call, scheduler } = await scheduling();
  await call('schedule', { when: 'tomorrow 9am', text: 'water the orchids' });
  await call('schedule', { when: 'tomorrow 10am', text: 'water the roses' });
  const unclear = await call('cancel_schedule', { id: 'the watering reminder water' });
  expect(unclear).toMatchObject({ ok: false });
  const cancelled = await call('cancel_schedule', { id: 'the orchids reminder' });
  expect(cancelled).toMatchObject({ ok: true, value: [expect.objectContaining({ text: 'water the orchids' })] });
  expect(await scheduler.list()).toMatchObject([{ prompt: 'water the roses' }]);
});

test('the reminders of a conversation stay known to it by id and time, while they are to come', async () => {
  const { call, scheduler, store, scope } = await scheduling();
  expect(await ownReminders(store, scheduler, scope.turn)).toEqual([]);
  const { id } = succeeded(await call('schedule', { when: 'thursday 14:00', text: 'dentist' }));
  await scheduler.add({ when: 'tomorrow 9am', prompt: 'of another', project: 'home', untrusted: false });
  expect(await ownReminders(store, scheduler, scope.turn)).toEqual([
    'Reminders made in this conversation, by id:',
    `- ${id}: "dentist", Thursday 26 November 2026 at 14:00 (UTC)`,
  ]);
  await call('cancel_schedule', { id });
  expect(await ownReminders(store, scheduler, scope.turn)).toEqual([]);
});

test('what another conversation has scheduled already is not made a second time', async () => {
  const { call, scheduler, store, clock } = await scheduling();
  const first = succeeded(await call('schedule', { when: 'tomorrow 9am', text: 'Call Anna.', as: 'reminder' }));
  const other = await testScope({ store, now: () => clock.now(), turn: { id: 'turn_2', conversationId: 'conv_2' } });
  const again = async (input: object) =>
    succeeded(await testToolbox(createScheduleTools(scheduler), other).call('schedule', input, other));
  const told = await again({ when: '2026-11-21 09:00', text: 'call Anna', as: 'reminder' });
  expect(told).toMatchObject({ id: first.id, note: 'You have this reminder already. No second one was made.' });
  expect(await scheduler.list()).toHaveLength(1);
  // Another time, another text, or a prompt in place of a reminder is something else.
  await again({ when: 'tomorrow 10am', text: 'call Anna', as: 'reminder' });
  await again({ when: 'tomorrow 9am', text: 'call Ann', as: 'reminder' });
  await again({ when: 'tomorrow 9am', text: 'call Anna', as: 'prompt' });
  expect(await scheduler.list()).toHaveLength(4);
  await again({ when: 'every 2 hours', text: 'stretch' });
  clock.advance(60_000);
  expect(await again({ when: 'every 2 hours', text: 'Stretch' })).toMatchObject({
    note: expect.stringContaining('already'),
  });
});

test('all that are about something are cancelled together', async () => {
  const { call, scheduler } = await scheduling();
  await call('schedule', { when: 'tomorrow 9am', text: 'call about the boiler' });
  await call('schedule', { when: 'tomorrow 10am', text: 'boiler man comes' });
  await call('schedule', { when: 'tomorrow 11am', text: 'water the roses' });
  const cancelled = await call('cancel_schedule', { id: 'everything about the boiler' });
  expect(cancelled).toMatchObject({
    ok: true,
    value: [{ text: 'call about the boiler' }, { text: 'boiler man comes' }],
  });
  expect(await scheduler.list()).toMatchObject([{ prompt: 'water the roses' }]);
  const none = await call('cancel_schedule', { id: 'all the gym reminders' });
  expect([none.ok, JSON.stringify(none)]).toEqual([false, expect.stringContaining('called \\"the gym reminders')]);
  expect(await call('cancel_schedule', { id: 'all reminders' })).toMatchObject({ ok: false });
});
