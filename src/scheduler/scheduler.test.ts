import { expect, onTestFinished, test, vi } from 'vitest';
import type { Store } from '../store/store.ts';
import { testScheduler } from '../testing/scheduler.ts';
import { sqlAll, sqlGet } from '../testing/sql.ts';
import type { NewJob, RunOutcome } from './types.ts';

const JOB: NewJob = { when: 'in 20 minutes', prompt: 'say hello', project: 'home', untrusted: false };

async function openRuns(store: Store): Promise<number> {
  return Number((await sqlGet(store, "SELECT count(*) AS n FROM runs WHERE state IN ('claimed', 'running')"))?.n);
}

const failing = async (): Promise<RunOutcome> => ({ state: 'failed', output: '', error: 'the model is away' });

test('a one-off runs when its time comes, once, and its answer is told', async () => {
  const { clock, scheduler, tick, ran, notices } = await testScheduler();
  const job = await scheduler.add(JOB);
  await tick();
  expect(ran).toEqual([]);
  clock.advance(20 * 60_000);
  await tick();
  await tick();
  expect(ran.map((run) => run.job.prompt)).toEqual(['say hello']);
  expect(notices.map((notice) => notice.text)).toEqual(['answer to say hello']);
  const { history, job: after } = await scheduler.show(job.id);
  expect(history).toMatchObject([{ state: 'succeeded', reason: 'time', attempt: 1, delivery: 'pending' }]);
  expect(after).toMatchObject({ enabled: false, pausedBecause: 'done', next: undefined });
});

test('a recurring job moves on to its next time', async () => {
  const { clock, scheduler, tick, ran } = await testScheduler();
  const job = await scheduler.add({ ...JOB, when: 'every day at 12' });
  for (let hour = 0; hour < 72; hour++) {
    clock.advance(3_600_000);
    await tick();
  }
  expect(ran.map((run) => run.scheduledFor.toISOString())).toEqual([
    '2026-11-20T12:00:00.000Z',
    '2026-11-21T12:00:00.000Z',
    '2026-11-22T12:00:00.000Z',
  ]);
  expect((await scheduler.show(job.id)).next[0]?.toISOString()).toBe('2026-11-23T12:00:00.000Z');
});

test('a recurring job with an end is over after its last time', async () => {
  const { clock, scheduler, tick, ran } = await testScheduler();
  const job = await scheduler.add({ ...JOB, when: 'every day at 12 until 21 November' });
  for (let hour = 0; hour < 72; hour++) {
    clock.advance(3_600_000);
    await tick();
  }
  expect(ran.map((run) => run.scheduledFor.toISOString())).toEqual([
    '2026-11-20T12:00:00.000Z',
    '2026-11-21T12:00:00.000Z',
  ]);
  expect((await scheduler.show(job.id)).job).toMatchObject({ enabled: false, pausedBecause: 'done' });
  await expect(scheduler.resume(job.id)).rejects.toThrow(expect.objectContaining({ code: 'bad_time' }));
});

test('an answer that begins with [SILENT] stays in the history', async () => {
  const { clock, scheduler, tick, notices } = await testScheduler({
    onDue: async () => ({ state: 'succeeded', output: '[SILENT] no news' }),
  });
  const job = await scheduler.add(JOB);
  clock.advance(20 * 60_000);
  await tick();
  expect(notices).toEqual([]);
  expect((await scheduler.show(job.id)).history).toMatchObject([
    { state: 'succeeded', output: '[SILENT] no news', delivery: 'silent' },
  ]);
});

test('a failed run is tried again later, then reported once', async () => {
  const { clock, scheduler, tick, notices } = await testScheduler({ onDue: failing });
  const job = await scheduler.add(JOB);
  clock.advance(20 * 60_000);
  await tick();
  expect((await scheduler.show(job.id)).history).toMatchObject([
    { state: 'due', attempt: 1, error: 'the model is away' },
  ]);
  clock.advance(31_000);
  await tick();
  clock.advance(121_000);
  await tick();
  expect((await scheduler.show(job.id)).history).toMatchObject([{ state: 'failed', attempt: 3 }]);
  expect(notices).toHaveLength(1);
  expect(notices[0]?.text).toContain('the model is away');
});

test('a job that keeps failing is paused with one notice and runs again when resumed', async () => {
  const { clock, scheduler, tick, notices } = await testScheduler({
    onDue: failing,
    options: { retries: 0, pauseAfter: 3 },
  });
  const job = await scheduler.add({ ...JOB, when: 'every 2 hours' });
  for (let n = 0; n < 6; n++) {
    clock.advance(2 * 3_600_000);
    await tick();
  }
  const { history, job: paused } = await scheduler.show(job.id);
  expect(history).toHaveLength(3);
  expect(paused).toMatchObject({ enabled: false, pausedBecause: '3 failures in a row' });
  expect(notices.map((notice) => notice.text).filter((text) => text.includes('paused now'))).toHaveLength(1);
  expect(await scheduler.resume(job.id)).toMatchObject({
    enabled: true,
    failures: 0,
    next: new Date('2026-11-21T01:00:00Z'),
  });
});

test('a run that succeeds forgets the failure of one that ran beside it', async () => {
  const ends: ((outcome: RunOutcome) => void)[] = [];
  const { clock, scheduler, tick, store } = await testScheduler({
    options: { retries: 0, overlap: 'allow' },
    onDue: () => new Promise((end) => ends.push(end)),
  });
  const job = await scheduler.add({ ...JOB, when: 'every 2 hours' });
  const failures = async () => (await scheduler.show(job.id)).job.failures;
  for (const count of [1, 2]) {
    clock.advance(2 * 3_600_000);
    await scheduler.tick();
    await vi.waitFor(() => expect(ends).toHaveLength(count));
  }
  ends[1]?.(await failing());
  await vi.waitFor(async () => expect(await failures()).toBe(1));
  ends[0]?.({ state: 'succeeded', output: 'x' });
  await vi.waitFor(async () => expect(await openRuns(store)).toBe(0));
  await tick();
  expect(await failures()).toBe(0);
});

test('a run that overruns its deadline fails and says so', async () => {
  const { clock, scheduler, notices, store } = await testScheduler({
    options: { deadlineMs: 50, retries: 0 },
    onDue: ({ signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  });
  await scheduler.add(JOB);
  clock.advance(20 * 60_000);
  await scheduler.tick();
  await vi.waitFor(async () => expect(await openRuns(store)).toBe(0));
  await vi.waitFor(() => expect(notices[0]?.text).toContain('deadline of 50 ms'));
});

test('run now runs a job at once and leaves its next time alone', async () => {
  const { scheduler, ran } = await testScheduler();
  const job = await scheduler.add({ ...JOB, when: 'every day at 12' });
  const run = await scheduler.runNow(job.id);
  expect(run).toMatchObject({ state: 'succeeded', reason: 'manual', output: 'answer to say hello' });
  expect(ran).toHaveLength(1);
  expect((await scheduler.show(job.id)).job.next).toEqual(new Date('2026-11-20T12:00:00Z'));
});

test('the same idempotency key makes one job', async () => {
  const { scheduler } = await testScheduler();
  const first = await scheduler.add({ ...JOB, idempotencyKey: 'k' });
  expect(await scheduler.add({ ...JOB, idempotencyKey: 'k' })).toEqual(first);
  expect(await scheduler.list()).toHaveLength(1);
});

test('an unknown id is refused by name', async () => {
  const { scheduler } = await testScheduler();
  await expect(scheduler.pause('job_nope')).rejects.toMatchObject({ code: 'unknown_schedule' });
});

test('a missed run of a job that asks is run for its own time when told to', async () => {
  const { clock, scheduler, tick, ran, notices } = await testScheduler();
  const job = await scheduler.add({ ...JOB, when: 'every day at 12', options: { catchUp: 'ask' } });
  clock.set('2026-11-20T15:00:00Z');
  await tick();
  expect(ran).toEqual([]);
  expect(notices[0]?.text).toContain(`run it now with \`wooster schedule run ${job.id}\`?`);
  expect(await scheduler.runNow(job.id)).toMatchObject({ state: 'succeeded', reason: 'catch-up' });
  expect(ran.map((run) => run.scheduledFor.toISOString())).toEqual(['2026-11-20T12:00:00.000Z']);
  expect(await scheduler.runNow(job.id)).toMatchObject({ reason: 'manual' });
});

test('a one-off that was missed for good stays listed and can be run after all', async () => {
  const { clock, scheduler, tick, ran } = await testScheduler();
  const job = await scheduler.add(JOB);
  clock.set('2026-11-25T11:00:00Z');
  await tick();
  expect(await scheduler.list()).toMatchObject([{ enabled: false, pausedBecause: 'its time was missed' }]);
  await expect(scheduler.resume(job.id)).rejects.toMatchObject({ code: 'bad_time' });
  await scheduler.runNow(job.id);
  expect(ran.map((run) => run.scheduledFor.toISOString())).toEqual(['2026-11-20T11:20:00.000Z']);
  expect((await scheduler.show(job.id)).job.pausedBecause).toBe('done');
});

test('a run that was asked for by hand fails at once', async () => {
  const { scheduler } = await testScheduler({ onDue: failing });
  const job = await scheduler.add(JOB);
  expect(await scheduler.runNow(job.id)).toMatchObject({ state: 'failed', error: 'the model is away' });
});

test('a run asked for by hand keeps its lease in a program that does not tick', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { promise: ended, resolve: end } = Promise.withResolvers<RunOutcome>();
  const { scheduler, store, clock } = await testScheduler({ onDue: () => ended });
  const job = await scheduler.add(JOB);
  const running = scheduler.runNow(job.id);
  const lease = async () => (await sqlAll(store, "SELECT lease_until AS at FROM runs WHERE state = 'running'"))[0]?.at;
  await vi.waitFor(async () => expect(await lease()).toBeDefined());
  const first = String(await lease());
  clock.advance(20_000);
  vi.advanceTimersByTime(20_000);
  await vi.waitFor(async () => expect(String(await lease()) > first).toBe(true));
  end({ state: 'succeeded', output: '' });
  await running;
});
