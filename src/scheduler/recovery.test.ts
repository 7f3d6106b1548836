import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { silentLog } from '../base/log.ts';
import type { Store } from '../store/store.ts';
import { FakeClock } from '../testing/clock.ts';
import { temporaryFolder } from '../testing/home.ts';
import { testScheduler } from '../testing/scheduler.ts';
import { sqlRun } from '../testing/sql.ts';
import { openTestStore, withTransactions } from '../testing/stores.ts';
import type { SchedulerDeps } from './contract.ts';
import type { NewJob } from './types.ts';

const JOB: NewJob = { when: 'in 20 minutes', prompt: 'x', project: 'home', untrusted: false };

/** A run that another program has begun and left behind. On PostgreSQL that program is not registered, so it is gone. */
async function leftBehind(store: Store, owner: string, state: 'claimed' | 'running') {
  const made = await testScheduler({ store });
  const job = await made.scheduler.add(JOB);
  const row =
    "INSERT INTO runs (id, schedule_id, scheduled_for, reason, state, owner, lease_until, attempt) VALUES ('run_1', ?, ?, 'time', ?, ?, ?, 1)";
  await sqlRun(store, row, job.id, '2026-11-20T10:59:00.000Z', state, owner, '2026-11-20T11:01:00.000Z');
  await sqlRun(store, 'UPDATE schedules SET next_run_utc = NULL');
  // It lives on: on a server, whoever is not among the workers is gone.
  const seen = "INSERT INTO workers (id, host, started_at, seen_at) VALUES (?, 'elsewhere', '', '2030')";
  await sqlRun(store, seen, owner);
  return { ...made, job };
}

test.each(['claimed', 'running'] as const)(
  'a run that was %s and did nothing starts again once its lease is over',
  async (state) => {
    const { clock, tick, scheduler, ran, states } = await leftBehind(await openTestStore(), 'elsewhere:1:x', state);
    const pass = async (ms: number) => {
      clock.advance(ms);
      await scheduler.tick();
    };
    await pass(30_000);
    expect(ran).toEqual([]);
    await pass(40_000);
    expect(ran).toEqual([]);
    clock.advance(31_000);
    await tick();
    expect(ran).toMatchObject([{ runId: 'run_1', attempt: state === 'claimed' ? 1 : 2 }]);
    expect(await states()).toEqual(['succeeded']);
  },
);

test('a lease that is renewed belongs to a living program, also after the clock was set ahead', async () => {
  const store = await openTestStore();
  const { clock, scheduler, ran, states } = await leftBehind(store, 'elsewhere:1:x', 'running');
  clock.set('2026-11-20T13:00:00Z');
  await scheduler.tick();
  clock.advance(10_000);
  await sqlRun(store, "UPDATE runs SET lease_until = '2026-11-20T13:01:10.000Z'");
  for (let n = 0; n < 4; n++) {
    clock.advance(10_000);
    await scheduler.tick();
  }
  expect(ran).toEqual([]);
  expect(await states()).toEqual(['running']);
});

test('a run that may have acted is not repeated: its end is unknown, and that is told', async () => {
  const store = await openTestStore();
  const { clock, scheduler, ran, states, notices } = await leftBehind(store, 'elsewhere:1:x', 'running');
  const effect =
    "INSERT INTO effects (id, turn_id, run_id, conversation_id, tool, effect, idempotency_key, input, state, created_at) VALUES ('e', 't', 'run_1', 'c', 'notify', 'outbound', 'k', '{}', 'intent', '')";
  await sqlRun(store, effect);
  for (let n = 0; n < 4; n++) {
    clock.advance(40_000);
    await scheduler.tick();
  }
  expect([ran, await states()]).toEqual([[], ['unknown']]);
  expect(notices.map((notice) => notice.text)).toEqual([
    expect.stringContaining('what it had done by then is not known'),
  ]);
});

test('stopped in good order, a run that did nothing starts again with the next program', async () => {
  const store = await openTestStore(join(temporaryFolder(), 'state.sqlite3'));
  const clock = new FakeClock('2026-11-20T11:00:00Z');
  const first = await testScheduler({
    store,
    clock,
    onDue: ({ signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  });
  await first.scheduler.add(JOB);
  clock.advance(20 * 60_000);
  await first.scheduler.tick();
  expect(await first.states()).toEqual(['running']);
  await first.scheduler.stop();
  expect(await first.states()).toEqual(['due']);
  const second = await testScheduler({ store, clock });
  await second.tick();
  expect(second.ran).toMatchObject([{ attempt: 1 }]);
  expect(second.notices).toHaveLength(1);
});

test('new rules for time zones move the next runs, and the moved ones are listed', async () => {
  const { store, scheduler, notices } = await testScheduler({ timeZone: 'Europe/Oslo' });
  const moved = await scheduler.add({ ...JOB, when: 'every day at 9' });
  const same = await scheduler.add({ ...JOB, when: 'every day at 10' });
  await sqlRun(store, "UPDATE schedules SET tz_data = '2020a'");
  await sqlRun(store, "UPDATE schedules SET next_run_utc = '2026-11-21T07:00:00.000Z' WHERE id = ?", moved.id);
  await scheduler.start();
  await vi.waitFor(() => expect(notices).toHaveLength(1));
  expect(notices[0]?.text).toContain(moved.id);
  expect(notices[0]?.text).not.toContain(same.id);
  expect((await scheduler.show(moved.id)).job.next).toEqual(new Date('2026-11-21T08:00:00Z'));
});

test('a database that another program holds stops nothing for good', async () => {
  const path = join(temporaryFolder(), 'state.sqlite3');
  const { clock, scheduler, tick, ran } = await testScheduler({ store: await openTestStore(path, { kind: 'sqlite' }) });
  await scheduler.add(JOB);
  clock.advance(20 * 60_000);
  const other = new DatabaseSync(path);
  other.exec('BEGIN EXCLUSIVE');
  await scheduler.tick();
  expect(ran).toEqual([]);
  other.exec('ROLLBACK');
  other.close();
  await tick();
  expect(ran).toHaveLength(1);
});

/** A run in progress, which was taken for lost while this machine slept and is claimed again by the same program. */
async function claimedAgain(deps: Partial<Pick<SchedulerDeps, 'hasEffects'>> = {}) {
  const answers: (() => void)[] = [];
  const made = await testScheduler({
    onDue: () =>
      new Promise((done) => answers.push(() => done({ state: 'succeeded', output: `answer ${answers.length}` }))),
    ...deps,
  });
  await made.scheduler.add(JOB);
  made.clock.advance(20 * 60_000);
  await made.scheduler.tick();
  await vi.waitFor(() => expect(answers).toHaveLength(1));
  await sqlRun(made.store, "UPDATE runs SET state = 'due', owner = NULL, lease_until = NULL");
  await made.scheduler.tick();
  expect([answers.length, await made.states()]).toEqual([1, ['running']]);
  return { ...made, answers };
}

test('a run that was taken for lost and claimed again by the same program runs once at a time, and ends once', async () => {
  const { clock, scheduler, notices, states, tick, answers } = await claimedAgain();
  answers[0]?.();
  // What it found does not count any more: the run is made again once nobody is at it.
  await vi.waitFor(async () => {
    clock.advance(40_000);
    await scheduler.tick();
    expect(answers).toHaveLength(2);
  });
  answers[1]?.();
  await tick();
  expect([await states(), notices.map(({ text }) => text)]).toEqual([['succeeded'], ['answer 2']]);
});

test('one that acts after that is not made again', async () => {
  let acted = false;
  const { clock, scheduler, states, answers } = await claimedAgain({ hasEffects: async () => acted });
  acted = true;
  answers[0]?.();
  await vi.waitFor(async () => {
    clock.advance(40_000);
    await scheduler.tick();
    expect(await states()).not.toEqual(['running']);
  });
  expect([await states(), answers.length]).toEqual([['unknown'], 1]);
});

test('a database that does not answer holds up the end of the program for 20 seconds at most', async () => {
  const store = await openTestStore();
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  let silent = false;
  const hanging = withTransactions(store, async (work, options) => {
    if (silent) await answered;
    return store.transaction(work, options);
  });
  const warn = vi.fn();
  const { clock, scheduler, ran } = await testScheduler({
    store: hanging,
    log: { ...silentLog, warn },
    onDue: async (run) => {
      ran.push(run);
      silent = true;
      return { state: 'succeeded', output: 'x' };
    },
  });
  await scheduler.add(JOB);
  clock.advance(20 * 60_000);
  await scheduler.tick();
  await vi.waitFor(() => expect(ran).toHaveLength(1));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => vi.useRealTimers() && undefined);
  const stopped = scheduler.stop();
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
  await vi.advanceTimersByTimeAsync(20_000);
  await stopped;
  expect(warn).toHaveBeenCalledWith(expect.stringContaining('does not answer'));
  answer();
});

test('a claim whose answer is lost again and again uses up no attempt and waits for no lease', async () => {
  const store = await openTestStore();
  let losses = 5;
  const forgetful = withTransactions(store, async (work, options) => {
    const done = await store.transaction(work, options);
    if (options?.shared && Array.isArray(done) && done.length > 0 && losses-- > 0)
      throw new Error('Connection terminated');
    return done;
  });
  const { clock, scheduler, ran, states, tick } = await testScheduler({ store: forgetful });
  await scheduler.add(JOB);
  clock.advance(20 * 60_000);
  for (let look = 0; look < 5; look++) await scheduler.tick();
  expect([losses, ran]).toEqual([0, []]);
  await tick();
  expect([losses, ran.map(({ attempt }) => attempt), await states()]).toEqual([-1, [1], ['succeeded']]);
});

test('a lost claim takes nothing back that has begun here meanwhile', async () => {
  const store = await openTestStore();
  let runNow: (() => void) | undefined;
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  const forgetful = withTransactions(store, async (work, options) => {
    const done = await store.transaction(work, options);
    if (options?.shared && Array.isArray(done) && done.length > 0 && runNow) {
      runNow();
      throw new Error('Connection terminated');
    }
    return done;
  });
  const { clock, scheduler, ran, states, tick } = await testScheduler({
    store: forgetful,
    options: { concurrency: 2 },
    onDue: async (run) => {
      ran.push(run);
      await over;
      return { state: 'succeeded', output: 'x' };
    },
  });
  const now = await scheduler.add({ ...JOB, when: 'in 3 hours' });
  await scheduler.add(JOB);
  clock.advance(20 * 60_000 + 1000);
  let byHand: Promise<unknown> | undefined;
  runNow = () => {
    byHand = scheduler.runNow(now.id);
    runNow = undefined;
  };
  await scheduler.tick();
  await vi.waitFor(() => expect(ran).toHaveLength(1));
  await scheduler.tick();
  await vi.waitFor(() => expect(ran).toHaveLength(2));
  end();
  await byHand;
  await tick();
  expect([ran.map(({ job }) => job.id === now.id), await states()]).toEqual([
    [true, false],
    ['succeeded', 'succeeded'],
  ]);
});
