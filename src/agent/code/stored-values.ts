import type { Conversation } from '../../conversation/types.ts';
import type { ScriptMemory } from '../../sandbox/contract.ts';

/** Where values are saved, so that a killed turn has them again. */
type Journal = Pick<Conversation, 'store' | 'stored'>;

/** The key under which a turn finds what the previous one kept with `complete({ data })`. */
const LAST_DATA = '_lastData';

/** The most that one turn may store, in characters of JSON. */
const MAX_CHARS = 4_000_000;

/** The values behind `store` and `recall`. They live for one turn, and survive a failed script and a killed program. */
export class StoredValues {
  readonly #values = new Map<string, { readonly value: unknown; readonly chars: number }>();

  readonly #journal: Journal | undefined;

  /** The values being saved, in the order in which they were stored. */
  #saving = Promise.resolve();

  /** @param journal new values are saved to it; without it nothing is saved. */
  constructor(journal?: Journal) {
    this.#journal = journal;
  }

  /** What the turn of `journal` starts with: what the previous one kept, and its own values if it is continued. */
  static async load(journal: Journal & Pick<Conversation, 'lastData'>): Promise<StoredValues> {
    const values = new StoredValues(journal);
    const lastData = await journal.lastData();
    if (lastData !== undefined && lastData !== null) values.#put(LAST_DATA, lastData);
    for (const [key, value] of await journal.stored()) values.#put(key, value);
    return values;
  }

  /** Store a value, and begin to save it. Ignored when there is no room for it. */
  set(key: string, value: unknown): void {
    const journal = this.#journal;
    if (!this.#put(key, value) || !journal) return;
    this.#saving = this.#saving.then(() => journal.store(key, value));
    // `saved` reports it; until somebody asks, it must not count as unhandled.
    this.#saving.catch(() => undefined);
  }

  /** Wait until all values are saved. Rejects when one could not be. */
  saved(): Promise<void> {
    return this.#saving;
  }

  /** @returns false when there is no room for it. */
  #put(key: string, value: unknown): boolean {
    const chars = (JSON.stringify(value) ?? '').length;
    if (this.#total() - (this.#values.get(key)?.chars ?? 0) + chars > MAX_CHARS) return false;
    this.#values.set(key, { value, chars });
    return true;
  }

  /** Size of each value in characters of JSON, by key. */
  sizes(): ReadonlyMap<string, number> {
    return new Map([...this.#values].map(([key, { chars }]) => [key, chars]));
  }

  /** The values as one script gets and changes them. */
  forScript(): ScriptMemory {
    const initial = Object.fromEntries([...this.#values].map(([key, { value }]) => [key, value]));
    return { initial, set: (key, value) => this.set(key, value) };
  }

  #total(): number {
    return [...this.#values.values()].reduce((sum, { chars }) => sum + chars, 0);
  }
}
