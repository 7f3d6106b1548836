import type { Bm25 } from '../index/bm25.ts';

const CHUNKS = 3;
const TERMS = 15;
const OWN_WEIGHT = 0.8;

/** Weight per distinct term: how often it was asked for. */
export function countTerms(terms: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

/**
 * The query with the words that mark its best hits, a relevance model with one round of feedback.
 *
 * @param wordsOf the words of a slot's text.
 * @see Lavrenko and Croft 2001, "Relevance-based language models"
 */
export function expand(
  bm25: Bm25,
  query: readonly string[],
  { wordsOf, allowed }: { wordsOf: (slot: number) => readonly string[]; allowed?: Uint8Array | undefined },
): Map<string, number> {
  const own = countTerms(query);
  const first = bm25.search(own, CHUNKS, allowed);
  const total = first.reduce((sum, { score }) => sum + score, 0);
  if (total <= 0) return own;
  const evidence = new Map<string, number>();
  for (const { slot, score } of first) {
    const words = wordsOf(slot);
    for (const [term, count] of countTerms(words)) {
      const add = ((score / total) * count) / words.length;
      evidence.set(term, (evidence.get(term) ?? 0) + add);
    }
  }
  return mix(own, query.length, strongest(evidence, bm25));
}

function strongest(evidence: ReadonlyMap<string, number>, bm25: Bm25): [string, number][] {
  return [...evidence]
    .filter(([term]) => term.length > 2 && !/^\p{N}+$/u.test(term))
    .map(([term, weight]) => ({ term, weight, rank: weight * bm25.idf(term) }))
    .sort((a, b) => b.rank - a.rank || (a.term < b.term ? -1 : 1))
    .slice(0, TERMS)
    .map(({ term, weight }) => [term, weight]);
}

function mix(own: ReadonlyMap<string, number>, length: number, kept: readonly [string, number][]): Map<string, number> {
  const total = kept.reduce((sum, [, weight]) => sum + weight, 0);
  const mixed = new Map([...own].map(([term, count]) => [term, (OWN_WEIGHT * count) / length]));
  for (const [term, weight] of kept) mixed.set(term, (mixed.get(term) ?? 0) + ((1 - OWN_WEIGHT) * weight) / total);
  return mixed;
}
