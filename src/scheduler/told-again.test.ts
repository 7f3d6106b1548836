import { expect, test, vi } from 'vitest';
import { silentLog } from '../base/log.ts';
import { testScheduler } from '../testing/scheduler.ts';
import { sqlAll, sqlRun } from '../testing/sql.ts';
import { approvalCode } from './approval-code.ts';
import type { NewJob, RunOutcome } from './types.ts';

const JOB: NewJob = { when: 'in 1 hour', prompt: 'x', project: 'home', untrusted: false };
const MINUTE = 60_000;

test('changes that come after a run has begun, or has failed, start another one', async () => {
  const outcomes: RunOutcome[] = [{ state: 'failed', output: '', error: 'x' }];
  const seen: (readonly string[])[] = [];
  const { scheduler, clock, tick } = await testScheduler({
    onDue: async ({ changed }) => {
      seen.push(changed);
      return outcomes.shift() ?? { state: 'succeeded', output: '' };
    },
  });
  await scheduler.add({ ...JOB, when: 'on: project-changed' });
  await scheduler.projectChanged('home', ['a']);
  clock.advance(2000);
  await tick();
  await scheduler.projectChanged('home', ['b']);
  clock.advance(60_000);
  await tick();
  clock.advance(60_000);
  await tick();
  expect(seen).toEqual([['a'], ['a'], ['b']]);
});

test('a job runs by hand as often as it is asked for, each time a run of its own', async () => {
  const { scheduler } = await testScheduler();
  const { id } = await scheduler.add(JOB);
  const runs = [await scheduler.runNow(id), await scheduler.runNow(id)];
  expect(runs.map(({ scheduledFor }) => scheduledFor.toISOString())).toEqual([
    '2026-11-20T11:00:00.000Z',
    '2026-11-20T11:00:00.001Z',
  ]);
});

test('a job that may only read may do more once the owner approves of it', async () => {
  const { scheduler } = await testScheduler();
  const job = await scheduler.add({ ...JOB, untrusted: true });
  expect((await scheduler.show(job.id)).job).toMatchObject({ untrusted: true, restricted: true });
  expect(await scheduler.approve(job.id, approvalCode(job))).toMatchObject({ untrusted: false, restricted: false });
});

test('how long missed runs stay open is set in hours', async () => {
  const { scheduler } = await testScheduler({ options: { windowHours: 3 } });
  expect((await scheduler.add(JOB)).options).toMatchObject({ windowMs: 3 * 60 * MINUTE, catchUp: 'once', retries: 2 });
  const usual = await testScheduler();
  expect((await usual.scheduler.add({ ...JOB, options: { to: undefined, retries: 7 } })).options).toEqual({
    ...{ catchUp: 'once', catchUpMax: 10, windowMs: 24 * 60 * MINUTE, overlap: 'skip' },
    ...{ deadlineMs: 10 * MINUTE, retries: 7, pauseAfter: 10 },
  });
});

test('a function whose plugin is gone fails by its name', async () => {
  const { scheduler, clock, tick, store, notices } = await testScheduler();
  await scheduler.seed([{ taskKey: 'tides', description: 'Tides', schedule: 'every hour', run: async () => 'x' }]);
  const [{ id = '' } = {}] = (await sqlAll(store, 'SELECT id FROM schedules')) as { id: string }[];
  await sqlRun(store, "UPDATE schedules SET task_key = 'ebb' WHERE id = ?", id);
  clock.advance(60 * MINUTE);
  await tick();
  expect((await scheduler.show(id)).history).toMatchObject([
    { state: 'failed', error: 'no loaded plugin has the task ebb' },
  ]);
  expect(notices[0]?.text).toContain('Scheduled job "Tides"');
});

test('an outcome that a busy database does not take is written again', async () => {
  const errors: string[] = [];
  const log = { ...silentLog, error: (message: string) => errors.push(message) };
  const { scheduler, clock, store, states } = await testScheduler({ log });
  await scheduler.add(JOB);
  clock.advance(60 * MINUTE);
  const real = store.transaction.bind(store);
  let left = 1;
  vi.spyOn(store, 'transaction').mockImplementation((async (work: () => Promise<unknown>, options: never) => {
    const isEnd = String(work).includes('finishAll') && left-- > 0;
    if (isEnd) throw new Error('database is locked');
    return real(work, options);
  }) as never);
  await scheduler.tick();
  await vi.waitFor(async () => expect(await states()).toEqual(['succeeded']), { timeout: 20_000 });
  expect(errors).toEqual(['runs not recorded']);
});
