import type { Scored } from '../index/bm25.ts';
import type { Hit } from '../types.ts';
import { type Allowed, searchArms } from './arms.ts';
import { type Corpus, type StoredChunk, searchable, toHit } from './corpus.ts';
import { OpenIndex, type OpenIndexParts } from './open-index.ts';
import { type Conditions, isConditional } from './query.ts';
import { spread } from './rerank.ts';
import { surroundings } from './surroundings.ts';

const LEAST_DEPTH = 200;

export interface EngineQuery {
  readonly text: string;
  readonly conditions: Conditions;
  readonly k: number;
  readonly documents: boolean;
  /** How many passages before and after each hit come along as its context. */
  readonly neighbours: number;
  readonly vector?: Float32Array | undefined;
}

export interface EngineAnswer {
  readonly hits: readonly Hit[];
  /** Index files found broken and moved aside. */
  readonly damaged: readonly string[];
}

/** One project's search over its open index. */
export class Engine {
  readonly #corpus: Corpus;
  readonly #index: OpenIndex;

  constructor(parts: OpenIndexParts) {
    this.#corpus = parts.corpus;
    this.#index = new OpenIndex(parts);
  }

  async open(): Promise<void> {
    await this.#index.follow();
  }

  async search(query: EngineQuery): Promise<EngineAnswer> {
    await this.#index.follow();
    const { words, grams, dense } = this.#index;
    const depth = Math.max(LEAST_DEPTH, 2 * query.k);
    const textOf = (slot: number) => this.#text(slot);
    const allowed = this.#allowed(query.conditions);
    const arms = { words, grams, dense, textOf };
    const byConditionsOnly = query.text === '' && allowed.filtered;
    const asked = { text: query.text, depth, allowed, vector: query.vector };
    const found = byConditionsOnly ? this.#inOrder(allowed, depth) : searchArms(arms, asked);
    const chunks = this.#corpus.getMany(found.map(({ slot }) => this.#index.ids[slot] ?? 0));
    const hits = found.flatMap((hit) => this.#toHit(hit, chunks));
    const kept = query.documents ? oncePerDocument(hits).slice(0, query.k) : spread(hits, query.k);
    return { hits: kept.map((hit) => this.#withContext(hit, chunks, query)), damaged: this.#index.takeDamaged() };
  }

  /** Conditions without words: what fits them, in the order of the documents. */
  #inOrder({ slots }: Allowed, depth: number): Scored[] {
    const fitting = [...slots.keys()].filter((slot) => slots[slot] === 1).slice(0, depth);
    return fitting.map((slot, index) => ({ slot, score: 1 / (index + 1) }));
  }

  #allowed(conditions: Conditions): Allowed {
    const { ids, live } = this.#index;
    if (!isConditional(conditions)) return { slots: live, filtered: false };
    const fitting = this.#corpus.fitting(conditions);
    return { slots: live.map((flag, slot) => (flag === 1 && fitting.has(ids[slot] ?? 0) ? 1 : 0)), filtered: true };
  }

  #withContext(hit: Hit, chunks: ReadonlyMap<number, StoredChunk>, { neighbours }: EngineQuery): Hit {
    const chunk = chunks.get(hit.chunkId);
    if (neighbours === 0 || !chunk) return hit;
    return { ...hit, context: surroundings(chunk.id, this.#corpus.around(chunk, neighbours)) };
  }

  #text(slot: number): string {
    const chunk = this.#corpus.get(this.#index.ids[slot] ?? 0);
    return chunk ? searchable(chunk) : '';
  }

  #toHit({ slot, score }: Scored, chunks: ReadonlyMap<number, StoredChunk>): Hit[] {
    const chunk = chunks.get(this.#index.ids[slot] ?? 0);
    return chunk ? [toHit(chunk, score)] : [];
  }
}

function oncePerDocument(hits: readonly Hit[]): Hit[] {
  const seen = new Set<string>();
  return hits.filter(({ documentId }) => !seen.has(documentId) && seen.add(documentId));
}
