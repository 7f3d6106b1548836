import { stem, tokens, words } from '../analysis/words.ts';
import type { Hit } from '../types.ts';
import { rarity } from './rarity.ts';

/** The parameters that BM25 has in the index too. */
const K1 = 1.2;
const B = 0.75;

interface Asked {
  readonly rarity: ReadonlyMap<string, number>;
  /** Two words that are neighbours in the query, in both orders. */
  readonly pairs: ReadonlySet<string>;
}

/**
 * How close together each hit holds the words of a query, from 0 (none near another) to 1. A word that stands near its
 * neighbour of the query gathers the neighbour's rarity over their squared distance; what it gathered saturates as a
 * frequency does in BM25. Only neighbours count: in a long query any two words stand together somewhere by chance.
 *
 * @see Büttcher, Clarke and Lushman 2006, "Term proximity scoring for ad-hoc retrieval on very large text collections"
 * @see Metzler and Croft 2005, "A Markov random field model for term dependencies", for the neighbours
 */
export function closeness(query: string, hits: readonly Hit[]): number[] {
  const texts = hits.map(({ heading, text }) => tokens(`${heading.join(' ')} ${text}`).map(stem));
  const sets = texts.map((text) => new Set(text));
  const sequence = words(query);
  const asked = { rarity: rarity(new Set(sequence), sets), pairs: neighbours(sequence) };
  const average = texts.reduce((sum, { length }) => sum + length, 0) / Math.max(1, texts.length);
  const most = [...asked.rarity.values()].reduce((sum, weight) => sum + Math.min(1, weight), 0);
  return texts.map((text) => {
    const norm = K1 * (1 - B + (B * text.length) / Math.max(1, average));
    let sum = 0;
    for (const [word, gathered] of gather(text, asked))
      sum += (Math.min(1, asked.rarity.get(word) ?? 0) * gathered) / (gathered + norm);
    return most > 0 ? sum / most : 0;
  });
}

function neighbours(sequence: readonly string[]): Set<string> {
  const pairs = sequence.slice(1).map((word, index) => [sequence[index] ?? '', word] as const);
  return new Set(pairs.flatMap(([a, b]) => (a === b ? [] : [`${a} ${b}`, `${b} ${a}`])));
}

function gather(text: readonly string[], { rarity, pairs }: Asked): Map<string, number> {
  const gathered = new Map<string, number>();
  let before: { readonly word: string; readonly at: number } | undefined;
  for (const [at, word] of text.entries()) {
    const own = rarity.get(word);
    if (own === undefined) continue;
    if (before && pairs.has(`${before.word} ${word}`)) {
      const distance = (at - before.at) ** 2;
      gathered.set(word, (gathered.get(word) ?? 0) + (rarity.get(before.word) ?? 0) / distance);
      gathered.set(before.word, (gathered.get(before.word) ?? 0) + own / distance);
    }
    before = { word, at };
  }
  return gathered;
}
