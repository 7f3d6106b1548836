import { isRecord } from '../../base/json.ts';
import type { UserRequest } from '../request.ts';

/** How reminders began before they were delivered without a model; stored ones still do. */
export const REMINDER = 'Reminder: ';

/** Words that name no reminder in particular. */
export const JOB_WORDS: ReadonlySet<string> = new Set(
  'the and for one reminder reminders timer alarm about der die das den dem und an am im in of to on my'.split(' '),
);

/** A scheduled job as the tool lists it. */
export interface Job {
  readonly id: string;
  readonly text: string;
  readonly when: string;
  readonly next: Date;
}

/** Those that are chosen, and that the list goes on where it does. */
export function sayJobs(
  value: unknown,
  choose: (jobs: readonly Job[]) => readonly Job[],
  request: UserRequest,
): string {
  const known = jobsOf(value);
  const jobs = choose(known).map((job) => `- ${sayJob(job, request)}`);
  const last = Array.isArray(value) ? value.at(-1) : undefined;
  const isCut = isRecord(last) && typeof last.more === 'number';
  if (jobs.length === 0 && !isCut) return request.tell(known.length === 0 ? 'no jobs' : 'no such job');
  const more = isCut ? [request.tell('more jobs', { looked: known.length, more: last.more })] : [];
  return [...jobs, ...more].join('\n');
}

/** Those that have a next run, the soonest first. */
export function jobsOf(value: unknown): Job[] {
  const rows = Array.isArray(value) ? value.filter(isRecord) : [];
  return rows
    .map((row) => ({
      id: String(row.id),
      text: String(row.text).replace(REMINDER, ''),
      when: String(row.when),
      next: new Date(String(row.next)),
    }))
    .filter(({ next }) => !Number.isNaN(next.getTime()))
    .sort((a, b) => a.next.getTime() - b.next.getTime());
}

function sayJob(job: Job, request: UserRequest): string {
  const { text, next } = job;
  const words = wordsOf(job);
  const repeats = words === '' ? '' : `, ${words}`;
  return `${text}: ${request.saying.nearAndTime(next)}${repeats}`;
}

/** The words of a repetition; empty for a single time. */
function wordsOf({ when }: Job): string {
  return /^once at/u.test(when) ? '' : when.replace(/ \[[^\]]*\]| \([^)]*\)/gu, '');
}
