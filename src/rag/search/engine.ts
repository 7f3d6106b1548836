import type { Scored } from '../index/bm25.ts';
import type { Hit } from '../types.ts';
import { searchArms } from './arms.ts';
import { type Corpus, type StoredChunk, searchable, toHit } from './corpus.ts';
import { OpenIndex, type OpenIndexParts } from './open-index.ts';

const LEAST_DEPTH = 200;

export interface EngineQuery {
  readonly text: string;
  readonly k: number;
  readonly documents: boolean;
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
    const { words, grams, dense, live } = this.#index;
    const depth = Math.max(LEAST_DEPTH, 2 * query.k);
    const textOf = (slot: number) => this.#text(slot);
    const allowed = { slots: live, filtered: false };
    const found = searchArms(
      { words, grams, dense, textOf },
      { text: query.text, depth, allowed, vector: query.vector },
    );
    const chunks = this.#corpus.getMany(found.map(({ slot }) => this.#index.ids[slot] ?? 0));
    const hits = found.flatMap((hit) => this.#toHit(hit, chunks));
    const kept = query.documents ? oncePerDocument(hits) : hits;
    return { hits: kept.slice(0, query.k), damaged: this.#index.takeDamaged() };
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
