import type { DatabaseSync } from 'node:sqlite';
import type { Selectable } from 'kysely';
import type { RunRow } from '../store/schema.ts';
import { insertIfNew, updateRow } from '../store/statements.ts';
import type { Store } from '../store/store.ts';
import type { RunRecord } from './types.ts';

/** A run as it is stored. */
export type StoredRun = Selectable<RunRow>;

/** A run to insert; the other columns have defaults. */
export type NewRun = Pick<StoredRun, 'id' | 'schedule_id' | 'scheduled_for' | 'reason' | 'state'> & Partial<StoredRun>;

/** States of a run that is waiting or in progress. */
const OPEN = "('due', 'claimed', 'running')";

/** The runs of all jobs, in SQL: what is due, in progress and in the history. Every method is one statement. */
export class RunTable {
  readonly #sql: DatabaseSync;

  constructor(store: Store) {
    this.#sql = store.sql;
  }

  /** @returns false when the job has a run for this time already. */
  insert(run: NewRun): boolean {
    return insertIfNew(this.#sql, 'runs', run);
  }

  find(id: string): StoredRun | undefined {
    return this.#sql.prepare('SELECT * FROM runs WHERE id = ?').get(id) as StoredRun | undefined;
  }

  /** The job's runs, newest first. */
  history(scheduleId: string, limit: number): StoredRun[] {
    return this.#sql
      .prepare('SELECT * FROM runs WHERE schedule_id = ? ORDER BY scheduled_for DESC LIMIT ?')
      .all(scheduleId, limit) as StoredRun[];
  }

  /** The job's runs that are waiting or in progress, oldest first. */
  open(scheduleId: string): StoredRun[] {
    return this.#sql
      .prepare(`SELECT * FROM runs WHERE schedule_id = ? AND state IN ${OPEN} ORDER BY scheduled_for`)
      .all(scheduleId) as StoredRun[];
  }

  /** Runs that may start now, oldest first: one at a time per job, unless the job allows overlap. */
  startable(now: string, limit: number): StoredRun[] {
    return this.#sql
      .prepare(
        `SELECT r.* FROM runs r JOIN schedules s ON s.id = r.schedule_id
         WHERE r.state = 'due' AND (r.not_before IS NULL OR r.not_before <= :now)
           AND (s.options ->> 'overlap' = 'allow' OR NOT EXISTS (
             SELECT 1 FROM runs o WHERE o.schedule_id = r.schedule_id AND o.id <> r.id
               AND (o.state IN ('claimed', 'running') OR (o.state = 'due' AND o.scheduled_for < r.scheduled_for))))
         ORDER BY r.scheduled_for LIMIT :limit`,
      )
      .all({ now, limit }) as StoredRun[];
  }

  /** @returns whether the caller got the run; another process may have been faster. */
  claim(id: string, claim: { owner: string; leaseUntil: string; state: 'claimed' | 'running'; now: string }): boolean {
    const { changes } = this.#sql
      .prepare(
        `UPDATE runs SET state = :state, owner = :owner, lease_until = :leaseUntil, attempt = attempt + 1,
           not_before = NULL, started_at = iif(:state = 'running', :now, NULL)
         WHERE id = :id AND state = 'due'`,
      )
      .run({ ...claim, id });
    return changes === 1;
  }

  /** @returns false when the run no longer belongs to `owner`. */
  change(id: string, owner: string, changes: Partial<StoredRun>): boolean {
    const condition = "owner = :holder AND state IN ('claimed', 'running')";
    return updateRow(this.#sql, { table: 'runs', id }, changes, { condition, values: { holder: owner } });
  }

  /** Change a run, whoever owns it. */
  set(id: string, changes: Partial<StoredRun>): void {
    updateRow(this.#sql, { table: 'runs', id }, changes);
  }

  /** Extend the leases of all runs that `owner` has in progress. */
  renew(owner: string, leaseUntil: string): void {
    this.#sql
      .prepare("UPDATE runs SET lease_until = ? WHERE owner = ? AND state IN ('claimed', 'running')")
      .run(leaseUntil, owner);
  }

  /** Runs in progress in other processes, alive or not. */
  heldByOthers(owner: string): StoredRun[] {
    return this.#sql
      .prepare("SELECT * FROM runs WHERE state IN ('claimed', 'running') AND owner <> ?")
      .all(owner) as StoredRun[];
  }

  /** When the job's latest runs after changes started, newest first. */
  eventStarts(scheduleId: string, limit: number): Date[] {
    return this.#sql
      .prepare(
        `SELECT started_at AS at FROM runs WHERE schedule_id = ? AND reason = 'event' AND started_at IS NOT NULL
         ORDER BY started_at DESC LIMIT ?`,
      )
      .all(scheduleId, limit)
      .map(({ at }) => new Date(String(at)));
  }
}

/** A row in the form that other modules see. */
export function toRecord(row: StoredRun): RunRecord {
  return {
    id: row.id,
    scheduledFor: new Date(row.scheduled_for),
    reason: row.reason,
    state: row.state,
    attempt: row.attempt,
    missed: row.missed,
    startedAt: row.started_at === null ? undefined : new Date(row.started_at),
    finishedAt: row.finished_at === null ? undefined : new Date(row.finished_at),
    output: row.output ?? undefined,
    error: row.error ?? undefined,
    delivery: row.delivery,
    costUsd: row.cost_usd ?? undefined,
    conversationId: row.conversation_id ?? undefined,
    turnId: row.turn_id ?? undefined,
  };
}
