import type { Store } from '../store/contract.ts';

interface Pin {
  /** The hash of the files that the owner agreed to; absent: they have not agreed. */
  readonly hash?: string | undefined;
  /** Somebody else wrote it. */
  readonly imported?: boolean | undefined;
}

/** The owner's decisions about skills or programs, shared by every machine that shares the home. */
export class ContentPins {
  readonly #store: Store;
  readonly #kind: 'skill' | 'program';

  constructor(store: Store, kind: 'skill' | 'program') {
    this.#store = store;
    this.#kind = kind;
  }

  /** By id. */
  async all(): Promise<ReadonlyMap<string, Pin>> {
    const rows = await this.#store.read.selectFrom('content_pins').selectAll().where('kind', '=', this.#kind).execute();
    return new Map(rows.map(({ id, hash, imported }) => [id, { hash: hash ?? undefined, imported: imported === 1 }]));
  }

  /** Agree to the files with this hash; without a hash, withdraw the agreement. */
  async agree(id: string, hash: string | undefined): Promise<void> {
    await this.#set({ id, hash: hash ?? null, imported: 0 }, { hash: hash ?? null });
  }

  /** Record that somebody else wrote the present files, which nobody has agreed to. */
  async imported(id: string): Promise<void> {
    await this.#set({ id, hash: null, imported: 1 }, { hash: null, imported: 1 });
  }

  async #set(
    row: { readonly id: string; readonly hash: string | null; readonly imported: number },
    change: { readonly hash: string | null; readonly imported?: number },
  ): Promise<void> {
    await this.#store.transaction(() =>
      this.#store.db
        .insertInto('content_pins')
        .values({ kind: this.#kind, ...row })
        .onConflict((conflict) => conflict.columns(['kind', 'id']).doUpdateSet(change))
        .execute(),
    );
  }
}
