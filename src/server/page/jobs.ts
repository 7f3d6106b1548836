import { command } from './api.ts';
import { day, moment } from './format.ts';
import { t } from './words.ts';

/** A job as `schedule list --json` has it. */
export interface Job {
  readonly id: string;
  readonly prompt: string;
  readonly taskKey?: string;
  readonly when: string;
  readonly enabled: boolean;
  readonly pausedBecause?: string;
  readonly failures: number;
  readonly next: string | null;
}

/** A time at which a job runs in the next seven days. */
interface Coming {
  readonly at: string;
  readonly id: string;
  readonly overdue?: boolean;
}

/** All of a job on one day. */
export interface Entry {
  readonly id: string;
  readonly at: string;
  readonly text: string;
  /** How often more on that day. */
  readonly more: number;
  readonly overdue: boolean;
}

export interface Day {
  readonly label: string;
  readonly entries: readonly Entry[];
}

/** Without what plugins do by themselves. */
export async function ownJobs(): Promise<readonly Job[]> {
  return (await command<Job>(['schedule', 'list'])).filter(({ taskKey }) => taskKey === undefined || taskKey === null);
}

/** What comes, by day, overdue runs first; a job is listed once a day. */
export async function comingDays(jobs: readonly Job[]): Promise<readonly Day[]> {
  const texts = new Map(jobs.map(({ id, prompt }) => [id, prompt]));
  const coming = (await command<Coming>(['schedule', 'list', '--week'])).filter(({ id }) => texts.has(id));
  const byDay = Map.groupBy(
    coming.toSorted((a, b) => a.at.localeCompare(b.at)),
    ({ at, overdue }) => (overdue ? t('overdue') : day(at)),
  );
  return [...byDay].map(([label, times]) => {
    const byJob = Map.groupBy(times, ({ id }) => id);
    const entries = [...byJob].map(([id, all]) => {
      const [{ at, overdue = false } = { at: '' }] = all;
      return { id, at, overdue, text: texts.get(id) ?? '', more: all.length - 1 };
    });
    return { label, entries };
  });
}

/** `Friday, 09:00`, or why it does not run. */
export function nextText({ enabled, next, pausedBecause }: Job): string {
  if (!enabled) return [t('paused'), pausedBecause].filter(Boolean).join(': ');
  return next === null ? '' : moment(next);
}
