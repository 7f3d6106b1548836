import { type QueryCreator, type RawBuilder, type Selectable, sql } from 'kysely';
import { isIn } from '../store/portable.ts';
import type { Database, RunRow, RunState } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import type { RunRecord } from './types.ts';

/** A run as it is stored. */
export type StoredRun = Selectable<RunRow>;

/** A run to insert; the other columns have defaults. */
export type NewRun = Pick<StoredRun, 'id' | 'schedule_id' | 'scheduled_for' | 'reason' | 'state' | 'exclusive'> &
  Partial<StoredRun>;

/** Who claims runs, and how long the lease lasts. */
export interface Claim {
  readonly owner: string;
  readonly leaseUntil: string;
  readonly now: string;
}

/** A claimed run. Any later claim, even by the same process, has another attempt number. */
export type ClaimedRun = Pick<StoredRun, 'id' | 'owner' | 'attempt'>;

/** The state of a pending run. */
const DUE = literal('due');
/** States of a run in progress. */
const HELD = [literal('claimed'), literal('running')];
/** States of a run that is waiting or in progress. */
const OPEN = [DUE, ...HELD];

/** Databases limit the parameters of a statement. */
const INSERTED_AT_ONCE = 500;

/** The runs of all jobs, in SQL: due, in progress and past. Every method is one statement. */
export class RunTable {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** @returns false when the job has a run for this time already. */
  async insert(run: NewRun): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await this.#store.db
      .insertInto('runs')
      .values(run)
      .onConflict((conflict) => conflict.columns(['schedule_id', 'scheduled_for']).doNothing())
      .executeTakeFirst();
    return numInsertedOrUpdatedRows === 1n;
  }

  /** Insert runs, except where the job already has a run for the time. */
  async insertAll(runs: readonly NewRun[]): Promise<void> {
    for (let at = 0; at < runs.length; at += INSERTED_AT_ONCE) {
      await this.#store.db
        .insertInto('runs')
        .values(runs.slice(at, at + INSERTED_AT_ONCE))
        .onConflict((conflict) => conflict.columns(['schedule_id', 'scheduled_for']).doNothing())
        .execute();
    }
  }

  /** Which of these jobs have runs that are waiting or in progress. */
  async withOpen(scheduleIds: readonly string[]): Promise<Set<string>> {
    const rows = await this.#store.db
      .selectFrom('runs')
      .select('schedule_id')
      .distinct()
      .where('state', 'in', OPEN)
      .where(isIn(this.#store, 'schedule_id', scheduleIds))
      .execute();
    return new Set(rows.map((row) => row.schedule_id));
  }

  async find(id: string): Promise<StoredRun | undefined> {
    return this.#store.db.selectFrom('runs').selectAll().where('id', '=', id).executeTakeFirst();
  }

  /** The job's runs, newest first. */
  async history(scheduleId: string, limit: number): Promise<StoredRun[]> {
    const runs = this.#store.db.selectFrom('runs').selectAll().where('schedule_id', '=', scheduleId);
    return runs.orderBy('scheduled_for', 'desc').limit(limit).execute();
  }

  /** The job's runs that are waiting or in progress, oldest first. */
  async open(scheduleId: string): Promise<StoredRun[]> {
    const runs = this.#store.db.selectFrom('runs').selectAll().where('schedule_id', '=', scheduleId);
    return runs.where('state', 'in', OPEN).orderBy('scheduled_for').execute();
  }

  /** Whether `claim` would find something. */
  async anyStartable(now: string): Promise<boolean> {
    return (await startable(this.#store.db, now).limit(1).executeTakeFirst()) !== undefined;
  }

  /**
   * Claim the oldest runs that may start now and mark them as running; in the same transaction, `hold` those that do
   * not start at once. Returned in no particular order.
   *
   * @throws the database's error when the index `runs_alone` finds a run of one of the jobs in progress.
   */
  async claim({ owner, leaseUntil, now }: Claim, limit: number): Promise<StoredRun[]> {
    const { kind, db } = this.#store;
    return db
      .with('candidates', (cte) => {
        const oldest = startable(cte, now).orderBy('r.scheduled_for').limit(limit);
        return kind === 'postgres' ? oldest.forUpdate('r').skipLocked() : oldest;
      })
      .updateTable('runs')
      .set((run) => ({
        ...held(owner, leaseUntil),
        state: 'running',
        started_at: now,
        attempt: run('attempt', '+', 1),
      }))
      .where('id', 'in', (query) => query.selectFrom('candidates').select('candidates.id'))
      .returningAll()
      .execute();
  }

  /** Mark runs that were just claimed as not yet running. */
  async hold(ids: readonly string[]): Promise<void> {
    await this.#store.db
      .updateTable('runs')
      .set({ state: 'claimed', started_at: null })
      .where(isIn(this.#store, 'id', ids))
      .execute();
  }

  /** @returns false when this claim is over: the run ended, or somebody else claimed it. */
  async change({ id, owner, attempt }: ClaimedRun, changes: Partial<StoredRun>): Promise<boolean> {
    const { numUpdatedRows } = await this.#store.db
      .updateTable('runs')
      .set(changes)
      .where('id', '=', id)
      .where('owner', '=', owner)
      .where('attempt', '=', attempt)
      .where('state', 'in', HELD)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  /** Change a pending run. @returns false when it is no longer pending. */
  async changeDue(id: string, changes: Partial<StoredRun>): Promise<boolean> {
    const { numUpdatedRows } = await this.#store.db
      .updateTable('runs')
      .set(changes)
      .where('id', '=', id)
      .where('state', '=', DUE)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  /** Change a run, whoever owns it. */
  async set(id: string, changes: Partial<StoredRun>): Promise<void> {
    await this.#store.db.updateTable('runs').set(changes).where('id', '=', id).execute();
  }

  /** Extend the leases of those of these runs that still belong to `owner`. */
  async renew(ids: readonly string[], { owner, leaseUntil }: Claim): Promise<void> {
    await this.#store.db
      .updateTable('runs')
      .set({ lease_until: leaseUntil })
      .where(isIn(this.#store, 'id', ids))
      .where('owner', '=', owner)
      .where('state', 'in', HELD)
      .execute();
  }

  /** Undo a claim, except for the runs that began. */
  async unclaim({ owner, leaseUntil }: Claim, begun: readonly string[]): Promise<void> {
    const claimed = this.#store.db
      .updateTable('runs')
      .set((run) => ({
        state: 'due',
        owner: null,
        lease_until: null,
        started_at: null,
        attempt: run('attempt', '-', 1),
      }))
      .where('state', 'in', HELD)
      .where('owner', '=', owner)
      .where('lease_until', '=', leaseUntil);
    await (begun.length > 0 ? claimed.where('id', 'not in', begun) : claimed).execute();
  }

  /** Runs in progress in any process, alive or not. */
  async inProgress(): Promise<StoredRun[]> {
    return this.#store.db.selectFrom('runs').selectAll().where('state', 'in', HELD).execute();
  }

  /** When the job's latest runs after changes started, newest first. */
  async eventStarts(scheduleId: string, limit: number): Promise<Date[]> {
    const rows = await this.#store.db
      .selectFrom('runs')
      .select('started_at')
      .where('schedule_id', '=', scheduleId)
      .where('reason', '=', 'event')
      .where('started_at', 'is not', null)
      .orderBy('started_at', 'desc')
      .limit(limit)
      .$narrowType<{ started_at: string }>()
      .execute();
    return rows.map((row) => new Date(row.started_at));
  }
}

/**
 * A state as a literal. With a parameter, PostgreSQL's planner cannot use the partial indexes on open runs: with a few
 * thousand runs due, a claim took six times as long.
 */
function literal<S extends RunState>(state: S): RawBuilder<S> {
  return sql.lit(state) as RawBuilder<S>;
}

/** The columns of a claimed run. */
export function held(owner: string, leaseUntil: string): Partial<StoredRun> {
  return { owner, lease_until: leaseUntil, not_before: null, started_at: null };
}

/**
 * The ids of runs that may start now. An exclusive one waits for runs of its job that are in progress, and for those
 * that were due before it; so there is at most one of each such job.
 */
function startable(db: Pick<QueryCreator<Database>, 'selectFrom'>, now: string) {
  return db
    .selectFrom('runs as r')
    .select('r.id')
    .where('r.state', '=', DUE)
    .where((run) => run.or([run('r.not_before', 'is', null), run('r.not_before', '<=', now)]))
    .where((run) => {
      const others = run
        .selectFrom('runs as o')
        .select('o.id')
        .whereRef('o.schedule_id', '=', 'r.schedule_id')
        .whereRef('o.id', '<>', 'r.id')
        .where((other) =>
          other.or([
            other('o.state', 'in', HELD),
            other.and([other('o.state', '=', DUE), other('o.scheduled_for', '<', other.ref('r.scheduled_for'))]),
          ]),
        );
      return run.or([run('r.exclusive', '=', 0), run.not(run.exists(others))]);
    });
}

/** A row in the form that other modules see. @param waits for the owner. */
export function toRecord(row: StoredRun, waits = false): RunRecord {
  return {
    id: row.id,
    scheduledFor: new Date(row.scheduled_for),
    reason: row.reason,
    state: waits && row.state === 'denied' ? 'waiting' : row.state,
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

/** Runs with the delivery of their reports: what was in the outbox then may have been sent or given up since. */
export async function toldSince(
  runs: readonly StoredRun[],
  waiting: ReadonlySet<string>,
  reported?: (runIds: readonly string[]) => Promise<ReadonlyMap<string, string>>,
): Promise<RunRecord[]> {
  const known = await reported?.(runs.map(({ id }) => id));
  return runs.map((run) => {
    const record = toRecord(run, waiting.has(run.id));
    const isOpen = /^(?:pending|queued|unknown)\b/u.test(record.delivery);
    return isOpen ? { ...record, delivery: known?.get(run.id) ?? record.delivery } : record;
  });
}
