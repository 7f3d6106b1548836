import type { Turn } from '../../base/turn.ts';
import { words } from '../analysis/words.ts';
import type { Copy, Hit } from '../types.ts';
import { proximity } from './proximity.ts';

export interface RerankRequest {
  readonly project: string;
  readonly query: string;
  /** Best first. */
  readonly hits: readonly Hit[];
  readonly signal?: AbortSignal | undefined;
  /** The turn that asks, if any. */
  readonly turn?: Turn | undefined;
}

/**
 * Gives each hit a new score, in the order of the request; higher is better, ties keep their order. Undefined keeps the
 * order of retrieval. Rejects only when the signal fires.
 */
export type Reranker = (request: RerankRequest) => Promise<readonly number[] | undefined>;

/** How many hits a reranker sees; those after them stay where they are. */
export const RERANK_DEPTH = 30;
/** Jaccard similarity of two chunks' words above which the lower-ranked one is dropped. */
const NEAR_DUPLICATE = 0.8;
/** The most copies that are listed with a hit. */
const MOST_COPIES = 10;

/**
 * Bring the best hits into a reranker's order. Scores stay with the ranks, not with the hits: the new first hit gets
 * the score that the former one had, so that hits beyond the depth still score lower.
 */
export async function rerank(reranker: Reranker, request: RerankRequest): Promise<readonly Hit[]> {
  const hits = request.hits.slice(0, RERANK_DEPTH);
  if (hits.length < 2 || request.query === '') return request.hits;
  const scores = await reranker({ ...request, hits });
  if (scores?.length !== hits.length || !scores.every(Number.isFinite)) return request.hits;
  const ordered = hits
    .map((hit, index) => ({ hit, score: scores[index] ?? 0 }))
    .sort((a, b) => b.score - a.score)
    .map(({ hit }, place) => ({ ...hit, score: hits[place]?.score ?? hit.score }));
  return [...ordered, ...request.hits.slice(RERANK_DEPTH)];
}

/** The most that proximity adds to a retrieval score, which is at most 1. */
const PROXIMITY_WEIGHT = 0.2;

/**
 * Reranks by term proximity alone. Retrieval has already counted which query words a chunk contains and how rare they
 * are; counting that again makes the order worse, see bench/rag.
 */
export const lexicalReranker: Reranker = async ({ query, hits }) => {
  const near = proximity(query, hits);
  return hits.map(({ score }, index) => score + PROXIMITY_WEIGHT * (near[index] ?? 0));
};

/** The first `k` hits; those that say the same as a better one are its `copies`. */
export async function dropNearDuplicates(hits: AsyncIterable<Hit>, k: number): Promise<Hit[]> {
  const kept: { readonly hit: Hit; readonly words: ReadonlySet<string>; readonly copies: Copy[] }[] = [];
  for await (const hit of hits) {
    if (kept.length === k) break;
    const own = new Set(words(hit.text));
    const same = kept.find(({ words: other }) => jaccard(own, other) > NEAR_DUPLICATE && sameFigures(own, other));
    if (!same) kept.push({ hit, words: own, copies: [] });
    else if (same.copies.length < MOST_COPIES) same.copies.push(copyOf(hit));
  }
  return kept.map(({ hit, copies }) => (copies.length === 0 ? hit : { ...hit, copies }));
}

/** A text with a different number in it is another version, and the reader has to judge which one is valid. */
function sameFigures(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const figures = (words: ReadonlySet<string>) => [...words].filter((word) => /\d/u.test(word));
  return figures(a).every((word) => b.has(word)) && figures(b).every((word) => a.has(word));
}

function copyOf({ chunkId, citation, score }: Hit): Copy {
  return { chunkId, citation, score };
}

function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let shared = 0;
  for (const word of a) if (b.has(word)) shared++;
  return shared / (a.size + b.size - shared);
}
