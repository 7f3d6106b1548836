import { type Selectable, sql } from 'kysely';
import { AssistantError } from '../base/errors.ts';
import { STRANGER, type Voice } from '../base/turn.ts';
import type { Notice } from '../notify/types.ts';
import { isIn } from '../store/portable.ts';
import type { ScheduleRow } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { countedFrom } from '../when/cron.ts';
import type { Timing } from '../when/timing.ts';
import type { Understood } from '../when/understand.ts';
import type { JobOptions, NewJob, Outlook, PinnedCalls, ScheduledJob, WhichJobs } from './types.ts';

/** A scheduled job as it is stored; the table is called `schedules`. */
export type StoredJob = Selectable<ScheduleRow>;

/** A row to insert; the other columns have defaults. */
export type NewStoredJob = Omit<
  StoredJob,
  'enabled' | 'failures' | 'revision' | 'paused_because' | 'pin' | 'memory' | 'seen'
>;

const WITHOUT_NEXT = sql`case when next_run_utc is null then 1 else 0 end`;

/** The scheduled jobs, in SQL. Every method is one statement; the caller opens the transaction. */
export class JobTable {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async insert(row: NewStoredJob): Promise<void> {
    await this.#store.db.insertInto('schedules').values(row).execute();
  }

  async find(id: string): Promise<StoredJob | undefined> {
    return this.#select().where('id', '=', id).executeTakeFirst();
  }

  /** @throws AssistantError `unknown_schedule`. */
  async get(id: string): Promise<StoredJob> {
    const row = await this.find(id);
    if (row) return row;
    throw new AssistantError('unknown_schedule', `There is no scheduled job ${id}.`, {
      hint: '`wooster schedule list` shows the ids.',
    });
  }

  async named(ids: readonly string[]): Promise<StoredJob[]> {
    return this.#select()
      .where(isIn(this.#store, 'id', ids))
      .execute();
  }

  async byIdempotencyKey(key: string): Promise<StoredJob | undefined> {
    return this.#select().where('idempotency_key', '=', key).executeTakeFirst();
  }

  async byTaskKey(key: string): Promise<StoredJob | undefined> {
    return this.#select().where('task_key', '=', key).executeTakeFirst();
  }

  /** By next run; jobs without one come last. */
  async all(project?: string): Promise<StoredJob[]> {
    const jobs = project === undefined ? this.#select() : this.#select().where('project', '=', project);
    return jobs.orderBy(WITHOUT_NEXT).orderBy('next_run_utc').orderBy('id').execute();
  }

  /** In the same order. */
  async ids({ project, finished = false, pinned = false, answered, before }: WhichJobs): Promise<string[]> {
    let jobs = this.#store.db.selectFrom('schedules').select('id');
    if (project !== undefined) jobs = jobs.where('project', '=', project);
    if (!finished)
      jobs = jobs.where(({ or, eb }) =>
        or([eb('enabled', '=', 1), eb('paused_because', 'is', null), eb('paused_because', '!=', 'done')]),
      );
    if (pinned) jobs = jobs.where('pin', 'is not', null);
    if (answered !== undefined) jobs = jobs.where('id', 'in', this.#answered(answered));
    if (before) jobs = jobs.where('next_run_utc', '<', before.toISOString());
    const rows = await jobs.orderBy(WITHOUT_NEXT).orderBy('next_run_utc').orderBy('id').execute();
    return rows.map(({ id }) => id);
  }

  #answered(least: number) {
    const runs = this.#store.db.selectFrom('runs').select('schedule_id');
    return runs
      .where('state', '=', 'succeeded')
      .where('turn_id', 'is not', null)
      .groupBy('schedule_id')
      .having(({ fn }) => fn.countAll(), '>=', least);
  }

  /** Enabled jobs at the same times, however they were worded; an interval counts from when it was made. */
  async alike({ project, untrusted }: NewJob, when: Understood): Promise<StoredJob[]> {
    const { kind, expression, timeZone, next } = when;
    const jobs = this.#select()
      .where('project', '=', project)
      .where('enabled', '=', 1)
      .where('untrusted', '=', untrusted ? 1 : 0)
      .where('kind', '=', kind);
    if (kind === 'at') return jobs.where('next_run_utc', '=', next[0]?.toISOString() ?? null).execute();
    const times = countedFrom(expression, '_'.repeat(10));
    return jobs.where('expression', 'like', times).where('time_zone', '=', timeZone).execute();
  }

  async outlook(project?: string): Promise<Outlook> {
    const all = this.#store.db.selectFrom('schedules');
    const coming = sql`enabled = 1 and next_run_utc is not null`;
    const { jobs, runs, next } = await (project === undefined ? all : all.where('project', '=', project))
      .select(({ fn }) => [
        fn.countAll<number>().as('jobs'),
        sql<number>`count(case when ${coming} then 1 end)`.as('runs'),
        sql<string | null>`min(case when ${coming} then next_run_utc end)`.as('next'),
      ])
      .executeTakeFirstOrThrow();
    return { jobs, coming: runs, next: next === null ? undefined : new Date(next) };
  }

  /** Jobs whose next run is not in the future, oldest first. `now` is ISO 8601 in UTC. */
  async due(now: string, limit: number): Promise<StoredJob[]> {
    const due = this.#select().where('enabled', '=', 1).where('next_run_utc', '<=', now);
    return due.orderBy('next_run_utc').limit(limit).execute();
  }

  /** Jobs that wait for changed documents. */
  async listening(): Promise<StoredJob[]> {
    return this.#select().where('kind', '=', 'on').where('enabled', '=', 1).execute();
  }

  /** Jobs that run functions of plugins. */
  async ofPlugins(): Promise<StoredJob[]> {
    return this.#select().where('task', '=', 'DIRECT_FUNCTION').where('enabled', '=', 1).execute();
  }

  /** Jobs by local time whose next run was computed with other time zone rules. */
  async withOtherZoneData(version: string): Promise<StoredJob[]> {
    return this.#select().where('kind', '=', 'cron').where('tz_data', '<>', version).execute();
  }

  #select() {
    return this.#store.db.selectFrom('schedules').selectAll();
  }

  /** Set the columns named in `changes` and count the revision up. */
  async update(id: string, changes: Partial<StoredJob>): Promise<void> {
    await this.#store.db
      .updateTable('schedules')
      .set((row) => ({ ...changes, revision: row('revision', '+', 1) }))
      .where('id', '=', id)
      .execute();
  }

  /** Count one more failure in a row. @returns the new count. */
  async countFailure(id: string): Promise<number> {
    const { failures } = await this.#store.db
      .updateTable('schedules')
      .set((row) => ({ failures: row('failures', '+', 1), revision: row('revision', '+', 1) }))
      .where('id', '=', id)
      .returning('failures')
      .executeTakeFirstOrThrow();
    return failures;
  }

  /** Reset the failures in a row of these jobs. */
  async clearFailures(ids: readonly string[]): Promise<void> {
    await this.#store.db
      .updateTable('schedules')
      .set((row) => ({ failures: 0, revision: row('revision', '+', 1) }))
      .where(isIn(this.#store, 'id', ids))
      .where('failures', '>', 0)
      .execute();
  }

  /** Switch off those of these jobs whose last time has come; jobs that wait for events never have one. */
  async retire(ids: readonly string[]): Promise<void> {
    await this.#store.db
      .updateTable('schedules')
      .set((row) => ({ enabled: 0, paused_because: 'done', revision: row('revision', '+', 1) }))
      .where(isIn(this.#store, 'id', ids))
      .where('kind', '!=', 'on')
      .where('next_run_utc', 'is', null)
      .execute();
  }

  /** Move these jobs to their next time, or null. */
  async moveTo(next: string | null, ids: readonly string[]): Promise<void> {
    await this.#store.db
      .updateTable('schedules')
      .set((row) => ({ next_run_utc: next, revision: row('revision', '+', 1) }))
      .where(isIn(this.#store, 'id', ids))
      .execute();
  }

  async remove(id: string): Promise<void> {
    await this.#store.db.deleteFrom('schedules').where('id', '=', id).execute();
  }
}

/** When a job runs, in the form that `when/` computes with. */
export function timingOf(row: StoredJob): Timing {
  return { kind: row.kind, expression: row.expression, timeZone: row.time_zone, anchor: new Date(row.anchor_utc) };
}

/** Whose words those of jobs are; undefined: the owner's. */
export function makerOf(jobs: readonly Pick<StoredJob, 'untrusted'>[]): Voice | undefined {
  return jobs.some(({ untrusted }) => untrusted === 1) ? STRANGER : undefined;
}

/** Options are stored complete, so a change of the defaults does not change existing jobs. */
export function optionsOf(row: StoredJob): JobOptions {
  return JSON.parse(row.options) as JobOptions;
}

/** How the owner is told about a job. */
export function wayOf(row: StoredJob): Pick<Notice, 'to' | 'answers'> {
  const { to, answers } = optionsOf(row);
  return { to, answers };
}

/** The column `exclusive` of the job's runs. */
export function exclusiveOf(row: StoredJob): number {
  return optionsOf(row).overlap === 'allow' ? 0 : 1;
}

/** A row in the form that other modules see. */
export function toJob(row: StoredJob): ScheduledJob {
  return {
    id: row.id,
    said: row.said,
    description: row.description,
    task: row.task,
    taskKey: row.task_key ?? undefined,
    prompt: row.task === 'AGENT_PROMPT' ? (JSON.parse(row.payload) as string) : row.description,
    kind: row.kind,
    timeZone: row.time_zone,
    project: row.project,
    untrusted: row.untrusted === 1,
    restricted: row.untrusted === 1,
    enabled: row.enabled === 1,
    pausedBecause: row.paused_because ?? undefined,
    pin: row.pin === null ? undefined : (JSON.parse(row.pin) as PinnedCalls),
    next: row.next_run_utc === null || row.enabled === 0 ? undefined : new Date(row.next_run_utc),
    failures: row.failures,
    memory: JSON.parse(row.memory) as Record<string, unknown>,
    options: optionsOf(row),
  };
}
