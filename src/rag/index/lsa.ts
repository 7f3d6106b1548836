import { FREQUENCY_BITS, MAX_FREQUENCY, type Postings } from './postings.ts';
import { TermDictionary, type TermDictionaryArrays } from './term-dictionary.ts';

export interface LsaArrays {
  readonly terms: TermDictionaryArrays;
  readonly weights: Float32Array;
  /** terms x dimensions, row by row. */
  readonly basis: Float32Array;
  readonly dimensions: number;
}

/**
 * Latent semantic analysis: maps texts to vectors by which words occur together, fitted on the user's own chunks.
 *
 * @see Deerwester et al. 1990, "Indexing by latent semantic analysis"
 */
export class Lsa {
  readonly arrays: LsaArrays;
  readonly #terms: TermDictionary;
  readonly #bring: ((from: number, to: number) => void) | undefined;

  /** @param bring loads elements `from` to `to` of the basis; needed if they are not all in memory. */
  constructor(arrays: LsaArrays, bring?: (from: number, to: number) => void) {
    this.arrays = arrays;
    this.#bring = bring;
    this.#terms = new TermDictionary(arrays.terms);
  }

  get dimensions(): number {
    return this.arrays.dimensions;
  }

  /** The unit vector of a text's words; undefined if none of them is known. */
  embed(words: readonly string[]): Float32Array | undefined {
    const vector = new Float32Array(this.dimensions);
    const counts = new Map<string, number>();
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    for (const [term, count] of counts) {
      const number = this.#find(term);
      if (number >= 0) this.#add(vector, 0, { number, count });
    }
    return normalise(vector);
  }

  /** The unit vectors of all documents, row by row; zeros for a document without known words. */
  embedAll(words: Postings): Float32Array {
    const { dimensions } = this;
    const vectors = new Float32Array(words.docCount * dimensions);
    const { starts, entries } = words.arrays;
    for (let term = 0; term < words.terms.size; term++) {
      const number = this.#find(words.terms.term(term));
      if (number < 0) continue;
      for (let at = starts[term] as number; at < (starts[term + 1] as number); at++) {
        const entry = entries[at] as number;
        this.#add(vectors, (entry >>> FREQUENCY_BITS) * dimensions, { number, count: entry & MAX_FREQUENCY });
      }
    }
    for (let at = 0; at < vectors.length; at += dimensions) {
      const row = vectors.subarray(at, at + dimensions);
      if (!normalise(row)) row.fill(0);
    }
    return vectors;
  }

  /** The term's number, -1 if unknown; also loads its row of the basis. */
  #find(term: string): number {
    const number = this.#terms.find(term);
    if (number >= 0) this.#bring?.(number * this.dimensions, (number + 1) * this.dimensions);
    return number;
  }

  #add(vectors: Float32Array, at: number, { number, count }: { number: number; count: number }): void {
    const { basis, dimensions, weights } = this.arrays;
    const value = (1 + Math.log(count)) * (weights[number] ?? 0);
    const from = number * dimensions;
    for (let axis = 0; axis < dimensions; axis++)
      (vectors[at + axis] as number) += value * (basis[from + axis] as number);
  }
}

/** Scale to unit length in place. @returns undefined for the zero vector and for values that are not finite. */
export function normalise(vector: Float32Array): Float32Array | undefined {
  let square = 0;
  for (const value of vector) square += value * value;
  if (!Number.isFinite(square) || square < 1e-20) return undefined;
  const scale = 1 / Math.sqrt(square);
  for (let axis = 0; axis < vector.length; axis++) (vector[axis] as number) *= scale;
  return vector;
}

/** The cosine of two vectors of unit length. */
export function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, axis) => sum + value * (b[axis] ?? 0), 0);
}
