import type { Scored } from '../index/bm25.ts';

/** What each arm adds to a chunk's score. */
export interface ArmWeights {
  readonly words: number;
  readonly grams: number;
  readonly dense: number;
}

/**
 * How far to trust each arm. Query words that stand in no chunk are mostly slips of the keyboard, and slips are what
 * the grams can read. Measured on seven collections, see bench/.
 *
 * @param unknown share of the query's words that no chunk has, 0 to 1.
 */
export function armWeights(unknown: number, dense: 'none' | 'lsa' | 'model'): ArmWeights {
  if (dense === 'none') {
    const grams = Math.min(0.8, 0.3 + 1.5 * unknown);
    return { words: 1 - grams, grams, dense: 0 };
  }
  if (dense === 'lsa') {
    const grams = Math.min(0.75, 0.25 + 1.5 * unknown);
    return { words: 0.8 * (1 - grams), grams, dense: 0.2 * (1 - grams) };
  }
  // A model reads slips by itself, so it keeps its half; the grams take from the words.
  const grams = Math.min(0.4, 0.2 + 0.6 * unknown);
  return { words: 0.5 - grams, grams, dense: 0.5 };
}

/** Scores brought to [0, 1] within one arm; what is not a number is dropped. */
export function scale(hits: readonly Scored[]): Scored[] {
  const sound = hits.filter((hit) => Number.isFinite(hit.score));
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const { score } of sound) {
    low = Math.min(low, score);
    high = Math.max(high, score);
  }
  return sound.map(({ slot, score }) => ({ slot, score: high === low ? 1 : (score - low) / (high - low) }));
}

/**
 * Sum of the arms' scaled scores times their weights, best first, ties by slot.
 *
 * @see Bruch, Gai and Ingber 2023, "An analysis of fusion functions for hybrid retrieval", arXiv:2210.11934
 */
export function fuse(arms: readonly { readonly hits: readonly Scored[]; readonly weight: number }[]): Scored[] {
  const sums = new Map<number, number>();
  for (const { hits, weight } of arms) {
    if (weight <= 0) continue;
    for (const { slot, score } of scale(hits)) sums.set(slot, (sums.get(slot) ?? 0) + weight * score);
  }
  return [...sums].map(([slot, score]) => ({ slot, score })).sort((a, b) => b.score - a.score || a.slot - b.slot);
}
