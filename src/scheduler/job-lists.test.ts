import { expect, test } from 'vitest';
import { testScheduler } from '../testing/scheduler.ts';
import { sqlRun } from '../testing/sql.ts';
import type { NewJob, OnDue, RunOutcome } from './types.ts';

/** A run that goes on until its program ends. */
const untilStopped: OnDue = ({ signal }) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
const JOB: NewJob = { when: 'in 20 minutes', prompt: 'x', project: 'home', untrusted: false };

/** Jobs of two projects: one is over, one is paused, one waits for documents. */
async function scene() {
  const made = await testScheduler();
  const { scheduler, clock, tick } = made;
  const add = async (when: string, project = 'home') => (await scheduler.add({ ...JOB, when, project })).id;
  const over = await add('in 5 minutes');
  clock.advance(6 * 60_000);
  await tick();
  const ids = {
    over,
    watch: await add('on: project-changed'),
    late: await add('tomorrow at 9'),
    soon: await add('every day at 20:00'),
    other: await add('in 1 hour', 'garden'),
    paused: await add('every day at 21:00'),
  };
  await scheduler.pause(ids.paused);
  return { ...made, ids };
}

test('jobs are listed by their next time, those without one last', async () => {
  const { scheduler, ids } = await scene();
  const byId = (one: string, two: string) => (one < two ? [one, two] : [two, one]);
  const last = byId(ids.over, ids.watch);
  expect((await scheduler.list()).map(({ id }) => id)).toEqual([ids.other, ids.soon, ids.paused, ids.late, ...last]);
  expect((await scheduler.list('garden')).map(({ id }) => id)).toEqual([ids.other]);
});

test('ids are of a project, before a time, and of what is not over', async () => {
  const { scheduler, ids } = await scene();
  expect(await scheduler.ids()).toEqual([ids.other, ids.soon, ids.paused, ids.late, ids.watch]);
  expect(new Set(await scheduler.ids({ finished: true }))).toEqual(new Set(Object.values(ids)));
  expect(await scheduler.ids({ project: 'garden' })).toEqual([ids.other]);
  expect(await scheduler.ids({ before: new Date('2026-11-20T20:00:00Z') })).toEqual([ids.other]);
  expect(await scheduler.ids({ before: new Date('2026-11-20T20:00:01Z') })).toEqual([ids.other, ids.soon]);
});

test('jobs are named in the order of their ids, and those that are gone are left out', async () => {
  const { scheduler, ids } = await scene();
  const found = await scheduler.named([ids.late, 'job_none', ids.soon]);
  expect(found.map(({ id }) => id)).toEqual([ids.late, ids.soon]);
});

test('the outlook counts all jobs, those that come, and says when the first one does', async () => {
  const { scheduler } = await scene();
  expect(await scheduler.outlook()).toEqual({ jobs: 6, coming: 3, next: new Date('2026-11-20T12:06:00Z') });
  expect(await scheduler.outlook('home')).toEqual({ jobs: 5, coming: 2, next: new Date('2026-11-20T20:00:00Z') });
  expect(await scheduler.outlook('none')).toEqual({ jobs: 0, coming: 0, next: undefined });
});

test('alike are enabled jobs of the project at the same times', async () => {
  const { scheduler, ids } = await scene();
  const alike = async (job: Partial<NewJob>) => (await scheduler.alike({ ...JOB, ...job })).map(({ id }) => id);
  expect(await alike({ when: 'every day at 20:00' })).toEqual([ids.soon]);
  for (const same of [
    'every day at 8pm',
    'daily at 20:00',
    'at 8 in the evening every day',
    'täglich um 20 Uhr',
    '0 20 * * *',
  ])
    expect(await alike({ when: same }), same).toEqual([ids.soon]);
  expect(await alike({ when: 'every day at 20:00', timeZone: 'Europe/Berlin' })).toEqual([]);
  expect(await alike({ when: 'every day at 20:00', project: 'garden' })).toEqual([]);
  expect(await alike({ when: 'every day at 20:00', untrusted: true })).toEqual([]);
  expect(await alike({ when: 'every day at 21:00' })).toEqual([]);
  expect(await alike({ when: 'at 9 on 21 November 2026' })).toEqual([ids.late]);
  expect(await alike({ when: 'at 9 on 22 November 2026' })).toEqual([]);
  const { id } = await scheduler.add({ ...JOB, when: 'every other day at 7am' });
  expect(await alike({ when: 'every 2 days at 07:00' })).toEqual([id]);
  expect(await alike({ when: 'every 3 days at 07:00' })).toEqual([]);
});

test('a job is shown with three of its next times and twenty of its runs, newest first', async () => {
  const { scheduler, clock, tick } = await testScheduler();
  const { id } = await scheduler.add({ ...JOB, when: 'every hour' });
  for (let n = 0; n < 22; n++) {
    clock.advance(3_600_000);
    await tick();
  }
  const { history, next } = await scheduler.show(id);
  expect(history).toHaveLength(20);
  expect(history[0]?.scheduledFor).toEqual(new Date('2026-11-21T09:00:00Z'));
  const times = ['10', '11', '12', '13'].map((hour) => new Date(`2026-11-21T${hour}:00:00Z`));
  expect(next).toEqual(times.slice(0, 3));
  expect((await scheduler.show(id, 2, 4)).next).toEqual(times);
  expect((await scheduler.show(id, 2)).history).toHaveLength(2);
  await scheduler.pause(id);
  expect((await scheduler.show(id)).next).toEqual([]);
});

test.each([
  ['pending', 'sent now'],
  ['queued for signal', 'sent now'],
  ['unknown: no reply', 'sent now'],
  ['sent, was queued before', 'sent, was queued before'],
  ['none', 'none'],
])('a report that is "%s" reads as "%s" once the outbox says so', async (delivery, shown) => {
  const { scheduler, store, clock, tick } = await testScheduler({
    reported: async (ids) => new Map(ids.map((id) => [id, 'sent now'])),
  });
  const { id } = await scheduler.add(JOB);
  clock.advance(20 * 60_000);
  await tick();
  await sqlRun(store, 'UPDATE runs SET delivery = ?', delivery);
  expect((await scheduler.show(id)).history).toMatchObject([{ delivery: shown }]);
});

test('a report of which the outbox knows nothing stays as it was', async () => {
  const { scheduler, store, clock, tick } = await testScheduler({ reported: async () => new Map() });
  const { id } = await scheduler.add(JOB);
  clock.advance(20 * 60_000);
  await tick();
  await sqlRun(store, "UPDATE runs SET delivery = 'queued'");
  expect((await scheduler.show(id)).history).toMatchObject([{ delivery: 'queued' }]);
});

test('as many runs are in progress at once as there are places', async () => {
  const { scheduler, clock, states } = await testScheduler({
    options: { concurrency: 2 },
    onDue: untilStopped,
  });
  for (let n = 0; n < 5; n++) await scheduler.add({ ...JOB, prompt: `${n}`, options: { deadlineMs: 9e6 } });
  clock.advance(20 * 60_000);
  await scheduler.tick();
  expect((await states()).sort()).toEqual(['due', 'due', 'due', 'running', 'running']);
});

test('a job that runs is not started by hand beside itself, unless its runs may overlap', async () => {
  const { scheduler, clock } = await testScheduler({ onDue: untilStopped });
  const alone = await scheduler.add({ ...JOB, options: { deadlineMs: 9e6 } });
  clock.advance(20 * 60_000);
  await scheduler.tick();
  await expect(scheduler.runNow(alone.id)).rejects.toMatchObject({
    code: 'bad_usage',
    message: `${alone.id} is running right now.`,
    hint: `Try again when it is over; \`wooster schedule show ${alone.id}\` tells.`,
  });
});

test('only a prompt can be rehearsed, and only what went well is allowed from then on', async () => {
  const outcomes: RunOutcome['state'][] = ['failed', 'succeeded', 'succeeded'];
  const { scheduler } = await testScheduler({
    onRehearse: async () => ({
      outcome: { state: outcomes.shift() ?? 'failed', output: '' },
      calls: [{ tool: 'notify', input: {}, effect: 'outbound', destination: 'x:owner', stubbed: true }],
    }),
  });
  const rehearse = (id: string, pin = true) => scheduler.rehearse(id, { pin, signal: new AbortController().signal });
  const { id } = await scheduler.add(JOB);
  expect((await rehearse(id)).job.pin).toBeUndefined();
  expect((await rehearse(id, false)).job.pin).toBeUndefined();
  expect((await rehearse(id)).job.pin).toEqual({ tools: ['notify'], destinations: ['x:owner'] });
  const refusal = { code: 'bad_usage', hint: 'Only prompts can; functions of plugins and plain messages cannot.' };
  const plain = await scheduler.add({ ...JOB, options: { verbatim: true } });
  await expect(rehearse(plain.id)).rejects.toMatchObject(refusal);
  await scheduler.seed([{ taskKey: 'a', description: 'A', schedule: 'every hour', run: async () => '' }]);
  const [task] = (await scheduler.list()).filter((job) => job.task === 'DIRECT_FUNCTION');
  await expect(rehearse(task?.id ?? '')).rejects.toMatchObject(refusal);
});
