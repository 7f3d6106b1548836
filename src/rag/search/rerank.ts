import type { Turn } from '../../base/turn.ts';
import { words } from '../analysis/words.ts';
import type { Hit } from '../types.ts';
import { closeness } from './closeness.ts';

export interface RerankRequest {
  readonly project: string;
  readonly query: string;
  /** Best first. */
  readonly hits: readonly Hit[];
  readonly signal?: AbortSignal | undefined;
  /** The turn that asks, where one does. */
  readonly turn?: Turn | undefined;
}

/**
 * Scores hits anew, in the order given: they are shown by these scores, higher first, ties in the order that they
 * have. Undefined where there is nothing to say: the order stays. Rejects only when the signal fires.
 */
export type Reranker = (request: RerankRequest) => Promise<readonly number[] | undefined>;

/** Hits that a reranker gets to see; those behind them stay where they are. */
export const RERANK_DEPTH = 30;
const SAME_TEXT = 0.8;

/**
 * Bring the best hits into a reranker's order. The scores stay at their places: the hit that is first now has the
 * score of the one that was, so that what lies behind the depth is still lower.
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

/** The most that closeness can add to a retrieval score, which is a fused one and 1 at most. */
const CLOSENESS_WEIGHT = 0.2;

/**
 * Lifts passages that hold words of the query close together. The retrieval has already counted which of the words a
 * passage holds and how rare they are: to count that again makes the order worse, see bench/rag.
 */
export const lexicalReranker: Reranker = async ({ query, hits }) => {
  const near = closeness(query, hits);
  return hits.map(({ score }, index) => score + CLOSENESS_WEIGHT * (near[index] ?? 0));
};

/** Leave out passages that say the same as a better one. */
export function spread(hits: Iterable<Hit>, k: number): Hit[] {
  const kept: { hit: Hit; words: ReadonlySet<string> }[] = [];
  for (const hit of hits) {
    if (kept.length === k) break;
    const own = new Set(words(hit.text));
    if (!kept.some(({ words: other }) => alike(own, other) > SAME_TEXT)) kept.push({ hit, words: own });
  }
  return kept.map(({ hit }) => hit);
}

function alike(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let shared = 0;
  for (const word of a) if (b.has(word)) shared++;
  return shared / (a.size + b.size - shared);
}
