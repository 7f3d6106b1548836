import type { Store } from '../store/contract.ts';

interface Pin {
  /** Of the files that the owner agreed to; absent: they have not. */
  readonly hash?: string | undefined;
  /** Somebody else wrote it. */
  readonly imported?: boolean | undefined;
}

/** What the owner decided about skills, or programs: on every machine that shares the home. */
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

  /** Agree to what has this hash; without one, no longer. */
  async agree(id: string, hash: string | undefined): Promise<void> {
    await this.#set({ id, hash: hash ?? null, imported: 0 }, { hash: hash ?? null });
  }

  /** Somebody else wrote what is there now; nobody has agreed to it. */
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
