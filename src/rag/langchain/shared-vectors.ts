import type { VectorRows } from '../index/segment-file.ts';

const BLOCK_ROWS = 4096;

/** Unit vectors in numbered slots, in memory that threads share. Only who made it adds; `count` says what is there. */
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

  /** Seen by others only when `count` reaches it. */
  put(slot: number, vector: Float32Array): void {
    while (this.blocks.length * BLOCK_ROWS <= slot)
      this.blocks.push(new SharedArrayBuffer(BLOCK_ROWS * this.dimensions * Float32Array.BYTES_PER_ELEMENT));
    this.#rows(slot, slot + 1).set(vector);
  }

  /** Every slot from `from` on, block by block. */
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
