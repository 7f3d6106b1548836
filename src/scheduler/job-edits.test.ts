import { expect, test } from 'vitest';
import { testScheduler } from '../testing/scheduler.ts';
import { sqlRun } from '../testing/sql.ts';
import { openTestStore } from '../testing/stores.ts';
import { approvalCode } from './approval-code.ts';
import { isSameJob } from './job-states.ts';
import type { NewJob } from './types.ts';

const JOB: NewJob = { when: 'in 20 minutes', prompt: 'x', project: 'home', untrusted: false };
const OWNER = { untrusted: false };
const OTHERS = { untrusted: true };
const WEEKLY: NewJob = { ...JOB, when: 'every friday at 15:00' };

test('a reminder moves to another time and comes then, once', async () => {
  const { scheduler, clock, tick, ran } = await testScheduler();
  const { id } = await scheduler.add(JOB);
  const moved = await scheduler.reschedule(id, 'tomorrow at 9', OWNER);
  expect(moved).toMatchObject({ id, said: 'tomorrow at 9', enabled: true, next: new Date('2026-11-21T09:00:00Z') });
  clock.set('2026-11-20T12:00:00Z');
  await tick();
  expect(ran).toEqual([]);
  clock.set('2026-11-21T09:00:01Z');
  await tick();
  expect(ran.map(({ scheduledFor }) => scheduledFor)).toEqual([new Date('2026-11-21T09:00:00Z')]);
});

test('what comes again needs a time from now on, not one day', async () => {
  const { scheduler } = await testScheduler();
  const { id } = await scheduler.add(WEEKLY);
  await expect(scheduler.reschedule(id, 'on 3 december at 9:00', OWNER)).rejects.toMatchObject({
    code: 'bad_time',
    hint: 'Say when from now on, such as "every weekday at 10:00".',
  });
  const moved = await scheduler.reschedule(id, 'every monday at 8', OWNER);
  expect(moved.next).toEqual(new Date('2026-11-23T08:00:00Z'));
});

test('a job that is over comes again at its new time, one that the person paused stays paused', async () => {
  const { scheduler, clock, tick, ran } = await testScheduler();
  const over = await scheduler.add(JOB);
  const paused = await scheduler.add(WEEKLY);
  await scheduler.pause(paused.id);
  clock.advance(21 * 60_000);
  await tick();
  expect((await scheduler.show(over.id)).job).toMatchObject({ enabled: false, pausedBecause: 'done' });
  expect(await scheduler.reschedule(over.id, 'in 1 hour', OWNER)).toMatchObject({
    enabled: true,
    pausedBecause: undefined,
  });
  expect(await scheduler.reschedule(paused.id, 'every day at 7', OWNER)).toMatchObject({
    enabled: false,
    pausedBecause: 'you',
  });
  clock.advance(61 * 60_000);
  await tick();
  expect(ran.map(({ job }) => job.id)).toEqual([over.id, over.id]);
});

test('a run of the former time that waits for its turn does not start any more', async () => {
  const store = await openTestStore();
  const { scheduler, tick, ran } = await testScheduler({ store });
  const { id } = await scheduler.add(JOB);
  const insert = 'INSERT INTO runs (id, schedule_id, scheduled_for, reason, state) VALUES (?, ?, ?, ?, ?)';
  await sqlRun(store, insert, 'run_time', id, '2026-11-20T10:00:00.000Z', 'time', 'due');
  await sqlRun(store, insert, 'run_hand', id, '2026-11-20T10:30:00.000Z', 'manual', 'due');
  await scheduler.reschedule(id, 'tomorrow at 9', OWNER);
  const { history } = await scheduler.show(id);
  expect(history.map(({ state, error }) => [state, error])).toEqual([
    ['due', undefined],
    ['skipped', 'it was moved to another time'],
  ]);
  await tick();
  expect(ran.map(({ runId }) => runId)).toEqual(['run_hand']);
});

test('a job is renamed, and one of a plugin is not', async () => {
  const store = await openTestStore();
  const { scheduler } = await testScheduler({ store });
  const { id } = await scheduler.add(JOB);
  expect(await scheduler.rename(id, 'water the roses', OWNER)).toMatchObject({ prompt: 'water the roses' });
  await sqlRun(store, "UPDATE schedules SET task = 'DIRECT_FUNCTION' WHERE id = ?", id);
  await expect(scheduler.rename(id, 'y', OWNER)).rejects.toMatchObject({
    ...{ code: 'bad_usage', message: `${id} belongs to a plugin and cannot be renamed.` },
    hint: 'Pause it, or change its time.',
  });
});

test('only a job with a program has one to trust', async () => {
  const { scheduler } = await testScheduler();
  const plain = await scheduler.add(JOB);
  expect((await scheduler.trustProgram(plain.id, 'new')).options).toEqual(plain.options);
  const program = { name: 'tidy', hash: 'old', input: {} };
  const { id } = await scheduler.add({ ...JOB, options: { program } as Partial<NewJob['options']> & object });
  expect((await scheduler.trustProgram(id, 'new')).options).toMatchObject({ program: { ...program, hash: 'new' } });
});

test('what a rehearsal asked for is allowed from then on, each once', async () => {
  const call = (tool: string, destination?: string) => ({ tool, destination, input: {}, effect: 'outbound' as const });
  const calls = [
    call('notify', 'discord:me'),
    call('notify', 'discord:me'),
    call('fetch', 'https://a.test'),
    call('now'),
  ];
  const { scheduler } = await testScheduler({
    onRehearse: async () => ({ outcome: { state: 'succeeded', output: '' }, calls }) as never,
  });
  const { id } = await scheduler.add(JOB);
  const { job } = await scheduler.rehearse(id, { pin: true, signal: new AbortController().signal });
  expect(job.pin).toEqual({ tools: ['notify', 'fetch', 'now'], destinations: ['discord:me', 'https://a.test'] });
  await scheduler.add({ ...JOB, prompt: 'another' });
  expect(await scheduler.ids({ pinned: true })).toEqual([id]);
  expect((await scheduler.unpin(id)).pin).toBeUndefined();
  expect(await scheduler.ids({ pinned: true })).toEqual([]);
});

test('a job that was removed or changed is put back with its history', async () => {
  const { scheduler, clock, tick } = await testScheduler();
  const { id } = await scheduler.add(WEEKLY);
  clock.set('2026-11-20T15:00:01Z');
  await tick();
  const state = await scheduler.state(id);
  await scheduler.remove(id);
  expect(await scheduler.state(id)).toBeUndefined();
  await scheduler.putBack(id, state);
  expect(isSameJob(state, await scheduler.state(id))).toBe(true);
  expect((await scheduler.show(id)).history).toMatchObject([{ state: 'succeeded' }]);
  await scheduler.rename(id, 'y', OWNER);
  expect(isSameJob(state, await scheduler.state(id))).toBe(false);
  await scheduler.putBack(id, state);
  expect((await scheduler.show(id)).job.prompt).toBe('x');
  await scheduler.putBack(id, undefined);
  expect(await scheduler.state(id)).toBeUndefined();
  await scheduler.putBack(id, undefined);
});

test('two states are of one job by its time, text and options, and texts that are no state are nothing', () => {
  const job = { kind: 'at', expression: 'x', time_zone: 'UTC', task: 'AGENT_PROMPT', payload: '"x"', options: '{}' };
  const state = (rest: object) => JSON.stringify({ job: { ...job, project: 'home', ...rest }, runs: [] });
  expect(isSameJob(state({}), state({ failures: 3, next_run_utc: 'later' }))).toBe(true);
  for (const column of [...Object.keys(job), 'project'])
    expect(isSameJob(state({}), state({ [column]: 'other' }))).toBe(false);
  expect([isSameJob(undefined, 'nonsense'), isSameJob('[]', '{"job": 3}'), isSameJob(state({}), undefined)]).toEqual([
    true,
    true,
    false,
  ]);
});

test('the next look is at what comes first, and soon where something has to be watched', async () => {
  const store = await openTestStore();
  const { scheduler, clock } = await testScheduler({ store });
  const at = () => scheduler.nextLook(clock.now());
  expect(await at()).toBeUndefined();
  const job = await scheduler.add(WEEKLY);
  expect(await at()).toEqual(new Date('2026-11-20T15:00:00Z'));
  const run = 'INSERT INTO runs (id, schedule_id, scheduled_for, reason, state, not_before) VALUES (?, ?, ?, ?, ?, ?)';
  await sqlRun(store, run, 'run_1', job.id, '2026-11-20T10:00:00.000Z', 'time', 'due', '2026-11-20T14:00:00.000Z');
  expect(await at()).toEqual(new Date('2026-11-20T14:00:00Z'));
  await sqlRun(store, run, 'run_2', job.id, '2026-11-20T13:00:00.000Z', 'time', 'due', null);
  expect(await at()).toEqual(new Date('2026-11-20T13:00:00Z'));
  await sqlRun(store, "UPDATE runs SET state = 'running' WHERE id = 'run_2'");
  expect(await at()).toEqual(new Date(clock.now().getTime() + 5000));
  await sqlRun(store, "UPDATE runs SET state = 'succeeded'");
  await scheduler.pause(job.id);
  expect(await at()).toBeUndefined();
});

test('of several runs that may start, the oldest start first, as many as there are places', async () => {
  const { scheduler, clock, ran } = await testScheduler({
    options: { concurrency: 2 },
    onDue: async (run) => {
      ran.push(run);
      await new Promise<void>((resolve) => run.signal.addEventListener('abort', () => resolve(), { once: true }));
      return { state: 'cancelled', output: '' };
    },
  });
  for (const when of ['in 30 minutes', 'in 10 minutes', 'in 20 minutes'])
    await scheduler.add({ ...JOB, when, prompt: when });
  clock.advance(30 * 60_000 + 10_000);
  await scheduler.tick();
  await scheduler.tick();
  expect(ran.map(({ job }) => job.prompt)).toEqual(['in 10 minutes', 'in 20 minutes']);
});

test('whoever wrote a job last is its author, and what was allowed to another text is forgotten', async () => {
  const { scheduler, store } = await testScheduler();
  const { id } = await scheduler.add(WEEKLY);
  await sqlRun(store, `UPDATE schedules SET pin = '{"tools":["send_mail"],"destinations":["mail:bob"]}'`);
  expect(await scheduler.rename(id, 'y', OWNER)).toMatchObject({ restricted: false, pin: { tools: ['send_mail'] } });
  expect(await scheduler.rename(id, 'mail it to eve', OTHERS)).toMatchObject({ restricted: true, pin: undefined });
  expect(await scheduler.rename(id, 'water the plants', OWNER)).toMatchObject({ restricted: false });
  expect(await scheduler.reschedule(id, 'every monday at 8', OTHERS)).toMatchObject({ restricted: true });
  // Another time does not make the text the owner's.
  expect(await scheduler.reschedule(id, 'every monday at 9', OWNER)).toMatchObject({ restricted: true });
});

test("another name does not make what a program is called with the owner's", async () => {
  const { scheduler } = await testScheduler();
  const program = { path: '/home/programs/mail.tl', hash: 'x', args: { to: 'eve@evil.example' } };
  const { id } = await scheduler.add({ ...WEEKLY, untrusted: true, options: { program } });
  const renamed = await scheduler.rename(id, 'the weekly mail', OWNER);
  expect(renamed).toMatchObject({ restricted: true });
  expect(await scheduler.approve(id, approvalCode(renamed))).toMatchObject({ restricted: false });
  expect(await scheduler.rename(id, 'the weekly mail', OTHERS)).toMatchObject({ restricted: true });
});
