import type { Bm25 } from '../index/bm25.ts';

/** Chunks of the first round whose words are considered. */
const FEEDBACK_CHUNKS = 3;
/** Terms added to the query at most. */
const FEEDBACK_TERMS = 15;
/** The query's own share of the weight; the added terms have the rest. */
const QUERY_WEIGHT = 0.8;

/** The stemmed words of some chunks' texts, by document id. */
export type WordsOf = (docIds: readonly number[]) => Promise<ReadonlyMap<number, readonly string[]>>;

/** Each distinct term with its number of occurrences. */
export function countTerms(terms: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

/**
 * Pseudo-relevance feedback: the query with the characteristic words of its best hits (a relevance model, one round).
 *
 * @param bm25 the word index, which is searched once for the best hits.
 * @param query stemmed terms, repeats kept.
 * @param wordsOf reads the stemmed words of the chunks' texts.
 * @returns weight per term.
 * @see Lavrenko and Croft 2001, "Relevance-based language models"
 */
export async function expand(
  bm25: Bm25,
  query: readonly string[],
  { wordsOf, allowed }: { wordsOf: WordsOf; allowed?: Uint8Array | undefined },
): Promise<Map<string, number>> {
  const own = countTerms(query);
  const first = bm25.search(own, FEEDBACK_CHUNKS, allowed);
  const total = first.reduce((sum, { score }) => sum + score, 0);
  if (total <= 0) return own;
  const texts = await wordsOf(first.map(({ docId }) => docId));
  const evidence = new Map<string, number>();
  for (const { docId, score } of first) {
    const words = texts.get(docId) ?? [];
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
    .slice(0, FEEDBACK_TERMS)
    .map(({ term, weight }) => [term, weight]);
}

function mix(own: ReadonlyMap<string, number>, length: number, kept: readonly [string, number][]): Map<string, number> {
  const total = kept.reduce((sum, [, weight]) => sum + weight, 0);
  const mixed = new Map([...own].map(([term, count]) => [term, (QUERY_WEIGHT * count) / length]));
  for (const [term, weight] of kept) mixed.set(term, (mixed.get(term) ?? 0) + ((1 - QUERY_WEIGHT) * weight) / total);
  return mixed;
}
