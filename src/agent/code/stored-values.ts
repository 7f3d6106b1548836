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

  /** Values whose newest state is not saved yet. */
  readonly #unsaved = new Set<string>();

  /** Ends with the newest save. */
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
    if (!this.#put(key, value) || !this.#journal) return;
    this.#unsaved.add(key);
    // `saved` reports a failure; until somebody asks, it must not count as unhandled.
    this.saved().catch(() => undefined);
  }

  /** Save what is not saved yet, also what could not be saved before. Rejects when a value cannot be. */
  saved(): Promise<void> {
    // Also when nothing is new: a save may be under way, or have failed.
    this.#saving = this.#saving.catch(() => undefined).then(() => this.#save());
    return this.#saving;
  }

  async #save(): Promise<void> {
    for (const key of this.#unsaved) {
      const value = this.#values.get(key)?.value;
      this.#unsaved.delete(key);
      try {
        await this.#journal?.store(key, value);
      } catch (error) {
        this.#unsaved.add(key);
        throw error;
      }
    }
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
