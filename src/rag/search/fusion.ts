import type { Scored } from '../index/bm25.ts';

/** What each arm adds to a chunk's score. */
export interface ArmWeights {
  readonly words: number;
  readonly grams: number;
  readonly dense: number;
}

/**
 * How far to trust each arm of a start without an embedding model. Query words that stand in no chunk are mostly slips of the keyboard, and slips are what
 * the grams can read. Measured on seven collections, see bench/.
 *
 * @param unknown share of the query's words that no chunk has, 0 to 1.
 */
export function armWeights(unknown: number, dense: 'none' | 'lsa'): ArmWeights {
  if (dense === 'none') {
    const grams = Math.min(0.8, 0.3 + 1.5 * unknown);
    return { words: 1 - grams, grams, dense: 0 };
  }
  const grams = Math.min(0.75, 0.25 + 1.5 * unknown);
  return { words: 0.8 * (1 - grams), grams, dense: 0.2 * (1 - grams) };
}

/** What a model's arm gets when the lexical arms think little or much of what it found. */
const LEAST_DENSE = 0.25;
const MOST_DENSE = 0.45;
/** The grams' share of the lexical weight beside a model that is trusted. */
const GRAMS_AMONG_LEXICAL = 0.4;

/** The weights beside a model's arm, by how its hits and the lexical ones (fused) bear each other out. */
export function modelWeights(
  unknown: number,
  dense: readonly Scored[],
  lexical: readonly Scored[],
  chunks: number,
): ArmWeights {
  const trust = agreement(dense, lexical, chunks);
  const strength = Math.min(1, Math.max(0, (support(dense, lexical) - 0.5) / 0.4));
  const own = trust * (LEAST_DENSE + (MOST_DENSE - LEAST_DENSE) * strength);
  const without = armWeights(unknown, 'none');
  const grams = (1 - own) * ((1 - trust) * without.grams + trust * Math.min(0.8, GRAMS_AMONG_LEXICAL + 1.2 * unknown));
  return { words: 1 - own - grams, grams, dense: own };
}

const COMPARED_DENSE = 50;
/** Share of possible agreement, beyond chance, that shows that an arm knows what it is asked. */
const ENOUGH = 0.15;

/**
 * Whether a model's arm agrees with the lexical ones more than chance would have it, 0 to 1. Vectors that mean
 * nothing here (another language, another field, a broken server) agree with nobody and must not drown the others.
 *
 * @param chunks how many there are to choose from.
 */
function agreement(dense: readonly Scored[], lexical: readonly Scored[], chunks: number): number {
  if (lexical.length === 0) return 1;
  const first = dense.slice(0, Math.max(1, Math.min(COMPARED_DENSE, Math.floor(chunks / 10))));
  const others = new Set(lexical.slice(0, Math.max(1, Math.floor(chunks / 5))).map(({ slot }) => slot));
  const shared = first.filter(({ slot }) => others.has(slot)).length;
  const chance = (first.length * others.size) / Math.max(1, chunks);
  const beyond = shared - chance - 2 * Math.sqrt(chance);
  return Math.min(1, Math.max(0, beyond / (ENOUGH * Math.min(first.length, others.size))));
}

const COMPARED_BEST = 10;

/** What the lexical arms give to the dense arm's best hits, as a share of what they give to their own best. */
function support(dense: readonly Scored[], lexical: readonly Scored[]): number {
  const scores = new Map(lexical.map(({ slot, score }) => [slot, score]));
  const given = dense.slice(0, COMPARED_BEST).reduce((sum, { slot }) => sum + (scores.get(slot) ?? 0), 0);
  const own = lexical.slice(0, COMPARED_BEST).reduce((sum, { score }) => sum + score, 0);
  return own > 0 ? given / own : 1;
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
