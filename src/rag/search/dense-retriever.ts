import type { Scored } from '../index/bm25.ts';
import { ExactVectors } from '../index/exact-vectors.ts';
import type { HnswGraph } from '../index/hnsw-graph.ts';
import type { Lsa } from '../index/lsa.ts';
import type { VectorRows } from '../index/segment-file.ts';
import type { Nearest } from '../index/vector-table.ts';
import type { Allowed, DenseRetriever } from './retrieve.ts';

export interface DenseContent {
  readonly kind: 'lsa' | 'model';
  readonly dimensions: number;
  /** Chunks in the index, deleted ones included. */
  readonly docCount: number;
  readonly lsa: Lsa | undefined;
  /** HNSW graph over the vectors of `filed`. Large, so it may still be loading. Never rejects. */
  readonly graph: Promise<HnswGraph | undefined>;
  /** Reads the vectors on disk; called only when they are compared one by one. */
  readonly filed: () => VectorRows;
  /** Vectors of chunks that no file holds yet. */
  readonly fresh: readonly VectorRows[];
  /** Takes the place of graph and file: the nearest chunks, of those in the mask if there is one. */
  readonly nearest?: (vector: Float32Array, depth: number, mask: Uint8Array | undefined) => Promise<Nearest[]>;
  /** The document id of a chunk, -1 for none. */
  readonly docIdOf: (chunkId: number) => number;
}

/** Searches the HNSW graph where there is one and nothing is filtered, and compares vectors one by one otherwise. */
export class VectorRetriever implements DenseRetriever {
  readonly kind: 'lsa' | 'model';
  readonly #content: DenseContent;
  #graph: HnswGraph | undefined;
  #fresh: ExactVectors | undefined;
  #all: ExactVectors | undefined;

  constructor(content: DenseContent) {
    this.kind = content.kind;
    this.#content = content;
  }

  /** Await this before the first search. */
  async ready(): Promise<void> {
    this.#graph = await this.#content.graph;
  }

  vectorOf(queryWords: readonly string[]): Float32Array | undefined {
    return this.#content.lsa?.embed(queryWords);
  }

  search(vector: Float32Array, depth: number, allowed: Allowed): Scored[] | Promise<Scored[]> {
    const graph = this.#graph;
    const { mask, filtered } = allowed;
    if (vector.length !== this.#content.dimensions) return [];
    if (this.#content.nearest) return this.#searchTable(vector, depth, allowed);
    if (!graph || filtered) return this.#exact().search(vector, depth, mask);
    return this.#withFresh(graph.search(vector, depth), { vector, depth, mask });
  }

  async #searchTable(vector: Float32Array, depth: number, { mask, filtered }: Allowed): Promise<Scored[]> {
    const found = await this.#content.nearest?.(vector, depth, filtered ? mask : undefined);
    return this.#withFresh(found ?? [], { vector, depth, mask });
  }

  #withFresh(
    nearest: readonly Nearest[],
    { vector, depth, mask }: { readonly vector: Float32Array; readonly depth: number; readonly mask: Uint8Array },
  ): Scored[] {
    const found = nearest.flatMap(({ id, score }) => this.#toScored(id, score, mask));
    const fresh = this.#freshOnly()?.search(vector, depth, mask) ?? [];
    return [...found, ...fresh].sort((a, b) => b.score - a.score || a.docId - b.docId).slice(0, depth);
  }

  #toScored(chunkId: number, score: number, mask: Uint8Array): Scored[] {
    const docId = this.#content.docIdOf(chunkId);
    return docId >= 0 && mask[docId] === 1 && score > 0 ? [{ docId, score }] : [];
  }

  #exact(): ExactVectors {
    const { filed, fresh, docIdOf } = this.#content;
    this.#all ??= new ExactVectors([filed(), ...fresh], this.#content, docIdOf);
    return this.#all;
  }

  #freshOnly(): ExactVectors | undefined {
    const { fresh, docIdOf } = this.#content;
    if (fresh.length > 0) this.#fresh ??= new ExactVectors(fresh, this.#content, docIdOf);
    return this.#fresh;
  }
}
