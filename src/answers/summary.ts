import { STOP_WORDS } from '../words/stop-words.ts';
import { lemma } from './lemma.ts';
import { sentencesOf } from './sentences.ts';

/** A sentence, and the line of its text on which it begins, counted from 1. */
export interface Told {
  readonly text: string;
  readonly line: number;
}

/** Longer texts are summarised by their beginning: the comparison is quadratic. */
const MOST_SENTENCES = 400;
const LEAST_WORDS = 4;
/** A sentence with so many words of content says something whole. */
const FULL = 9;
/** What a second sentence of a paragraph is worth. */
const AGAIN = 0.5;
const DAMPING = 0.85;
const ROUNDS = 30;
/** Of the first sentence, which mostly says what a text is about. */
const OPENING = 1.3;

/**
 * The sentences that are most like all others, in the order of the text: LexRank (Erkan and Radev, 2004) with the
 * cosine of TF-IDF vectors as weights.
 */
export function summarise(text: string, most: number): readonly Told[] {
  const sentences = sentencesWithLines(text).slice(0, MOST_SENTENCES);
  const bags = sentences.map(({ text: words }) => bagOf(words));
  const candidates = sentences.map((_, at) => at).filter((at) => (bags[at]?.size ?? 0) >= LEAST_WORDS);
  if (candidates.length === 0) return sentences.slice(0, most);
  const scores = lexRank(candidates.map((at) => bags[at] ?? new Map()));
  const ranked = candidates.map((at, index) => {
    const size = Math.min(1, (bags[at]?.size ?? 0) / FULL);
    return { at, score: (scores[index] ?? 0) * size * (index === 0 ? OPENING : 1) };
  });
  return diverse(ranked, most, (at) => sentences[at]?.line)
    .sort((a, b) => a - b)
    .flatMap((at) => sentences[at] ?? []);
}

/** The best, where another of a paragraph that has one already counts less: minutes have many subjects. */
function diverse(
  ranked: readonly { readonly at: number; readonly score: number }[],
  most: number,
  paragraphOf: (at: number) => number | undefined,
): number[] {
  const left = [...ranked];
  const taken = new Map<number | undefined, number>();
  const worth = ({ at, score }: (typeof left)[number]) => score * AGAIN ** (taken.get(paragraphOf(at)) ?? 0);
  return Array.from({ length: Math.min(most, left.length) }, () => {
    const best = left.reduce((a, b) => (worth(b) > worth(a) ? b : a));
    left.splice(left.indexOf(best), 1);
    const paragraph = paragraphOf(best.at);
    taken.set(paragraph, (taken.get(paragraph) ?? 0) + 1);
    return best.at;
  });
}

/** The sentences of a text as answers know them, each with the line on which its first words stand. */
function sentencesWithLines(text: string): readonly Told[] {
  let from = 0;
  let line = 1;
  return sentencesOf(text).flatMap(({ shown, isFragment }) => {
    const [first = shown] = /^(?:[\p{L}\p{N}]+\s?){1,3}/u.exec(shown) ?? [];
    const at = text.indexOf(first.trimEnd(), from);
    if (at >= 0) {
      line += text.slice(from, at).split('\n').length - 1;
      from = at;
    }
    return isFragment ? [] : [{ text: shown, line }];
  });
}

type Bag = ReadonlyMap<string, number>;

function bagOf(sentence: string): Bag {
  const bag = new Map<string, number>();
  for (const [word] of sentence.toLowerCase().matchAll(/[\p{L}\p{N}]{2,}/gu)) {
    if (STOP_WORDS.en.has(word) || STOP_WORDS.de.has(word)) continue;
    const key = lemma(word);
    bag.set(key, (bag.get(key) ?? 0) + 1);
  }
  return bag;
}

function lexRank(bags: readonly Bag[]): readonly number[] {
  const holders = new Map<string, number>();
  for (const bag of bags) for (const word of bag.keys()) holders.set(word, (holders.get(word) ?? 0) + 1);
  const idf = (word: string) => Math.log(1 + bags.length / (holders.get(word) ?? 1));
  const vectors = bags.map((bag) => new Map([...bag].map(([word, times]) => [word, times * idf(word)])));
  const norms = vectors.map((vector) => Math.hypot(...vector.values()));
  const like = vectors.map((a, i) =>
    vectors.map((b, j) => (i === j ? 0 : dot(a, b) / ((norms[i] ?? 1) * (norms[j] ?? 1) || 1))),
  );
  const sums = like.map((row) => row.reduce((sum, each) => sum + each, 0));
  let scores = vectors.map(() => 1 / vectors.length);
  for (let round = 0; round < ROUNDS; round += 1)
    scores = scores.map((_, i) => {
      const given = like.reduce((sum, row, j) => sum + (sums[j] ? ((row[i] ?? 0) / sums[j]) * (scores[j] ?? 0) : 0), 0);
      return (1 - DAMPING) / vectors.length + DAMPING * given;
    });
  return scores;
}

function dot(a: Bag, b: Bag): number {
  let sum = 0;
  for (const [word, weight] of a) sum += weight * (b.get(word) ?? 0);
  return sum;
}
