import { AssistantError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { understandMove } from '../when/move.ts';
import { refusal, told } from '../when/told.ts';
import { understand } from '../when/understand.ts';
import { zoneData } from '../when/zone.ts';
import type { SchedulerDeps } from './contract.ts';
import { type JobTable, optionsOf, type StoredJob } from './job-table.ts';
import { jobDefaults } from './options.ts';
import type { RunTable } from './run-table.ts';
import type { JobWriter, NewJob, PinnedCalls, Rehearsal } from './types.ts';

/** Reasons for which jobs stop by themselves; a new time resumes them. */
const OVER = new Set(['done', 'its time was missed']);

/** The columns of a job with another time. A job that the person has paused stays paused. */
export function movedTo(row: StoredJob, when: string, now: Date): Partial<StoredJob> {
  const current = row.kind === 'at' ? new Date(row.expression) : undefined;
  const repeating = row.kind === 'cron' ? { said: row.said, expression: row.expression } : undefined;
  const timing = understandMove(when, { timeZone: row.time_zone, from: now, count: 1, current, repeating });
  if (row.kind !== 'at' && timing.kind === 'at') {
    const hint = 'Say when from now on, such as "every weekday at 10:00".';
    throw refusal('bad_time', told('comes_again', { id: row.id, when: row.said }), { hint });
  }
  const again = row.paused_because !== null && OVER.has(row.paused_because);
  return {
    kind: timing.kind,
    expression: timing.expression,
    said: timing.said,
    description: timing.description,
    time_zone: timing.timeZone,
    next_run_utc: timing.next[0]?.toISOString() ?? null,
    anchor_utc: timing.anchor.toISOString(),
    tz_data: zoneData(),
    ...(again ? { enabled: 1, paused_because: null, failures: 0 } : {}),
  };
}

/** The columns of a job with another text. */
export function renamedTo(row: StoredJob, text: string): Partial<StoredJob> {
  if (row.task === 'AGENT_PROMPT') return { payload: JSON.stringify(text) };
  throw new AssistantError('bad_usage', `${row.id} belongs to a plugin and cannot be renamed.`, {
    hint: 'Pause it, or change its time.',
  });
}

/** The columns of a job by its author. What the owner had allowed in advance, they had allowed to another text. */
export function writtenBy({ untrusted }: JobWriter): Partial<StoredJob> {
  return untrusted ? { untrusted: 1, pin: null } : { untrusted: 0 };
}

/**
 * The columns of a job by who gave it another text. Where there is more to it than its text, a program with arguments
 * or what came along, another text does not make that the owner's.
 */
export function renamedBy(row: StoredJob, by: JobWriter): Partial<StoredJob> {
  const { program, material } = optionsOf(row);
  return by.untrusted || (program === undefined && material === undefined) ? writtenBy(by) : {};
}

/** The columns of a job whose program the owner has reviewed again. */
export function trusting(row: StoredJob, hash: string): Partial<StoredJob> {
  const options = optionsOf(row);
  const { program } = options;
  return program ? { options: JSON.stringify({ ...options, program: { ...program, hash } }) } : {};
}

/** Pending runs of the former time no longer start. */
export async function dropWaiting(runs: RunTable, jobId: string): Promise<void> {
  for (const run of await runs.open(jobId))
    if (run.state === 'due' && run.reason !== 'manual')
      await runs.changeDue(run.id, { state: 'skipped', error: 'it was moved to another time' });
}

/** What a rehearsal asked for, each tool and destination once. */
export function pinOf({ calls }: Pick<Rehearsal, 'calls'>): PinnedCalls {
  const destinations = calls.map((call) => call.destination).filter((destination) => destination !== undefined);
  return { tools: [...new Set(calls.map((call) => call.tool))], destinations: [...new Set(destinations)] };
}

/** Store what was asked for, with its first time. @returns its id. @throws AssistantError `bad_time`. */
export async function insertJob(
  jobs: JobTable,
  job: NewJob,
  { clock, timeZone, options = {} }: Pick<SchedulerDeps, 'clock' | 'timeZone' | 'options'>,
): Promise<string> {
  const now = clock.now();
  const when = understand(job.when, { timeZone: job.timeZone ?? timeZone, from: now, count: 1 });
  const id = newId('job', now);
  await jobs.insert({
    id,
    kind: when.kind,
    expression: when.expression,
    said: job.when,
    description: when.description,
    time_zone: when.timeZone,
    task: 'AGENT_PROMPT',
    task_key: null,
    seeded: null,
    payload: JSON.stringify(job.prompt),
    options: JSON.stringify({ ...jobDefaults(options), ...defined(job.options ?? {}) }),
    project: job.project,
    untrusted: job.untrusted ? 1 : 0,
    next_run_utc: when.next[0]?.toISOString() ?? null,
    anchor_utc: when.anchor.toISOString(),
    tz_data: zoneData(),
    idempotency_key: job.idempotencyKey ?? null,
    created_at: now.toISOString(),
  });
  return id;
}

function defined<T extends object>(options: T): Partial<T> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Partial<T>;
}
