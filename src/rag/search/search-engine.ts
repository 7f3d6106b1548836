import { Damaged } from '../index/array-file.ts';
import type { Scored } from '../index/bm25.ts';
import type { Hit } from '../types.ts';
import { type Corpus, searchable, toHit } from './corpus.ts';
import { hitContext } from './hit-context.ts';
import { OpenIndex, type OpenIndexDeps } from './open-index.ts';
import { type Conditions, isConditional } from './query.ts';
import { dropNearDuplicates } from './rerank.ts';
import { type Allowed, retrieve } from './retrieve.ts';

/** Hits that each retriever contributes at least: fusion needs more than are shown. */
const LEAST_DEPTH = 200;

export interface SearchRequest {
  readonly text: string;
  readonly conditions: Conditions;
  readonly k: number;
  /** Return each document once, by its best chunk. */
  readonly documents: boolean;
  /** How many chunks before and after each hit come along as its context. */
  readonly neighbours: number;
  /** The query's vector from the configured embedding model. */
  readonly vector?: Float32Array | undefined;
}

export interface SearchResponse {
  readonly hits: readonly Hit[];
  /** Index files that were found damaged and moved aside. */
  readonly damaged: readonly string[];
}

/** Searches one project. Lives in a thread of its own: everything here is synchronous work on files and rows. */
export class SearchEngine {
  readonly #corpus: Corpus;
  readonly #index: OpenIndex;

  constructor(deps: OpenIndexDeps) {
    this.#corpus = deps.corpus;
    this.#index = new OpenIndex(deps);
  }

  /** Load the index ahead of the first search. */
  open(): void {
    this.#index.follow();
  }

  async search(query: SearchRequest): Promise<SearchResponse> {
    for (;;) {
      this.#index.follow();
      await this.#index.dense?.ready();
      try {
        return { hits: this.#find(query), damaged: this.#index.takeDamaged() };
      } catch (error) {
        // Large files are read in parts, so damage may show only now: search again without the file.
        if (!(error instanceof Damaged)) throw error;
        this.#index.leaveOut(error.path);
      }
    }
  }

  #find(query: SearchRequest): Hit[] {
    const { words, grams, dense } = this.#index;
    const depth = Math.max(LEAST_DEPTH, 2 * query.k);
    const textOf = (docId: number) => this.#text(docId);
    const allowed = this.#allowed(query.conditions);
    const retrievers = { words, grams, dense, textOf };
    const byConditionsOnly = query.text === '' && allowed.filtered;
    const asked = { text: query.text, depth, allowed, vector: query.vector };
    const found = byConditionsOnly ? this.#inOrder(allowed, depth) : retrieve(retrievers, asked);
    const hits = this.#hits(found, 2 * query.k);
    const kept = query.documents ? oncePerDocument(hits, query.k) : dropNearDuplicates(hits, query.k);
    return kept.map((hit) => this.#withContext(hit, query));
  }

  /** A query of conditions only: what meets them, in the order of the index. */
  #inOrder({ mask }: Allowed, depth: number): Scored[] {
    const fitting = [...mask.keys()].filter((docId) => mask[docId] === 1).slice(0, depth);
    return fitting.map((docId, index) => ({ docId, score: 1 / (index + 1) }));
  }

  #allowed(conditions: Conditions): Allowed {
    const { ids, live } = this.#index;
    if (!isConditional(conditions)) return { mask: live, filtered: false };
    const fitting = this.#corpus.fitting(conditions);
    return { mask: live.map((flag, docId) => (flag === 1 && fitting.has(ids[docId] ?? 0) ? 1 : 0)), filtered: true };
  }

  /** The hits with their rows, which are read a few at a time: most often the first few are enough. */
  *#hits(found: readonly Scored[], rowsPerRead: number): Generator<Hit> {
    for (let at = 0; at < found.length; at += rowsPerRead) {
      const some = found.slice(at, at + rowsPerRead);
      const chunks = this.#corpus.getMany(some.map(({ docId }) => this.#index.ids[docId] ?? 0));
      for (const { docId, score } of some) {
        const chunk = chunks.get(this.#index.ids[docId] ?? 0);
        if (chunk) yield toHit(chunk, score);
      }
    }
  }

  #withContext(hit: Hit, { neighbours }: SearchRequest): Hit {
    const chunk = neighbours > 0 ? this.#corpus.get(hit.chunkId) : undefined;
    if (!chunk) return hit;
    return { ...hit, context: hitContext(chunk.id, this.#corpus.around(chunk, neighbours)) };
  }

  #text(docId: number): string {
    const chunk = this.#corpus.get(this.#index.ids[docId] ?? 0);
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
