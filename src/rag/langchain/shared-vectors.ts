import type { VectorRows } from '../index/segment-file.ts';

/** Memory grows by blocks, so that existing vectors never move. */
const BLOCK_ROWS = 4096;

/** Unit vectors in numbered slots of shared memory. Only one thread adds; the others see slots below `count`. */
export class SharedVectors {
  readonly dimensions: number;
  readonly blocks: SharedArrayBuffer[];
  count: number;

  constructor(dimensions: number, blocks: readonly SharedArrayBuffer[] = [], count = 0) {
    this.dimensions = dimensions;
    this.blocks = [...blocks];
    this.count = count;
  }

  /** A view, not a copy. */
  at(slot: number): Float32Array {
    return this.#rows(slot, slot + 1);
  }

  /** Write a vector. Others see it once `count` is above the slot. */
  put(slot: number, vector: Float32Array): void {
    while (this.blocks.length * BLOCK_ROWS <= slot)
      this.blocks.push(new SharedArrayBuffer(BLOCK_ROWS * this.dimensions * Float32Array.BYTES_PER_ELEMENT));
    this.#rows(slot, slot + 1).set(vector);
  }

  /** All vectors from slot `from` on, block by block; their ids are the slots. */
  parts(from: number): VectorRows[] {
    const parts: VectorRows[] = [];
    for (let at = from; at < this.count; ) {
      const end = Math.min(this.count, (Math.floor(at / BLOCK_ROWS) + 1) * BLOCK_ROWS);
      const first = at;
      parts.push({
        ids: Uint32Array.from({ length: end - at }, (_, row) => first + row),
        vectors: this.#rows(at, end),
      });
      at = end;
    }
    return parts;
  }

  #rows(from: number, to: number): Float32Array {
    const { dimensions } = this;
    const block = this.blocks[Math.floor(from / BLOCK_ROWS)] ?? new SharedArrayBuffer(0);
    return new Float32Array(
      block,
      (from % BLOCK_ROWS) * dimensions * Float32Array.BYTES_PER_ELEMENT,
      (to - from) * dimensions,
    );
  }
}
