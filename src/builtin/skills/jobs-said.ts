import { isRecord } from '../../base/json.ts';
import { fromWallClock, localDate } from '../../when/calendar.ts';
import type { DaySpan } from '../../when/day-span.ts';
import { understand } from '../../when/understand.ts';
import type { UserRequest } from '../request.ts';
import { REMINDER } from './small-talk.ts';

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
  const { id, text, next } = job;
  const words = wordsOf(job);
  const repeats = words === '' ? '' : `, ${words}`;
  return `${text}: ${request.saying.nearAndTime(next)}${repeats} (${id})`;
}

/** The words of a repetition; empty for a single time. */
function wordsOf({ when }: Job): string {
  return /^once at/u.test(when) ? '' : when.replace(/ \[[^\]]*\]| \([^)]*\)/gu, '');
}

/** Counted from a first run that is not known here. */
const COUNTED = /\b(?:second|other|third|\d+ (?:minutes|hours|days|weeks|months)|zweite[nr]?|dritte[nr]?|alle)\b/iu;

/** The job with its first run on these days: a daily one has its next today, and one tomorrow as well. */
export function runIn(days: DaySpan, job: Job, timeZone: string): Job | undefined {
  const isIn = (at: Date) => {
    const date = localDate(at, timeZone);
    return days.from <= date && date <= days.to;
  };
  if (isIn(job.next)) return job;
  const words = wordsOf(job);
  if (words === '' || COUNTED.test(words) || localDate(job.next, timeZone) > days.to) return undefined;
  try {
    const from = fromWallClock(`${days.from}T00:00:00Z`, timeZone);
    const next = understand(words, { timeZone, from: new Date(from.getTime() - 1), count: 1 }).next.find(isIn);
    return next && { ...job, next };
  } catch {
    return undefined;
  }
}
