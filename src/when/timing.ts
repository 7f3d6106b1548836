import { type CronExpression, nextCron, readExpression } from './cron.ts';
import { zoneOf } from './zone.ts';

/** Once, at an interval of elapsed time, at wall-clock times, or on an event. Stored in the database as it stands. */
export type JobKind = 'at' | 'every' | 'cron' | 'on';

/** When a job runs, as it is stored. */
export interface Timing {
  readonly kind: JobKind;
  /** An ISO instant (`at`), seconds (`every`), a cron expression (`cron`), the event's name (`on`). */
  readonly expression: string;
  readonly timeZone: string;
  /** Elapsed intervals are counted from here. */
  readonly anchor: Date;
}

/** The first time strictly after `after`; undefined for one that has passed, and for events, which have no time. */
export function nextAfter(timing: Timing, after: Date): Date | undefined {
  if (timing.kind === 'on') return undefined;
  if (timing.kind === 'at') return later(new Date(timing.expression), after);
  if (timing.kind === 'every') return nextElapsed(timing, after);
  return nextCron(cached(timing.expression), zoneOf(timing.timeZone), after);
}

/** So many times, and only those before an instant. */
export interface Most {
  readonly count: number;
  readonly before: Date;
}

/** The next times after `from`; fewer when there are no more. */
export function nextTimes(timing: Timing, from: Date, most: number | Most): Date[] {
  const { count, before } = typeof most === 'number' ? { count: most, before: undefined } : most;
  const times: Date[] = [];
  while (times.length < count) {
    const next = nextAfter(timing, times.at(-1) ?? from);
    if (!next || (before && next >= before)) break;
    times.push(next);
  }
  return times;
}

/** The times of a job that were due between two instants, both included. */
export interface Elapsed {
  /** The newest of them, oldest first, at most `keep`. */
  readonly latest: readonly Date[];
  readonly first: Date;
  readonly count: number;
  /** Counting stopped here: there are at least `count`. */
  readonly capped: boolean;
}

/** Counting further would stall the scheduler's tick; a job that runs every minute gets there in a week. */
const MAX_COUNTED = 10_000;

/**
 * The times of a job that have come due since `first`, which is one of them.
 *
 * @param span `until`: not before `first`; `keep`: how many of the newest are wanted.
 */
export function elapsed(timing: Timing, first: Date, span: { until: Date; keep: number }): Elapsed {
  if (timing.kind === 'every') return elapsedIntervals(timing, first, span);
  const times = [first];
  let count = 1;
  for (let next = nextAfter(timing, first); next && next <= span.until; next = nextAfter(timing, next)) {
    times.push(next);
    if (times.length > span.keep) times.shift();
    if (++count === MAX_COUNTED) return capped(timing, { first, count, ...span });
  }
  return { latest: times, first, count, capped: false };
}

/** Too many to enumerate, so the newest are searched one by one from the end. */
function capped(timing: Timing, known: { first: Date; count: number; until: Date; keep: number }): Elapsed {
  const latest: Date[] = [];
  for (let until = known.until; latest.length < known.keep; until = new Date(Number(latest[0]) - 1)) {
    const newest = newestOf(timing, known.first, until);
    if (!newest) break;
    latest.unshift(newest);
  }
  return { latest, first: known.first, count: known.count, capped: true };
}

/** The newest time between `first`, itself one, and `until`, by bisection, since a search only goes forward. */
function newestOf(timing: Timing, first: Date, until: Date): Date | undefined {
  if (until < first) return undefined;
  let newest = first;
  for (let past = until.getTime(); past > newest.getTime(); ) {
    const middle = Math.floor((newest.getTime() + past) / 2);
    const next = nextAfter(timing, new Date(middle));
    if (next && next <= until) newest = next;
    else past = middle;
  }
  return newest;
}

/** Intervals only need a division. */
function elapsedIntervals(timing: Timing, first: Date, span: { until: Date; keep: number }): Elapsed {
  const step = Number(timing.expression) * 1000;
  const count = Math.floor((span.until.getTime() - first.getTime()) / step) + 1;
  const kept = Math.min(count, span.keep);
  const latest = Array.from({ length: kept }, (_, i) => new Date(first.getTime() + (count - kept + i) * step));
  return { latest, first, count, capped: false };
}

/** Counted from the anchor rather than from the last run, so that late runs do not shift the series. */
function nextElapsed({ expression, anchor }: Timing, after: Date): Date {
  const step = Number(expression) * 1000;
  const passed = Math.max(0, Math.floor((after.getTime() - anchor.getTime()) / step));
  return new Date(anchor.getTime() + (passed + 1) * step);
}

function later(time: Date, after: Date): Date | undefined {
  return time > after ? time : undefined;
}

/** Cached: reading an expression validates it, and the same few are read at every tick. */
const read = new Map<string, CronExpression>();
const MAX_READ = 20_000;

function cached(expression: string): CronExpression {
  const found = read.get(expression) ?? readExpression(expression);
  if (read.size >= MAX_READ) read.clear();
  read.set(expression, found);
  return found;
}
