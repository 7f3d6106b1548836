import { isRecord } from '../../base/json.ts';
import type { UserRequest } from '../request.ts';

/** How reminders began before they were delivered without a model; stored ones still do. */
export const REMINDER = 'Reminder: ';

/** What a reminder says that is of a kind and about nothing else. */
export const KINDS: Readonly<Record<'alarm' | 'timer', readonly [en: string, de: string]>> = {
  alarm: ['wake up', 'aufstehen'],
  timer: ['the time is up', 'Zeit ist um'],
};

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

export function sayJobs(
  value: unknown,
  choose: (jobs: readonly Job[]) => readonly Job[],
  request: UserRequest,
): string {
  const known = jobsOf(value);
  const jobs = choose(known);
  const more = moreOf(value, known.length, request);
  if (jobs.length === 0 && more !== '') return more;
  if (jobs.length === 0)
    return known.length === 0
      ? request.in('Nothing is scheduled.', 'Es ist nichts geplant.')
      : request.in('Nothing like that is scheduled.', 'Nichts dergleichen ist geplant.');
  return [...jobs.map((job) => `- ${sayJob(job, request)}`), ...(more ? [more] : [])].join('\n');
}

/** That the list goes on; empty when it does not. */
export function moreOf(value: unknown, looked: number, request: UserRequest): string {
  const last = Array.isArray(value) ? value.at(-1) : undefined;
  if (!isRecord(last) || typeof last.more !== 'number') return '';
  return request.in(
    `I looked at the first ${looked} only; there are ${last.more} more: wooster schedule list`,
    `Ich habe nur die ersten ${looked} angesehen; es gibt noch ${last.more}: wooster schedule list`,
  );
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

export function sayJob(job: Job, request: UserRequest): string {
  const { text, next } = job;
  const words = wordsOf(job);
  const repeats = words === '' ? '' : `, ${words}`;
  return `${text}: ${request.saying.nearAndTime(next)}${repeats}`;
}

/** The words of a repetition; empty for a single time. */
function wordsOf({ when }: Job): string {
  return /^once at/u.test(when) ? '' : when.replace(/ \[[^\]]*\]| \([^)]*\)/gu, '');
}
