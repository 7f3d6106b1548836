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
  /** How many chunks no index file has. */
  readonly unfiled: number;
}

/**
 * Searches one project. Lives in a thread of its own.
 *
 * One search at a time: the next one may replace the index and close its files while this one waits for rows.
 */
export class SearchEngine {
  readonly #corpus: Corpus;
  readonly #index: OpenIndex;
  /** Never rejects. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(deps: OpenIndexDeps) {
    this.#corpus = deps.corpus;
    this.#index = new OpenIndex(deps);
  }

  /** Load the index ahead of the first search. */
  open(): Promise<void> {
    return this.#inTurn(() => this.#index.follow());
  }

  search(query: SearchRequest): Promise<SearchResponse> {
    return this.#inTurn(() => this.#search(query));
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }

  async #search(query: SearchRequest): Promise<SearchResponse> {
    for (;;) {
      await this.#index.follow();
      await this.#index.dense?.ready();
      try {
        const hits = await this.#find(query);
        return { hits, damaged: this.#index.takeDamaged(), unfiled: this.#index.unfiled };
      } catch (error) {
        // Large files are read in parts, so damage may show only now: search again without the file.
        if (!(error instanceof Damaged)) throw error;
        this.#index.leaveOut(error.path);
      }
    }
  }

  async #find(query: SearchRequest): Promise<Hit[]> {
    const { words, grams, dense } = this.#index;
    const depth = Math.max(LEAST_DEPTH, 2 * query.k);
    const textsOf = (docIds: readonly number[]) => this.#texts(docIds);
    const allowed = await this.#allowed(query.conditions);
    const retrievers = { words, grams, dense, textsOf };
    const byConditionsOnly = query.text === '' && allowed.filtered;
    const asked = { text: query.text, depth, allowed, vector: query.vector };
    const found = byConditionsOnly ? this.#inOrder(allowed, depth) : await retrieve(retrievers, asked);
    const hits = this.#hits(found, 2 * query.k);
    const kept = await (query.documents ? oncePerDocument(hits, query.k) : dropNearDuplicates(hits, query.k));
    return query.neighbours > 0 ? this.#withContext(kept, query.neighbours) : kept;
  }

  /** For a query that only has conditions: the chunks that meet them, in index order. */
  #inOrder({ mask }: Allowed, depth: number): Scored[] {
    const fitting = [...mask.keys()].filter((docId) => mask[docId] === 1).slice(0, depth);
    return fitting.map((docId, index) => ({ docId, score: 1 / (index + 1) }));
  }

  async #allowed(conditions: Conditions): Promise<Allowed> {
    const { ids, live } = this.#index;
    if (!isConditional(conditions)) return { mask: live, filtered: false };
    const fitting = await this.#corpus.fitting(conditions);
    return { mask: live.map((flag, docId) => (flag === 1 && fitting.has(ids[docId] ?? 0) ? 1 : 0)), filtered: true };
  }

  /** The hits with their rows, which are read a few at a time: most often the first few are enough. */
  async *#hits(found: readonly Scored[], rowsPerRead: number): AsyncGenerator<Hit> {
    for (let at = 0; at < found.length; at += rowsPerRead) {
      const some = found.slice(at, at + rowsPerRead);
      const chunks = await this.#corpus.getMany(some.map(({ docId }) => this.#index.ids[docId] ?? 0));
      for (const { docId, score } of some) {
        const chunk = chunks.get(this.#index.ids[docId] ?? 0);
        if (chunk) yield toHit(chunk, score);
      }
    }
  }

  /** A hit whose rows were deleted meanwhile has no context. */
  async #withContext(hits: readonly Hit[], neighbours: number): Promise<Hit[]> {
    const around = await this.#corpus.around(
      hits.map(({ chunkId }) => chunkId),
      neighbours,
    );
    return hits.map((hit) => {
      const chunks = around.get(hit.chunkId) ?? [];
      return chunks.length > 0 ? { ...hit, context: hitContext(hit.chunkId, chunks) } : hit;
    });
  }

  async #texts(docIds: readonly number[]): Promise<Map<number, string>> {
    const idOf = (docId: number) => this.#index.ids[docId] ?? 0;
    const chunks = await this.#corpus.getMany(docIds.map(idOf));
    return new Map(
      docIds.map((docId) => {
        const chunk = chunks.get(idOf(docId));
        return [docId, chunk ? searchable(chunk) : ''];
      }),
    );
  }
}

async function oncePerDocument(hits: AsyncIterable<Hit>, k: number): Promise<Hit[]> {
  const kept = new Map<string, Hit>();
  for await (const hit of hits) {
    if (kept.size === k) break;
    if (!kept.has(hit.documentId)) kept.set(hit.documentId, hit);
  }
  return [...kept.values()];
}
