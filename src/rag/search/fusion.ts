import type { Scored } from '../index/bm25.ts';

/** How much each retriever contributes to a chunk's fused score. They sum to 1. */
export interface RetrieverWeights {
  readonly words: number;
  readonly grams: number;
  readonly dense: number;
}

/**
 * The weights without an embedding model. Query words that occur in no chunk are mostly typos, which character n-grams
 * can still match: the more of them, the more the n-grams count. Tuned on seven collections, see bench/rag.
 *
 * @param unknown share of the query's words that occur in no chunk, 0 to 1.
 * @param dense whether LSA contributes a ranking.
 */
export function retrieverWeights(unknown: number, dense: 'none' | 'lsa'): RetrieverWeights {
  if (dense === 'none') {
    const grams = Math.min(0.8, 0.3 + 1.5 * unknown);
    return { words: 1 - grams, grams, dense: 0 };
  }
  const grams = Math.min(0.75, 0.25 + 1.5 * unknown);
  return { words: 0.8 * (1 - grams), grams, dense: 0.2 * (1 - grams) };
}

/** The least and the most that a trusted model contributes, by how highly the lexical ranking scores its best hits. */
const LEAST_DENSE = 0.25;
const MOST_DENSE = 0.45;
/** The n-grams' share of the lexical weight beside a trusted model. */
const GRAMS_AMONG_LEXICAL = 0.4;

/**
 * The weights with an embedding model, by how far its hits and the lexical ones bear each other out.
 *
 * @param lexical the fused ranking of words and n-grams.
 * @param chunks how many there are in the index.
 */
export function modelWeights(
  unknown: number,
  dense: readonly Scored[],
  lexical: readonly Scored[],
  chunks: number,
): RetrieverWeights {
  const trust = agreement(dense, lexical, chunks);
  const strength = Math.min(1, Math.max(0, (support(dense, lexical) - 0.5) / 0.4));
  const own = trust * (LEAST_DENSE + (MOST_DENSE - LEAST_DENSE) * strength);
  const without = retrieverWeights(unknown, 'none');
  const grams = (1 - own) * ((1 - trust) * without.grams + trust * Math.min(0.8, GRAMS_AMONG_LEXICAL + 1.2 * unknown));
  return { words: 1 - own - grams, grams, dense: own };
}

/** How many of the model's hits are looked up in the lexical ranking. */
const COMPARED_DENSE = 50;
/** The share of possible agreement, beyond chance, from which on the model is fully trusted. */
const AGREEMENT_NEEDED = 0.15;

/**
 * How much more often the model and the lexical ranking agree than chance would have it, 0 to 1. Meaningless vectors
 * (another language, another field, a broken server) agree with nothing and must not drown out the rest.
 */
function agreement(dense: readonly Scored[], lexical: readonly Scored[], chunks: number): number {
  if (lexical.length === 0) return 1;
  const first = dense.slice(0, Math.max(1, Math.min(COMPARED_DENSE, Math.floor(chunks / 10))));
  const others = new Set(lexical.slice(0, Math.max(1, Math.floor(chunks / 5))).map(({ docId }) => docId));
  const shared = first.filter(({ docId }) => others.has(docId)).length;
  const chance = (first.length * others.size) / Math.max(1, chunks);
  const beyond = shared - chance - 2 * Math.sqrt(chance);
  return Math.min(1, Math.max(0, beyond / (AGREEMENT_NEEDED * Math.min(first.length, others.size))));
}

const COMPARED_BEST = 10;

/** The lexical scores of the model's best hits, as a share of the scores of the lexical ranking's own best. */
function support(dense: readonly Scored[], lexical: readonly Scored[]): number {
  const scores = new Map(lexical.map(({ docId, score }) => [docId, score]));
  const given = dense.slice(0, COMPARED_BEST).reduce((sum, { docId }) => sum + (scores.get(docId) ?? 0), 0);
  const own = lexical.slice(0, COMPARED_BEST).reduce((sum, { score }) => sum + score, 0);
  return own > 0 ? given / own : 1;
}

/** Scale the scores of one retriever to [0, 1]. Hits whose score is not finite are dropped. */
export function minMaxNormalise(hits: readonly Scored[]): Scored[] {
  const sound = hits.filter((hit) => Number.isFinite(hit.score));
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const { score } of sound) {
    low = Math.min(low, score);
    high = Math.max(high, score);
  }
  return sound.map(({ docId, score }) => ({ docId, score: high === low ? 1 : (score - low) / (high - low) }));
}

/**
 * Weighted sum of the retrievers' scaled scores, best first, ties by document id.
 *
 * @see Bruch, Gai and Ingber 2023, "An analysis of fusion functions for hybrid retrieval", arXiv:2210.11934
 */
export function fuse(rankings: readonly { readonly hits: readonly Scored[]; readonly weight: number }[]): Scored[] {
  const sums = new Map<number, number>();
  for (const { hits, weight } of rankings) {
    if (weight <= 0) continue;
    for (const { docId, score } of minMaxNormalise(hits)) sums.set(docId, (sums.get(docId) ?? 0) + weight * score);
  }
  return [...sums].map(([docId, score]) => ({ docId, score })).sort((a, b) => b.score - a.score || a.docId - b.docId);
}
