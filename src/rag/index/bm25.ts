import { FREQUENCY_BITS, lengthNorms, type Postings } from './postings.ts';

const FREQUENCY_MASK = (1 << FREQUENCY_BITS) - 1;

/** Slot (over all parts, in order) and score; higher is better. */
export interface Scored {
  readonly slot: number;
  readonly score: number;
}

/** BM25 over several postings as if they were one. */
export class Bm25 {
  readonly #parts: readonly Postings[];
  readonly #bases: readonly number[];
  readonly #norms: readonly Float32Array[];
  readonly #scores: Float32Array;
  readonly slots: number;

  constructor(parts: readonly Postings[]) {
    this.#parts = parts;
    const bases: number[] = [];
    let slots = 0;
    let length = 0;
    for (const part of parts) {
      bases.push(slots);
      slots += part.slots;
      length += part.totalLength;
    }
    this.slots = slots;
    this.#bases = bases;
    this.#norms = parts.map((part) => lengthNorms(part.arrays.lengths, length / Math.max(slots, 1)));
    this.#scores = new Float32Array(slots);
  }

  /** In how many slots the term occurs. */
  frequency(term: string): number {
    let sum = 0;
    for (const part of this.#parts) sum += part.frequency(term);
    return sum;
  }

  idf(term: string): number {
    const frequency = this.frequency(term);
    return Math.log(1 + (this.slots - frequency + 0.5) / (frequency + 0.5));
  }

  length(slot: number): number {
    const part = this.#partOf(slot);
    return this.#parts[part]?.arrays.lengths[slot - (this.#bases[part] ?? 0)] ?? 0;
  }

  /**
   * The `depth` best slots, best first, ties by slot.
   *
   * @param query weight per term.
   * @param allowed 1 for slots that may be returned; all when left out.
   */
  search(query: ReadonlyMap<string, number>, depth: number, allowed?: Uint8Array): Scored[] {
    this.#scores.fill(0);
    for (const [term, weight] of query) {
      const idf = this.idf(term);
      for (const [index, part] of this.#parts.entries()) {
        const found = part.entries(term);
        if (found) this.#add(found.entries, index, weight * idf);
      }
    }
    return best(this.#scores, depth, allowed);
  }

  #add(entries: Uint32Array, part: number, weight: number): void {
    const base = this.#bases[part] ?? 0;
    const scores = this.#scores.subarray(base);
    const norms = this.#norms[part] as Float32Array;
    for (let at = 0; at < entries.length; at++) {
      const entry = entries[at] as number;
      const slot = entry >>> FREQUENCY_BITS;
      const frequency = entry & FREQUENCY_MASK;
      (scores[slot] as number) += (weight * frequency) / (frequency + (norms[slot] as number));
    }
  }

  #partOf(slot: number): number {
    let part = this.#bases.length - 1;
    while (part > 0 && (this.#bases[part] ?? 0) > slot) part--;
    return part;
  }
}

/** The `depth` highest positive scores, best first, ties by slot. */
export function best(scores: Float32Array, depth: number, allowed?: Uint8Array): Scored[] {
  const heap = new Heap(depth);
  for (let slot = 0; slot < scores.length; slot++) {
    const score = scores[slot] as number;
    if (score > heap.floor && (allowed === undefined || allowed[slot] === 1)) heap.push(slot, score);
  }
  return heap.sorted();
}

/** Keeps the best few of many: a binary heap with the worst on top. */
class Heap {
  readonly #slots: number[] = [];
  readonly #scores: number[] = [];
  readonly #depth: number;
  /** A score must be above this to get in. */
  floor = 0;

  constructor(depth: number) {
    this.#depth = depth;
  }

  push(slot: number, score: number): void {
    if (this.#slots.length < this.#depth) this.#rise(this.#slots.push(slot) - 1, slot, score);
    else this.#sink(slot, score);
    if (this.#slots.length === this.#depth) this.floor = this.#scores[0] ?? 0;
  }

  sorted(): Scored[] {
    const found = this.#slots.map((slot, index) => ({ slot, score: this.#scores[index] ?? 0 }));
    return found.sort((a, b) => b.score - a.score || a.slot - b.slot);
  }

  #rise(from: number, slot: number, score: number): void {
    let at = from;
    while (at > 0) {
      const up = (at - 1) >> 1;
      if ((this.#scores[up] as number) <= score) break;
      this.#put(at, this.#slots[up] as number, this.#scores[up] as number);
      at = up;
    }
    this.#put(at, slot, score);
  }

  #sink(slot: number, score: number): void {
    const size = this.#slots.length;
    let at = 0;
    for (;;) {
      let down = 2 * at + 1;
      if (down >= size) break;
      if (down + 1 < size && (this.#scores[down + 1] as number) < (this.#scores[down] as number)) down++;
      if ((this.#scores[down] as number) >= score) break;
      this.#put(at, this.#slots[down] as number, this.#scores[down] as number);
      at = down;
    }
    this.#put(at, slot, score);
  }

  #put(at: number, slot: number, score: number): void {
    this.#slots[at] = slot;
    this.#scores[at] = score;
  }
}
