import type { Store } from '../../store/store.ts';

/** Whose calls are counted. */
export interface CallSource {
  /** `provider:name`. */
  readonly model: string;
  /** Origin of its server; empty where it has none. */
  readonly address: string;
}

/** How a model has kept to the form of calls so far. */
export interface CallRecord {
  /** Replies that call tools, those of them without a slip, and those that were held to a schema. */
  readonly calls: number;
  readonly clean: number;
  readonly held: number;
  /** Which of its provider's ways to hold it is in use, and the slips since it is. */
  readonly level: number;
  readonly slips: number;
  /** Whether its server keeps to a schema; undefined if it was never asked. */
  readonly binds: boolean | undefined;
}

const NEW: CallRecord = { calls: 0, clean: 0, held: 0, level: 0, slips: 0, binds: undefined };

/** The table `model_calls`. */
export class CallRecords {
  readonly #store: Store;
  readonly #now: () => Date;
  readonly #known = new Map<string, CallRecord>();

  constructor({ store, now }: { readonly store: Store; readonly now: () => Date }) {
    this.#store = store;
    this.#now = now;
  }

  async of({ model, address }: CallSource): Promise<CallRecord> {
    const key = `${model} ${address}`;
    const known = this.#known.get(key);
    if (known) return known;
    const row = await this.#store.read
      .selectFrom('model_calls')
      .where('model', '=', model)
      .where('address', '=', address)
      .selectAll()
      .executeTakeFirst();
    const found = row ? { ...row, binds: row.binds === null ? undefined : row.binds === 1 } : NEW;
    this.#known.set(key, found);
    return found;
  }

  /** All that were ever counted, by model. */
  async all(): Promise<readonly (CallSource & CallRecord)[]> {
    const rows = await this.#store.read.selectFrom('model_calls').selectAll().orderBy('model').execute();
    return rows.map((row) => ({ ...row, binds: row.binds === null ? undefined : row.binds === 1 }));
  }

  /** Save how it is now. Counts of two programs at once may lose a call, which no decision depends on. */
  async save(source: CallSource, record: CallRecord): Promise<void> {
    const { calls, clean, held, level, slips, binds } = record;
    this.#known.set(`${source.model} ${source.address}`, record);
    const counts = { calls, clean, held, level, slips, binds: binds === undefined ? null : Number(binds) };
    const row = { ...counts, updated_at: this.#now().toISOString() };
    await this.#store.db
      .insertInto('model_calls')
      .values({ model: source.model, address: source.address, ...row })
      .onConflict((conflict) => conflict.columns(['model', 'address']).doUpdateSet(row))
      .execute();
  }
}
