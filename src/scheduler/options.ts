import { DAY_MS, MINUTE_MS } from '../when/zone.ts';
import type { JobOptions } from './types.ts';

/** How a job behaves by default; settings may change these. */
const DEFAULT_OPTIONS: JobOptions = {
  catchUp: 'once',
  catchUpMax: 10,
  windowMs: DAY_MS,
  overlap: 'skip',
  deadlineMs: 10 * MINUTE_MS,
  retries: 2,
  pauseAfter: 10,
};

/** Settings of the scheduler: defaults for new jobs, and how many may run at once. */
export interface SchedulerOptions {
  readonly catchUp: JobOptions['catchUp'];
  readonly overlap: JobOptions['overlap'];
  readonly windowHours: number;
  readonly deadlineMs: number;
  readonly retries: number;
  readonly pauseAfter: number;
  /** How many runs may be in progress at once. */
  readonly concurrency: number;
}

/** The options of a new job that sets none. */
export function jobDefaults(options: Partial<SchedulerOptions>): JobOptions {
  const { windowHours, concurrency: _, ...rest } = options;
  return {
    ...DEFAULT_OPTIONS,
    ...rest,
    ...(windowHours === undefined ? {} : { windowMs: windowHours * 60 * MINUTE_MS }),
  };
}
