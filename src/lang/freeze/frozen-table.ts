import type { Selectable, Updateable } from 'kysely';
import { z } from 'zod';
import type { TurnCost } from '../../models/usage-table.ts';
import type { FrozenJobRow } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';
import { SEEN } from './seen.ts';

/** The program of a frozen job, with all that its owner approved. */
const FROZEN = z.object({
  source: z.string(),
  /** Hash of what the job was. */
  basis: z.string(),
  /** What each of its tools was, by name. */
  tools: z.record(z.string(), z.string()),
  /** What it may call, and whom that may reach. */
  allowed: z.object({ tools: z.array(z.string()), destinations: z.array(z.string()) }),
  /** The most calls that act in one run. */
  mostEffects: z.number(),
  seen: SEEN,
  /** What a run by a model took on average; the price is absent where it is not known. */
  perRun: z.object({ tokens: z.number(), usd: z.number().optional() }),
});
export type Frozen = z.infer<typeof FROZEN>;

/** A job that is or was frozen. */
export interface FrozenJob extends Frozen {
  readonly jobId: string;
  readonly state: FrozenJobRow['state'];
  readonly frozenAt: Date;
  readonly auditedAt: Date;
  readonly why: string | undefined;
  readonly deviations: number;
  readonly runs: number;
  readonly spent: TurnCost;
  readonly stopped: string | undefined;
}

export class FrozenTable {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async get(jobId: string): Promise<FrozenJob | undefined> {
    const row = await this.#store.db
      .selectFrom('frozen_jobs')
      .selectAll()
      .where('job_id', '=', jobId)
      .executeTakeFirst();
    return row && toJob(row);
  }

  async freeze(jobId: string, frozen: Frozen, now: Date): Promise<void> {
    const at = now.toISOString();
    const fresh = { state: 'frozen', frozen: JSON.stringify(frozen), frozen_at: at, audited_at: at } as const;
    const counts = { why: null, deviations: 0, runs: 0, spent_tokens: 0, spent_usd: 0, stopped: null };
    await this.#store.transaction(() =>
      this.#store.db
        .insertInto('frozen_jobs')
        .values({ job_id: jobId, ...fresh, ...counts })
        .onConflict((same) => same.column('job_id').doUpdateSet({ ...fresh, ...counts }))
        .execute(),
    );
  }

  /** @returns whether it was frozen until now. */
  async thaw(jobId: string, why: string): Promise<boolean> {
    const { numUpdatedRows } = await this.#store.transaction(() =>
      this.#store.db
        .updateTable('frozen_jobs')
        .set({ state: 'thawed', why })
        .where('job_id', '=', jobId)
        .where('state', '=', 'frozen')
        .executeTakeFirst(),
    );
    return numUpdatedRows > 0n;
  }

  /** A model has done the same as the program. */
  async audited(jobId: string, now: Date): Promise<void> {
    await this.#set(jobId, { audited_at: now.toISOString() });
  }

  /** A run that the program did to the end. */
  async ran(jobId: string, { tokens, usd }: TurnCost): Promise<void> {
    await this.#store.transaction(() =>
      this.#store.db
        .updateTable('frozen_jobs')
        .set((row) => ({
          runs: row('runs', '+', 1),
          spent_tokens: row('spent_tokens', '+', tokens),
          spent_usd: usd === undefined ? null : row('spent_usd', '+', usd),
        }))
        .where('job_id', '=', jobId)
        .execute(),
    );
  }

  /** @param stopped what it had done, where it stopped after it had acted. @returns how often that was so far. */
  async deviated(jobId: string, stopped: string | undefined): Promise<number> {
    const { deviations } = await this.#store.transaction(() =>
      this.#store.db
        .updateTable('frozen_jobs')
        .set((row) => ({ deviations: row('deviations', '+', 1), ...(stopped === undefined ? {} : { stopped }) }))
        .where('job_id', '=', jobId)
        .returning('deviations')
        .executeTakeFirstOrThrow(),
    );
    return deviations;
  }

  /** A model was told of the run that had stopped. */
  async told(jobId: string): Promise<void> {
    await this.#set(jobId, { stopped: null });
  }

  async #set(jobId: string, changes: Updateable<FrozenJobRow>): Promise<void> {
    await this.#store.transaction(() =>
      this.#store.db.updateTable('frozen_jobs').set(changes).where('job_id', '=', jobId).execute(),
    );
  }
}

function toJob(row: Selectable<FrozenJobRow>): FrozenJob {
  return {
    ...FROZEN.parse(JSON.parse(row.frozen)),
    jobId: row.job_id,
    state: row.state,
    frozenAt: new Date(row.frozen_at),
    auditedAt: new Date(row.audited_at),
    why: row.why ?? undefined,
    deviations: row.deviations,
    runs: row.runs,
    spent: { tokens: row.spent_tokens, usd: row.spent_usd ?? undefined },
    stopped: row.stopped ?? undefined,
  };
}
