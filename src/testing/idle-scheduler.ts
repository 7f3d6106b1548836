import { type Clock, systemClock } from '../base/clock.ts';
import { silentLog } from '../base/log.ts';
import type { Scheduler } from '../scheduler/contract.ts';
import { createScheduler } from '../scheduler/scheduler.ts';
import type { Store } from '../store/store.ts';

/** A scheduler for whoever needs jobs to be there: what is due does nothing, and nobody is told. */
export function idleScheduler(store: Store, clock: Clock = systemClock): Scheduler {
  return createScheduler({
    ...{ store, clock, log: silentLog, timeZone: 'UTC' },
    hasEffects: async () => false,
    onDue: async () => ({ state: 'succeeded', output: '' }),
    notices: { post: async () => {}, bringForward: async () => {}, advance: async () => {} },
  });
}
