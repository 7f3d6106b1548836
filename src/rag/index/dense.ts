import { best, type Scored } from './bm25.ts';

/** Unit vectors by slot, searched one by one. A slot without a vector holds zeros and is never found. */
export class ExactVectors {
  readonly dimensions: number;
  readonly #vectors: Float32Array;
  readonly #scores: Float32Array;

  constructor(vectors: Float32Array, dimensions: number) {
    this.dimensions = dimensions;
    this.#vectors = vectors;
    this.#scores = new Float32Array(vectors.length / dimensions);
  }

  /** The `depth` slots with the highest positive cosine. */
  search(query: Float32Array, depth: number, allowed?: Uint8Array): Scored[] {
    const { dimensions } = this;
    const vectors = this.#vectors;
    for (let slot = 0, at = 0; slot < this.#scores.length; slot++) {
      let sum = 0;
      for (let axis = 0; axis < dimensions; axis++, at++) sum += (query[axis] as number) * (vectors[at] as number);
      this.#scores[slot] = sum;
    }
    return best(this.#scores, depth, allowed);
  }
}
