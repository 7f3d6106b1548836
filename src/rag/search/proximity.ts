import { stem, tokens, words } from '../analysis/words.ts';
import type { Hit } from '../types.ts';
import { idfAmong } from './idf.ts';

/** The same parameters as in the index's BM25. */
const K1 = 1.2;
const B = 0.75;

interface QueryWords {
  readonly idf: ReadonlyMap<string, number>;
  /** Pairs of words that are adjacent in the query, in both orders, space-separated. */
  readonly pairs: ReadonlySet<string>;
}

/**
 * Term proximity of each hit, from 0 (no query words near each other) to 1. A word that occurs near its neighbour in
 * the query accumulates the neighbour's idf over their squared distance; the sum saturates as a frequency does in BM25.
 * Only words adjacent in the query count: in a long query any two words occur together somewhere by chance.
 *
 * @see Büttcher, Clarke and Lushman 2006, "Term proximity scoring for ad-hoc retrieval on very large text collections"
 * @see Metzler and Croft 2005, "A Markov random field model for term dependencies", for the neighbours
 */
export function proximity(query: string, hits: readonly Hit[]): number[] {
  const texts = hits.map(({ heading, text }) => tokens(`${heading.join(' ')} ${text}`).map(stem));
  const sets = texts.map((text) => new Set(text));
  const sequence = words(query);
  const asked = { idf: idfAmong(new Set(sequence), sets), pairs: adjacentPairs(sequence) };
  const average = texts.reduce((sum, { length }) => sum + length, 0) / Math.max(1, texts.length);
  const most = [...asked.idf.values()].reduce((sum, weight) => sum + Math.min(1, weight), 0);
  return texts.map((text) => {
    const norm = K1 * (1 - B + (B * text.length) / Math.max(1, average));
    let sum = 0;
    for (const [word, accumulated] of accumulate(text, asked))
      sum += (Math.min(1, asked.idf.get(word) ?? 0) * accumulated) / (accumulated + norm);
    return most > 0 ? sum / most : 0;
  });
}

function adjacentPairs(sequence: readonly string[]): Set<string> {
  const pairs = sequence.slice(1).map((word, index) => [sequence[index] ?? '', word] as const);
  return new Set(pairs.flatMap(([a, b]) => (a === b ? [] : [`${a} ${b}`, `${b} ${a}`])));
}

function accumulate(text: readonly string[], { idf, pairs }: QueryWords): Map<string, number> {
  const sums = new Map<string, number>();
  let before: { readonly word: string; readonly at: number } | undefined;
  for (const [at, word] of text.entries()) {
    const own = idf.get(word);
    if (own === undefined) continue;
    if (before && pairs.has(`${before.word} ${word}`)) {
      const distance = (at - before.at) ** 2;
      sums.set(word, (sums.get(word) ?? 0) + (idf.get(before.word) ?? 0) / distance);
      sums.set(before.word, (sums.get(before.word) ?? 0) + own / distance);
    }
    before = { word, at };
  }
  return sums;
}
