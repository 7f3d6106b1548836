import { TermTable, type TermTableArrays } from './term-table.ts';

/** BM25 as measured to be best on average (k1 1.2, b 0.75). */
export const K1 = 1.2;
export const B = 0.75;

/** Entries hold the document's slot above this many bits of term frequency. */
export const FREQUENCY_BITS = 8;
export const MAX_FREQUENCY = 255;
/** Slots have 24 bits. */
export const MAX_SLOTS = 1 << 24;

export interface PostingsArrays {
  readonly terms: TermTableArrays;
  /** Where the entries of term i begin; one more than terms. */
  readonly starts: Uint32Array;
  /** slot << 8 | frequency, by term, slots ascending. */
  readonly entries: Uint32Array;
  /** Terms per slot, repeats counted. */
  readonly lengths: Uint32Array;
  /** Per term, the largest tf part of its scores at the average length of the build: bounds what it can add. */
  readonly ceilings: Float32Array;
}

/** An inverted file over one kind of term, fixed once built. */
export class Postings {
  /** Of postings that are open lazily, `entries` holds only what was asked for. */
  readonly arrays: PostingsArrays;
  readonly #bring: ((from: number, to: number) => void) | undefined;
  readonly terms: TermTable;
  readonly totalLength: number;

  /** @param bring called before entries `from` to `to` are used, where they are not all in memory. */
  constructor(arrays: PostingsArrays, bring?: (from: number, to: number) => void) {
    this.arrays = arrays;
    this.#bring = bring;
    this.terms = new TermTable(arrays.terms);
    let total = 0;
    for (const length of arrays.lengths) total += length;
    this.totalLength = total;
  }

  get slots(): number {
    return this.arrays.lengths.length;
  }

  /** In how many slots the term occurs. */
  frequency(term: string): number {
    const number = this.terms.find(term);
    return number < 0 ? 0 : this.#start(number + 1) - this.#start(number);
  }

  /** The term's entries and its ceiling. */
  entries(term: string): { readonly entries: Uint32Array; readonly ceiling: number } | undefined {
    const number = this.terms.find(term);
    if (number < 0) return undefined;
    const { entries, ceilings } = this.arrays;
    const [from, to] = [this.#start(number), this.#start(number + 1)];
    this.#bring?.(from, to);
    return {
      entries: entries.subarray(from, to),
      ceiling: ceilings[number] ?? 1,
    };
  }

  #start(number: number): number {
    return this.arrays.starts[number] ?? 0;
  }
}

/** Collects documents one by one, then turns them by counting sort into postings. */
export class PostingsBuilder {
  readonly #numbers = new Map<string, number>();
  readonly #lengths: number[] = [];
  #pairTerms = new Uint32Array(1 << 12);
  #pairEntries = new Uint32Array(1 << 12);
  #pairs = 0;

  /** @param terms the next slot's terms, repeats kept. */
  add(terms: readonly string[]): void {
    const slot = this.#lengths.push(terms.length) - 1;
    const counts = new Map<number, number>();
    for (const term of terms) {
      const number = this.#number(term);
      counts.set(number, (counts.get(number) ?? 0) + 1);
    }
    for (const [number, count] of counts) this.addEntry(number, slot, count);
  }

  /** For merging: how many terms the next slot has; its entries follow through `addEntry`. */
  addSlot(length: number): number {
    return this.#lengths.push(length) - 1;
  }

  addEntry(number: number, slot: number, count: number): void {
    if (this.#pairs === this.#pairTerms.length) this.#grow();
    this.#pairTerms[this.#pairs] = number;
    this.#pairEntries[this.#pairs++] = (slot << FREQUENCY_BITS) | Math.min(count, MAX_FREQUENCY);
  }

  termNumber(term: string): number {
    return this.#number(term);
  }

  build(): Postings {
    const starts = new Uint32Array(this.#numbers.size + 1);
    for (let at = 0; at < this.#pairs; at++) bump(starts, (this.#pairTerms[at] ?? 0) + 1);
    for (let number = 1; number < starts.length; number++)
      starts[number] = (starts[number] ?? 0) + (starts[number - 1] ?? 0);
    const next = starts.slice();
    const entries = new Uint32Array(this.#pairs);
    for (let at = 0; at < this.#pairs; at++) {
      const number = this.#pairTerms[at] ?? 0;
      entries[next[number] ?? 0] = this.#pairEntries[at] ?? 0;
      bump(next, number);
    }
    const lengths = Uint32Array.from(this.#lengths);
    const ceilings = findCeilings({ starts, entries, lengths });
    const terms = TermTable.from([...this.#numbers.keys()]).arrays;
    return new Postings({ terms, starts, entries, lengths, ceilings });
  }

  #number(term: string): number {
    const known = this.#numbers.get(term);
    if (known !== undefined) return known;
    this.#numbers.set(term, this.#numbers.size);
    return this.#numbers.size - 1;
  }

  #grow(): void {
    this.#pairTerms = enlarged(this.#pairTerms);
    this.#pairEntries = enlarged(this.#pairEntries);
  }
}

function findCeilings(of: Pick<PostingsArrays, 'starts' | 'entries' | 'lengths'>): Float32Array {
  const norms = lengthNorms(of.lengths, average(of.lengths));
  const ceilings = new Float32Array(Math.max(0, of.starts.length - 1));
  for (let number = 0; number < ceilings.length; number++) {
    let highest = 0;
    for (let at = of.starts[number] ?? 0; at < (of.starts[number + 1] ?? 0); at++) {
      const entry = of.entries[at] ?? 0;
      const frequency = entry & MAX_FREQUENCY;
      const part = frequency / (frequency + (norms[entry >>> FREQUENCY_BITS] ?? 0));
      if (part > highest) highest = part;
    }
    ceilings[number] = highest;
  }
  return ceilings;
}

/** k1 * (1 - b + b * length / average) per slot. */
export function lengthNorms(lengths: Uint32Array, averageLength: number): Float32Array {
  const norms = new Float32Array(lengths.length);
  for (let slot = 0; slot < lengths.length; slot++)
    norms[slot] = K1 * (1 - B + (B * (lengths[slot] ?? 0)) / Math.max(averageLength, 1e-9));
  return norms;
}

function average(lengths: Uint32Array): number {
  let total = 0;
  for (const length of lengths) total += length;
  return lengths.length === 0 ? 0 : total / lengths.length;
}

function bump(array: Uint32Array, at: number): void {
  array[at] = (array[at] ?? 0) + 1;
}

function enlarged(array: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(array.length * 2);
  larger.set(array);
  return larger;
}
