import { newId } from '../base/ids.ts';
import { understand } from '../when/understand.ts';
import { zoneData } from '../when/zone.ts';
import type { SchedulerDeps } from './contract.ts';
import type { JobTable } from './job-table.ts';
import { jobDefaults } from './options.ts';
import type { NewJob } from './types.ts';

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
