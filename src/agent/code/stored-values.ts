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

  /** @param journal values of a continued turn come from it, new ones are saved to it; without it nothing is saved. */
  constructor(lastData: unknown, journal?: Journal) {
    if (lastData !== undefined && lastData !== null) this.#put(LAST_DATA, lastData);
    for (const [key, value] of journal?.stored() ?? []) this.#put(key, value);
    this.#journal = journal;
  }

  /** Store a value, and save it. Ignored when there is no room for it. */
  set(key: string, value: unknown): void {
    if (this.#put(key, value)) this.#journal?.store(key, value);
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
