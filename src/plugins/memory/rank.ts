import { contentTokens, gramsOf, stem, tokens, words } from '../../rag/analysis/words.ts';
import { Bm25, type Scored } from '../../rag/index/bm25.ts';
import { cosine } from '../../rag/index/lsa.ts';
import { PostingsBuilder } from '../../rag/index/postings.ts';
import { idfAmong } from '../../rag/search/idf.ts';
import { retrieve } from '../../rag/search/retrieve.ts';
import { STOP_WORDS } from '../../words/stop-words.ts';
import { topicsOf } from './topics.ts';

/** One of the ranked texts. */
export interface Ranked {
  /** Its index among the texts. */
  readonly index: number;
  /** How much of the question it covers, 0 to 1. */
  readonly fit: number;
}

/** A question and the ranked texts in the space of an embedding model; each of unit length. */
export interface QuestionVectors {
  readonly question: Float32Array;
  readonly facts: readonly (Float32Array | undefined)[];
}

/** The weight of a word of the same topic, relative to the word itself. */
const TOPIC_SHARE = 0.75;
/** The weight of words that no fact or topic contains: they say little about which fact is meant. */
const UNKNOWN_WEIGHT = 0.5;

/** Facts found only by vector must come this close to the best cosine, since models rate everything as similar. */
const NEAR_BEST = 0.8;

/** Stop words of questions; document analysis only drops the English ones. */
const ASKING = new Set([
  ...tokens([...STOP_WORDS.de].join(' ')),
  ...'weißt weisst sag sage know tell remember say please get got go going kind ever usually normally'.split(' '),
  ...'exactly again s t m re'.split(' '),
]);

/** Facts, indexed by words, character n-grams and topics, as documents are. */
export class FactIndex {
  readonly #texts: readonly string[];
  readonly #words: Bm25;
  readonly #grams: Bm25;
  readonly #known: readonly ReadonlySet<string>[];

  constructor(facts: readonly string[]) {
    this.#texts = facts.map(withTopics);
    const [byWords, byGrams] = [new PostingsBuilder(), new PostingsBuilder()];
    for (const text of this.#texts) {
      byWords.add(words(text));
      byGrams.add(gramsOf(contentTokens(text)));
    }
    this.#words = new Bm25([byWords.build()]);
    this.#grams = new Bm25([byGrams.build()]);
    this.#known = this.#texts.map((text) => new Set(words(text)));
  }

  /** The facts that have anything to do with a question, best first. */
  async search(question: string, vectors?: QuestionVectors): Promise<Ranked[]> {
    const asked = askedIn(question);
    const text = withTopics(asked.join(' '));
    const fitOf = this.#fits(asked);
    const count = this.#texts.length;
    const found = await retrieve(
      {
        words: this.#words,
        grams: this.#grams,
        ...(vectors && { dense: { kind: 'model', vectorOf: () => undefined, search: () => nearest(vectors) } }),
        textsOf: async (ids) => new Map(ids.map((id) => [id, this.#texts[id] ?? ''])),
      },
      {
        ...{ text, depth: count, allowed: { mask: new Uint8Array(count).fill(1), filtered: false } },
        vector: vectors?.question,
      },
    );
    return found.map(({ docId }) => ({ index: docId, fit: fitOf(docId) }));
  }

  /** Each word of the question counts once, by itself or by its topic; rare words count more. */
  #fits(asked: readonly string[]): (index: number) => number {
    const units = [...new Set(asked)].map((token) => ({ word: stem(token), topics: topicsOf(token) }));
    const idf = idfAmong(
      units.map(({ word }) => word),
      this.#known,
    );
    const weighed = units.map((unit) => {
      const means = unit.topics.length > 0 || this.#known.some((known) => known.has(unit.word));
      return { ...unit, weight: (idf.get(unit.word) ?? 0) * (means ? 1 : UNKNOWN_WEIGHT) };
    });
    const total = weighed.reduce((sum, { weight }) => sum + weight, 0);
    return (index) => {
      const known = this.#known[index] ?? new Set();
      const share = ({ word, topics }: (typeof units)[number]) =>
        known.has(word) ? 1 : topics.some((topic) => known.has(topic)) ? TOPIC_SHARE : 0;
      const covered = weighed.reduce((sum, unit) => sum + unit.weight * share(unit), 0);
      return total === 0 ? 0 : Math.round((covered / total) * 100) / 100;
    };
  }
}

/** The facts whose vectors are near the question's, best first. */
function nearest({ question, facts }: QuestionVectors): Scored[] {
  const scored = facts
    .map((fact, docId) => ({ docId, score: fact?.length === question.length ? cosine(question, fact) : 0 }))
    .toSorted((a, b) => b.score - a.score || a.docId - b.docId);
  const least = Math.max(0, scored[0]?.score ?? 0) * NEAR_BEST;
  return scored.filter(({ score }) => score > 0 && score >= least);
}

function withTopics(text: string): string {
  return [text, ...topicsOf(text)].join(' ');
}

/** The question without its stop words, or all of it if nothing else is left. */
function askedIn(question: string): readonly string[] {
  const all = contentTokens(question);
  const kept = all.filter((token) => !ASKING.has(token));
  return kept.length > 0 ? kept : all;
}
