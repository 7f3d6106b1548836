import { Damaged } from '../index/array-file.ts';
import type { Scored } from '../index/bm25.ts';
import type { Hit } from '../types.ts';
import { type Allowed, searchArms } from './arms.ts';
import { type Corpus, searchable, toHit } from './corpus.ts';
import { OpenIndex, type OpenIndexDeps } from './open-index.ts';
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

  constructor(deps: OpenIndexDeps) {
    this.#corpus = deps.corpus;
    this.#index = new OpenIndex(deps);
  }

  open(): void {
    this.#index.follow();
  }

  async search(query: EngineQuery): Promise<EngineAnswer> {
    for (;;) {
      this.#index.follow();
      await this.#index.dense?.ready();
      try {
        return { hits: this.#find(query), damaged: this.#index.takeDamaged() };
      } catch (error) {
        if (!(error instanceof Damaged)) throw error;
        this.#index.leaveOut(error.path);
      }
    }
  }

  #find(query: EngineQuery): Hit[] {
    const { words, grams, dense } = this.#index;
    const depth = Math.max(LEAST_DEPTH, 2 * query.k);
    const textOf = (slot: number) => this.#text(slot);
    const allowed = this.#allowed(query.conditions);
    const arms = { words, grams, dense, textOf };
    const byConditionsOnly = query.text === '' && allowed.filtered;
    const asked = { text: query.text, depth, allowed, vector: query.vector };
    const found = byConditionsOnly ? this.#inOrder(allowed, depth) : searchArms(arms, asked);
    const hits = this.#hits(found, 2 * query.k);
    const kept = query.documents ? oncePerDocument(hits, query.k) : spread(hits, query.k);
    return kept.map((hit) => this.#withContext(hit, query));
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

  /** What was found with its rows, which are read a few at a time: mostly the first few are enough. */
  *#hits(found: readonly Scored[], rowsPerRead: number): Generator<Hit> {
    for (let at = 0; at < found.length; at += rowsPerRead) {
      const some = found.slice(at, at + rowsPerRead);
      const chunks = this.#corpus.getMany(some.map(({ slot }) => this.#index.ids[slot] ?? 0));
      for (const { slot, score } of some) {
        const chunk = chunks.get(this.#index.ids[slot] ?? 0);
        if (chunk) yield toHit(chunk, score);
      }
    }
  }

  #withContext(hit: Hit, { neighbours }: EngineQuery): Hit {
    const chunk = neighbours > 0 ? this.#corpus.get(hit.chunkId) : undefined;
    if (!chunk) return hit;
    return { ...hit, context: surroundings(chunk.id, this.#corpus.around(chunk, neighbours)) };
  }

  #text(slot: number): string {
    const chunk = this.#corpus.get(this.#index.ids[slot] ?? 0);
    return chunk ? searchable(chunk) : '';
  }
}

function oncePerDocument(hits: Iterable<Hit>, k: number): Hit[] {
  const kept = new Map<string, Hit>();
  for (const hit of hits) {
    if (kept.size === k) break;
    if (!kept.has(hit.documentId)) kept.set(hit.documentId, hit);
  }
  return [...kept.values()];
}
