import { DAY_MS, MINUTE_MS } from '../when/zone.ts';
import type { JobOptions } from './types.ts';

/** What a job does unless it says otherwise; the program's settings may change these. */
export const DEFAULT_OPTIONS: JobOptions = {
  catchUp: 'once',
  catchUpMax: 10,
  windowMs: DAY_MS,
  overlap: 'skip',
  deadlineMs: 10 * MINUTE_MS,
  retries: 2,
  pauseAfter: 10,
};

/** Options of the scheduler as a whole, from the settings. */
export interface SchedulerOptions {
  readonly catchUp: JobOptions['catchUp'];
  readonly overlap: JobOptions['overlap'];
  readonly windowHours: number;
  readonly deadlineMs: number;
  readonly retries: number;
  readonly pauseAfter: number;
  /** Runs at the same time. */
  readonly concurrency: number;
}

export function jobDefaults(options: Partial<SchedulerOptions>): JobOptions {
  const { windowHours, concurrency: _, ...rest } = options;
  return {
    ...DEFAULT_OPTIONS,
    ...rest,
    ...(windowHours === undefined ? {} : { windowMs: windowHours * 60 * MINUTE_MS }),
  };
}
