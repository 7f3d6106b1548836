import { onTestFinished } from 'vitest';
import { silentLog } from '../base/log.ts';
import { inert } from '../notify/inert.ts';
import type { Notice } from '../notify/types.ts';
import type { Scheduler, SchedulerDeps } from '../scheduler/contract.ts';
import { createScheduler } from '../scheduler/scheduler.ts';
import type { DueRun, RunState } from '../scheduler/types.ts';
import type { Store } from '../store/store.ts';
import { hasEffects } from '../tools/gate/effect-rows.ts';
import { FakeClock } from './clock.ts';
import { settled } from './settled.ts';
import { sqlAll } from './sql.ts';
import { openTestStore } from './stores.ts';

export interface TestScheduler {
  readonly clock: FakeClock;
  readonly store: Store;
  /** What was passed to `onDue`, in order. */
  readonly ran: DueRun[];
  readonly notices: Notice[];
  readonly scheduler: Scheduler;
  /** Wake up and let everything that was started come to its end. */
  tick(): Promise<void>;
  /** States of all runs of all jobs, oldest first. */
  states(): Promise<RunState[]>;
}

/** A scheduler on an empty database and a clock that stands at `2026-11-20T11:00:00Z`, a Friday; runs answer at once. */
export async function testScheduler(deps: Partial<SchedulerDeps> & { clock?: FakeClock } = {}): Promise<TestScheduler> {
  const clock = deps.clock ?? new FakeClock('2026-11-20T11:00:00Z');
  const store = deps.store ?? (await openTestStore());
  // On a server leases are in its time, which would not be this clock's.
  Object.assign(store, { now: async () => clock.now().toISOString() });
  const ran: DueRun[] = [];
  const notices: Notice[] = [];
  const scheduler = createScheduler({
    store,
    log: silentLog,
    timeZone: 'UTC',
    hasEffects: (runId) => hasEffects(store, runId),
    onDue: async (run) => {
      ran.push(run);
      return { state: 'succeeded', output: `answer to ${run.job.prompt}` };
    },
    notices: {
      post: async (notice) =>
        store.atEnd((committed) => {
          if (committed && notices.every(({ key }) => key !== notice.key))
            notices.push({ ...notice, text: inert(notice.text, notice.voice) });
        }),
      advance: async () => {},
    },
    ...deps,
    clock,
  });
  onTestFinished(() => scheduler.stop());
  const tick = async () => {
    await scheduler.tick();
    await settled(store);
    await scheduler.tick();
    await settled(store);
  };
  const states = async () =>
    (await sqlAll(store, 'SELECT state FROM runs ORDER BY scheduled_for')).map((row) => row.state as RunState);
  return { clock, store, ran, notices, scheduler, tick, states };
}
