import type { DatabaseSync } from 'node:sqlite';
import type { Selectable } from 'kysely';
import { AssistantError } from '../base/errors.ts';
import type { ScheduleRow } from '../store/schema.ts';
import { insertRow, updateRow } from '../store/statements.ts';
import type { Store } from '../store/store.ts';
import type { Timing } from '../when/timing.ts';
import type { JobOptions, PinnedCalls, ScheduledJob } from './types.ts';

/** A scheduled job as it is stored; the table is called `schedules`. */
export type StoredJob = Selectable<ScheduleRow>;

/** A row to insert; the other columns have defaults. */
export type NewStoredJob = Omit<
  StoredJob,
  'enabled' | 'failures' | 'revision' | 'paused_because' | 'pin' | 'memory' | 'seen'
>;

/** The scheduled jobs, in SQL. Every method is one statement; the caller opens the transaction. */
export class JobTable {
  readonly #sql: DatabaseSync;

  constructor(store: Store) {
    this.#sql = store.sql;
  }

  insert(row: NewStoredJob): void {
    insertRow(this.#sql, 'schedules', row);
  }

  find(id: string): StoredJob | undefined {
    return this.#sql.prepare('SELECT * FROM schedules WHERE id = ?').get(id) as StoredJob | undefined;
  }

  /** @throws AssistantError `unknown_schedule`. */
  get(id: string): StoredJob {
    const row = this.find(id);
    if (row) return row;
    throw new AssistantError('unknown_schedule', `There is no scheduled job ${id}.`, {
      hint: '`wooster schedule list` shows the ids.',
    });
  }

  byIdempotencyKey(key: string): StoredJob | undefined {
    return this.#sql.prepare('SELECT * FROM schedules WHERE idempotency_key = ?').get(key) as StoredJob | undefined;
  }

  byTaskKey(key: string): StoredJob | undefined {
    return this.#sql.prepare('SELECT * FROM schedules WHERE task_key = ?').get(key) as StoredJob | undefined;
  }

  /** By next run; jobs without one come last. */
  all(project?: string): StoredJob[] {
    const where = project === undefined ? '' : 'WHERE project = ?';
    const statement = this.#sql.prepare(
      `SELECT * FROM schedules ${where} ORDER BY next_run_utc IS NULL, next_run_utc, id`,
    );
    return (project === undefined ? statement.all() : statement.all(project)) as StoredJob[];
  }

  /** Jobs whose next run is not in the future, oldest first. `now` is ISO 8601 in UTC. */
  due(now: string, limit: number): StoredJob[] {
    return this.#sql
      .prepare('SELECT * FROM schedules WHERE enabled = 1 AND next_run_utc <= ? ORDER BY next_run_utc LIMIT ?')
      .all(now, limit) as StoredJob[];
  }

  /** Jobs that wait for changed documents. */
  listening(): StoredJob[] {
    return this.#sql.prepare("SELECT * FROM schedules WHERE kind = 'on' AND enabled = 1").all() as StoredJob[];
  }

  /** Jobs by local time whose next run was computed with other time zone rules. */
  withOtherZoneData(version: string): StoredJob[] {
    return this.#sql
      .prepare("SELECT * FROM schedules WHERE kind = 'cron' AND tz_data <> ?")
      .all(version) as StoredJob[];
  }

  /** Set the columns named in `changes` and count the revision up. */
  update(id: string, changes: Partial<StoredJob>): void {
    updateRow(this.#sql, { table: 'schedules', id }, changes, { set: 'revision = revision + 1' });
  }

  remove(id: string): void {
    this.#sql.prepare('DELETE FROM schedules WHERE id = ?').run(id);
  }
}

/** When a job runs, in the form that `when/` computes with. */
export function timingOf(row: StoredJob): Timing {
  return { kind: row.kind, expression: row.expression, timeZone: row.time_zone, anchor: new Date(row.anchor_utc) };
}

/** Options are stored complete, so a change of the defaults does not change existing jobs. */
export function optionsOf(row: StoredJob): JobOptions {
  return JSON.parse(row.options) as JobOptions;
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
    enabled: row.enabled === 1,
    pausedBecause: row.paused_because ?? undefined,
    pin: row.pin === null ? undefined : (JSON.parse(row.pin) as PinnedCalls),
    next: row.next_run_utc === null || row.enabled === 0 ? undefined : new Date(row.next_run_utc),
    failures: row.failures,
    memory: JSON.parse(row.memory) as Record<string, unknown>,
    options: optionsOf(row),
  };
}
