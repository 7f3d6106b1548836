import { best, type Scored } from './bm25.ts';
import type { VectorRows } from './segment-file.ts';

/** Brute-force search: compares the query with every vector. */
export class ExactVectors {
  readonly #parts: readonly { readonly docIds: Int32Array; readonly vectors: Float32Array }[];
  readonly #dimensions: number;
  readonly #scores: Float32Array;

  /** @param docIdOf the document id of a row's id, -1 for a row that is not searched. */
  constructor(
    parts: readonly VectorRows[],
    size: { dimensions: number; docCount: number },
    docIdOf: (id: number) => number,
  ) {
    this.#parts = parts.map(({ ids, vectors }) => ({ docIds: Int32Array.from(ids, docIdOf), vectors }));
    this.#dimensions = size.dimensions;
    this.#scores = new Float32Array(size.docCount);
  }

  /**
   * The `depth` documents with the highest positive cosine.
   *
   * @param allowed by document id: 1 for those that may be found.
   */
  search(query: Float32Array, depth: number, allowed?: Uint8Array): Scored[] {
    this.#scores.fill(0);
    for (const part of this.#parts) this.#scan(part, query);
    return best(this.#scores, { depth, allowed });
  }

  #scan({ docIds, vectors }: { docIds: Int32Array; vectors: Float32Array }, query: Float32Array): void {
    const dimensions = this.#dimensions;
    for (let row = 0, at = 0; row < docIds.length; row++) {
      let sum = 0;
      for (let axis = 0; axis < dimensions; axis++, at++) sum += (query[axis] as number) * (vectors[at] as number);
      const docId = docIds[row] as number;
      if (docId >= 0) this.#scores[docId] = sum;
    }
  }
}
