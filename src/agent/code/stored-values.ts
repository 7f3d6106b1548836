import type { Conversation } from '../../conversation/types.ts';
import type { ScriptMemory } from '../../sandbox/contract.ts';

type Journal = Pick<Conversation, 'store' | 'stored'>;

/** Key under which the next turn finds what `complete({ data })` kept. */
export const LAST_DATA = '_lastData';

/** Most of one turn's stored values together, in characters of JSON. */
const MAX_CHARS = 4_000_000;

/** `store` and `recall`: values that live for one turn and survive a failed script. */
export class StoredValues {
  readonly #values = new Map<string, { readonly value: unknown; readonly chars: number }>();

  readonly #journal: Journal | undefined;

  /** @param journal of the turn: what it holds from before a kill is there again, and what is set goes there. */
  constructor(lastData: unknown, journal?: Journal) {
    if (lastData !== undefined && lastData !== null) this.#put(LAST_DATA, lastData);
    for (const [key, value] of journal?.stored() ?? []) this.#put(key, value);
    this.#journal = journal;
  }

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

  /** Characters of JSON by key. */
  sizes(): ReadonlyMap<string, number> {
    return new Map([...this.#values].map(([key, { chars }]) => [key, chars]));
  }

  forScript(): ScriptMemory {
    const initial = Object.fromEntries([...this.#values].map(([key, { value }]) => [key, value]));
    return { initial, set: (key, value) => this.set(key, value) };
  }

  #total(): number {
    return [...this.#values.values()].reduce((sum, { chars }) => sum + chars, 0);
  }
}
