import { words } from '../analysis/words.ts';
import { Bm25, type Scored } from '../index/bm25.ts';
import { ExactVectors } from '../index/dense.ts';
import { Lsa } from '../index/lsa.ts';
import { type Segment, SegmentBuilder } from '../index/segment.ts';
import type { Hit } from '../types.ts';
import { type DenseArm, searchArms } from './arms.ts';
import { type Corpus, type StoredChunk, searchable, toHit } from './corpus.ts';

/** Below this LSA knows too little of the language of the documents. */
const LEAST_CHUNKS_FOR_LSA = 500;
const MOST_CHUNKS_FOR_FIT = 20_000;
const LEAST_DEPTH = 200;

export interface EngineQuery {
  readonly text: string;
  readonly k: number;
  readonly documents: boolean;
  readonly vector?: Float32Array | undefined;
}

/** One project's search: keeps the indexes of its chunks in memory and follows the rows as they change. */
export class Engine {
  readonly #corpus: Corpus;
  #revision = -1;
  #segments: Segment[] = [];
  #ids = new Uint32Array(0);
  #live = new Uint8Array(0);
  #words = new Bm25([]);
  #grams = new Bm25([]);
  #dense: DenseArm | undefined;

  constructor(corpus: Corpus) {
    this.#corpus = corpus;
  }

  search(query: EngineQuery): Hit[] {
    this.follow();
    const depth = Math.max(LEAST_DEPTH, 2 * query.k);
    const arms = {
      words: this.#words,
      grams: this.#grams,
      dense: this.#dense,
      textOf: (slot: number) => this.#text(slot),
    };
    const found = searchArms(arms, { text: query.text, depth, allowed: this.#live, vector: query.vector });
    const chunks = this.#corpus.getMany(found.map(({ slot }) => this.#ids[slot] ?? 0));
    const hits = found.flatMap((hit) => this.#toHit(hit, chunks));
    return (query.documents ? oncePerDocument(hits) : hits).slice(0, query.k);
  }

  /** Take in what changed since the last look. */
  follow(): void {
    const revision = this.#corpus.revision();
    if (revision === this.#revision) return;
    const ids = this.#corpus.ids();
    const known = new Set(this.#ids);
    const builder = new SegmentBuilder();
    const missing = ids.filter((id) => !known.has(id));
    for (let at = 0; at < missing.length; at += 1000)
      for (const [id, chunk] of this.#corpus.getMany(missing.slice(at, at + 1000))) builder.add(id, searchable(chunk));
    if (builder.size > 0) this.#segments.push(builder.build());
    this.#assemble(new Set(ids));
    this.#revision = revision;
  }

  #assemble(live: ReadonlySet<number>): void {
    this.#ids = Uint32Array.from(this.#segments.flatMap(({ ids }) => [...ids]));
    this.#live = Uint8Array.from(this.#ids, (id) => (live.has(id) ? 1 : 0));
    this.#words = new Bm25(this.#segments.map((segment) => segment.words));
    this.#grams = new Bm25(this.#segments.map((segment) => segment.grams));
    this.#dense = live.size >= LEAST_CHUNKS_FOR_LSA ? this.#fitLsa() : undefined;
  }

  #fitLsa(): DenseArm | undefined {
    const stride = Math.max(1, Math.ceil(this.#ids.length / MOST_CHUNKS_FOR_FIT));
    const texts = Array.from(this.#ids, (_id, slot) => (this.#live[slot] === 1 ? words(this.#text(slot)) : []));
    const lsa = Lsa.fit(texts.filter((_text, slot) => slot % stride === 0));
    if (!lsa) return undefined;
    const vectors = new Float32Array(texts.length * lsa.dimensions);
    for (const [slot, text] of texts.entries()) {
      const vector = lsa.embed(text);
      if (vector) vectors.set(vector, slot * lsa.dimensions);
    }
    const exact = new ExactVectors(vectors, lsa.dimensions);
    return {
      kind: 'lsa',
      vectorOf: (query) => lsa.embed(query),
      search: (vector, depth, allowed) => exact.search(vector, depth, allowed),
    };
  }

  #text(slot: number): string {
    const chunk = this.#corpus.get(this.#ids[slot] ?? 0);
    return chunk ? searchable(chunk) : '';
  }

  #toHit({ slot, score }: Scored, chunks: ReadonlyMap<number, StoredChunk>): Hit[] {
    const chunk = chunks.get(this.#ids[slot] ?? 0);
    return chunk ? [toHit(chunk, score)] : [];
  }
}

function oncePerDocument(hits: readonly Hit[]): Hit[] {
  const seen = new Set<string>();
  return hits.filter(({ documentId }) => !seen.has(documentId) && seen.add(documentId));
}
