import type { Store } from '../store/store.ts';
import { RUNS_TOPIC } from './due.ts';
import type { StoredRun } from './run-table.ts';
import type { Suspended } from './types.ts';

/** Whether a run that starts has been recorded before: it stopped, and goes on now. */
export function hasWaited({ turn_id }: Pick<StoredRun, 'turn_id'>): boolean {
  return turn_id !== null;
}

/**
 * Runs that stopped at a call which waits for the owner. Such a run is `denied` until there is a decision, and `due`
 * again from then on, for whichever program starts it.
 */
export class WaitingRuns {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Within the transaction that ends the run for now. */
  async add(runId: string, { proposal, until, steps }: Suspended): Promise<void> {
    await this.#store.db
      .insertInto('waiting_runs')
      .values({ run_id: runId, proposal, until, steps })
      .onConflict((conflict) => conflict.column('run_id').doUpdateSet({ proposal, until, steps }))
      .execute();
  }

  /** What a run that goes on was answered before. */
  async steps(runId: string): Promise<string | undefined> {
    const row = this.#store.db.selectFrom('waiting_runs').select('steps').where('run_id', '=', runId);
    return (await row.executeTakeFirst())?.steps;
  }

  /** The run is over. */
  async remove(runId: string): Promise<void> {
    await this.#store.db.deleteFrom('waiting_runs').where('run_id', '=', runId).execute();
  }

  /** Those of these runs that wait. */
  async among(runIds: readonly string[]): Promise<ReadonlySet<string>> {
    if (runIds.length === 0) return new Set();
    const rows = await this.#store.db
      .selectFrom('waiting_runs')
      .select('run_id')
      .where('run_id', 'in', runIds)
      .where('until', 'is not', null)
      .execute();
    return new Set(rows.map(({ run_id }) => run_id));
  }

  /** The owner has decided about a call: the run that waits for it is due, once. */
  async goOn(proposal: string): Promise<void> {
    await this.#store.transaction(async () =>
      this.#resume(await this.#waiting().where('proposal', '=', proposal).execute()),
    );
  }

  /** So are those whose calls nobody decided about in time. */
  async endWaits(now: Date): Promise<void> {
    const late = () => this.#waiting().where('until', '<=', now.toISOString()).execute();
    if ((await late()).length > 0) await this.#store.transaction(async () => this.#resume(await late()));
  }

  #waiting() {
    return this.#store.db.selectFrom('waiting_runs').select('run_id').where('until', 'is not', null);
  }

  async #resume(waiting: readonly { readonly run_id: string }[]): Promise<void> {
    if (waiting.length === 0) return;
    const ids = waiting.map(({ run_id }) => run_id);
    const { db, wake } = this.#store;
    await db.updateTable('waiting_runs').set({ until: null }).where('run_id', 'in', ids).execute();
    const open = { state: 'due', not_before: null, owner: null, lease_until: null, finished_at: null } as const;
    await db.updateTable('runs').set(open).where('state', '=', 'denied').where('id', 'in', ids).execute();
    await wake.notify(RUNS_TOPIC);
  }
}
