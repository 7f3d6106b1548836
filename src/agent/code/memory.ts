import type { ScriptMemory } from '../../sandbox/contract.ts';

/** Key under which the next turn finds what `complete({ data })` kept. */
export const LAST_DATA = '_lastData';

/** Most of one turn's stored values together, in characters of JSON. */
const MAX_CHARS = 4_000_000;

/** `store` and `recall`: values that live for one turn and survive a failed script. */
export class TurnMemory {
  readonly #values = new Map<string, { readonly value: unknown; readonly chars: number }>();

  constructor(lastData: unknown) {
    if (lastData !== undefined && lastData !== null) this.set(LAST_DATA, lastData);
  }

  set(key: string, value: unknown): void {
    const chars = (JSON.stringify(value) ?? '').length;
    if (this.#total() - (this.#values.get(key)?.chars ?? 0) + chars > MAX_CHARS) return;
    this.#values.set(key, { value, chars });
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
