import { best, type Scored } from './bm25.ts';
import type { VectorRows } from './segment-file.ts';

/** Vectors searched one by one. */
export class ExactVectors {
  readonly #parts: readonly { readonly slots: Int32Array; readonly vectors: Float32Array }[];
  readonly #dimensions: number;
  readonly #scores: Float32Array;

  /** @param slotOf -1 for a chunk that is not searched. */
  constructor(
    parts: readonly VectorRows[],
    size: { dimensions: number; slots: number },
    slotOf: (id: number) => number,
  ) {
    this.#parts = parts.map(({ ids, vectors }) => ({ slots: Int32Array.from(ids, slotOf), vectors }));
    this.#dimensions = size.dimensions;
    this.#scores = new Float32Array(size.slots);
  }

  /** The `depth` slots with the highest positive cosine. */
  search(query: Float32Array, depth: number, allowed?: Uint8Array): Scored[] {
    this.#scores.fill(0);
    for (const part of this.#parts) this.#scan(part, query);
    return best(this.#scores, { depth, allowed });
  }

  #scan({ slots, vectors }: { slots: Int32Array; vectors: Float32Array }, query: Float32Array): void {
    const dimensions = this.#dimensions;
    for (let row = 0, at = 0; row < slots.length; row++) {
      let sum = 0;
      for (let axis = 0; axis < dimensions; axis++, at++) sum += (query[axis] as number) * (vectors[at] as number);
      const slot = slots[row] as number;
      if (slot >= 0) this.#scores[slot] = sum;
    }
  }
}
