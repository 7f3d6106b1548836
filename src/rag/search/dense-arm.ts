import type { Scored } from '../index/bm25.ts';
import { ExactVectors } from '../index/dense.ts';
import type { Graph } from '../index/graph.ts';
import type { Lsa } from '../index/lsa.ts';
import type { VectorRows } from '../index/segment-file.ts';
import type { Allowed, DenseArm } from './arms.ts';

export interface DenseContent {
  readonly kind: 'lsa' | 'model';
  readonly dimensions: number;
  /** How many slots the index has. */
  readonly slots: number;
  readonly lsa: Lsa | undefined;
  /** Over the vectors of `filed`; large, so it may still be on its way. Never rejects. */
  readonly graph: Promise<Graph | undefined>;
  /** The vectors on disk; read only when they are needed one by one. */
  readonly filed: () => VectorRows;
  /** Vectors of chunks that are in no file yet. */
  readonly fresh: readonly VectorRows[];
  readonly slotOf: (id: number) => number;
}

/** Vectors by graph where there is one and nothing is filtered, one by one otherwise. */
export class VectorArm implements DenseArm {
  readonly kind: 'lsa' | 'model';
  readonly #content: DenseContent;
  #graph: Graph | undefined;
  #fresh: ExactVectors | undefined;
  #all: ExactVectors | undefined;

  constructor(content: DenseContent) {
    this.kind = content.kind;
    this.#content = content;
  }

  /** Must be awaited before a search. */
  async ready(): Promise<void> {
    this.#graph = await this.#content.graph;
  }

  vectorOf(queryWords: readonly string[]): Float32Array | undefined {
    return this.#content.lsa?.embed(queryWords);
  }

  search(vector: Float32Array, depth: number, { slots, filtered }: Allowed): Scored[] {
    const graph = this.#graph;
    if (vector.length !== this.#content.dimensions) return [];
    if (!graph || filtered) return this.#exact().search(vector, depth, slots);
    const found = graph.search(vector, depth).flatMap(({ id, score }) => this.#toSlot(id, score, slots));
    const fresh = this.#freshOnly()?.search(vector, depth, slots) ?? [];
    return [...found, ...fresh].sort((a, b) => b.score - a.score || a.slot - b.slot).slice(0, depth);
  }

  #toSlot(id: number, score: number, allowed: Uint8Array): Scored[] {
    const slot = this.#content.slotOf(id);
    return slot >= 0 && allowed[slot] === 1 && score > 0 ? [{ slot, score }] : [];
  }

  #exact(): ExactVectors {
    const { filed, fresh, slotOf } = this.#content;
    this.#all ??= new ExactVectors([filed(), ...fresh], this.#content, slotOf);
    return this.#all;
  }

  #freshOnly(): ExactVectors | undefined {
    const { fresh, slotOf } = this.#content;
    if (fresh.length > 0) this.#fresh ??= new ExactVectors(fresh, this.#content, slotOf);
    return this.#fresh;
  }
}
