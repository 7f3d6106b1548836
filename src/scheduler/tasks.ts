import type { Clock } from '../base/clock.ts';
import { AssistantError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import type { Log } from '../base/log.ts';
import type { Store } from '../store/store.ts';
import { understand } from '../when/understand.ts';
import { zoneData } from '../when/zone.ts';
import type { JobTable, StoredJob } from './job-table.ts';
import type { JobOptions, TaskCode } from './types.ts';

export interface SeedDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly timeZone: string;
  readonly jobs: JobTable;
  readonly tasks: readonly TaskCode[];
  readonly defaults: JobOptions;
}

/** Stored as the reason of a pause, and recognised when the plugin is back. */
const PLUGIN_OFF = 'its plugin is off';
/** Functions of plugins belong to the program, not to one of the user's projects. */
const PROJECT = 'home';

/**
 * Bring the stored jobs in line with the functions that the loaded plugins offer.
 *
 * New functions become jobs, once. Schedules changed by the plugin are applied, changes by the user stay, and jobs
 * whose plugin is off or gone are paused until it is back.
 */
export async function seedTasks(deps: SeedDeps): Promise<void> {
  const { store, jobs, tasks } = deps;
  const keys = new Set(tasks.map((task) => task.taskKey));
  await store.transaction(async () => {
    for (const task of tasks) await seedOrSkip(deps, task);
    for (const { id, task_key } of await jobs.ofPlugins())
      if (!keys.has(task_key ?? '')) await jobs.update(id, { enabled: 0, paused_because: PLUGIN_OFF });
  });
}

/** A plugin with an invalid schedule must not stop the others. */
async function seedOrSkip(deps: SeedDeps, task: TaskCode): Promise<void> {
  try {
    await seed(deps, task);
  } catch (error) {
    if (!(error instanceof AssistantError)) throw error;
    deps.log.error('task not scheduled', { task: task.taskKey, error: error.message, hint: error.hint });
  }
}

/** Insert the job, or update what the plugin changed. */
async function seed(deps: SeedDeps, task: TaskCode): Promise<void> {
  const known = await deps.jobs.byTaskKey(task.taskKey);
  const now = deps.clock.now();
  const when = understand(task.schedule, { timeZone: known?.time_zone ?? deps.timeZone, from: now, count: 1 });
  const timing = {
    kind: when.kind,
    expression: when.expression,
    said: task.schedule,
    seeded: task.schedule,
    next_run_utc: when.next[0]?.toISOString() ?? null,
    anchor_utc: now.toISOString(),
  };
  const payload = JSON.stringify(task.payload ?? null);
  if (!known) {
    await insert(deps, { ...timing, payload }, task, when.timeZone);
    return;
  }
  const changed = known.seeded !== task.schedule;
  const back = known.paused_because === PLUGIN_OFF;
  if (!changed && !back && known.payload === payload) return;
  const onlyBack = { next_run_utc: timing.next_run_utc, enabled: 1, paused_because: null };
  await deps.jobs.update(known.id, { payload, ...(changed ? timing : {}), ...(back ? onlyBack : {}) });
}

async function insert(
  deps: SeedDeps,
  timing: Partial<StoredJob> & Pick<StoredJob, 'payload'>,
  task: TaskCode,
  timeZone: string,
): Promise<void> {
  const now = deps.clock.now();
  await deps.jobs.insert({
    kind: 'cron',
    expression: '',
    said: '',
    seeded: null,
    next_run_utc: null,
    anchor_utc: now.toISOString(),
    ...timing,
    id: newId('job', now),
    description: task.description,
    time_zone: timeZone,
    task: 'DIRECT_FUNCTION',
    task_key: task.taskKey,
    options: JSON.stringify(deps.defaults),
    project: PROJECT,
    untrusted: 0,
    tz_data: zoneData(),
    idempotency_key: null,
    created_at: now.toISOString(),
  });
}
