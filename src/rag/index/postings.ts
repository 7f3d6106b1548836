import { TermDictionary, type TermDictionaryArrays } from './term-dictionary.ts';

/** BM25's parameters, which measured best on average. */
export const K1 = 1.2;
export const B = 0.75;

/** A posting holds the document id (24 bits) above this many bits of term frequency. */
export const FREQUENCY_BITS = 8;
export const MAX_FREQUENCY = 255;

export interface PostingsArrays {
  readonly terms: TermDictionaryArrays;
  /** Where the postings of term i begin in `entries`; has one more entry than there are terms. */
  readonly starts: Uint32Array;
  /** The postings, `docId << 8 | frequency`, by term, document ids ascending. */
  readonly entries: Uint32Array;
  /** Document lengths: terms per document, repeats counted. */
  readonly lengths: Uint32Array;
  /** Per term, the largest tf component of its scores at the average length of the build: the max-score upper bound. */
  readonly ceilings: Float32Array;
}

/** The inverted index of one segment over one kind of term; immutable once built. */
export class Postings {
  /** If opened lazily, `entries` holds only the parts that were asked for. */
  readonly arrays: PostingsArrays;
  readonly #bring: ((from: number, to: number) => void) | undefined;
  readonly terms: TermDictionary;
  readonly totalLength: number;

  /** @param bring loads entries `from` to `to`; needed if they are not all in memory. */
  constructor(arrays: PostingsArrays, bring?: (from: number, to: number) => void) {
    this.arrays = arrays;
    this.#bring = bring;
    this.terms = new TermDictionary(arrays.terms);
    let total = 0;
    for (const length of arrays.lengths) total += length;
    this.totalLength = total;
  }

  get docCount(): number {
    return this.arrays.lengths.length;
  }

  /** Document frequency: how many documents contain the term. */
  frequency(term: string): number {
    const number = this.terms.find(term);
    return number < 0 ? 0 : this.#start(number + 1) - this.#start(number);
  }

  /** The term's postings and the upper bound of its tf component. */
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

/** Collects documents one by one, then sorts them by term (counting sort) into postings. */
export class PostingsBuilder {
  readonly #numbers = new Map<string, number>();
  readonly #lengths: number[] = [];
  #pairTerms = new Uint32Array(1 << 12);
  #pairEntries = new Uint32Array(1 << 12);
  #pairs = 0;

  /** Add the next document. @param terms its terms, repeats kept. */
  add(terms: readonly string[]): void {
    const docId = this.#lengths.push(terms.length) - 1;
    const counts = new Map<number, number>();
    for (const term of terms) {
      const number = this.#number(term);
      counts.set(number, (counts.get(number) ?? 0) + 1);
    }
    for (const [number, count] of counts) this.addEntry(number, docId, count);
  }

  /** For merging: add the next document by its length; its postings follow through `addEntry`. @returns its id. */
  addDocument(length: number): number {
    return this.#lengths.push(length) - 1;
  }

  addEntry(number: number, docId: number, count: number): void {
    if (this.#pairs === this.#pairTerms.length) this.#grow();
    this.#pairTerms[this.#pairs] = number;
    this.#pairEntries[this.#pairs++] = (docId << FREQUENCY_BITS) | Math.min(count, MAX_FREQUENCY);
  }

  termNumber(term: string): number {
    return this.#number(term);
  }

  /** The number of entries. */
  get size(): number {
    return this.#pairs;
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
    const terms = TermDictionary.from([...this.#numbers.keys()]).arrays;
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

/** BM25's length norm, k1 * (1 - b + b * length / average), by document id. */
export function lengthNorms(lengths: Uint32Array, averageLength: number): Float32Array {
  const norms = new Float32Array(lengths.length);
  for (let docId = 0; docId < lengths.length; docId++)
    norms[docId] = K1 * (1 - B + (B * (lengths[docId] ?? 0)) / Math.max(averageLength, 1e-9));
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
