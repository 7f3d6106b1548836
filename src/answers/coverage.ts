import { idfAmong } from '../rag/search/idf.ts';
import type { Hit } from '../rag/types.ts';
import { type Reader, readerFor } from './reader.ts';
import type { Sentence } from './sentences.ts';
import { hasHeadOf, hasPartOf, isHeadOf, isJoined, said } from './word-match.ts';

/** A word that no hit contains, such as "tyre", is probably what the question is about, so it weighs more. */
const UNMET_FACTOR = 1.5;
/** A verb such as "get" says next to nothing about the subject. */
const LIGHT_FACTOR = 0.3;
/** Once a document has named a "Lastenrad", it goes on to call it "das Rad". */
const HEAD_FACTOR = 0.7;
const JOINED_FACTOR = 0.9;

/** A question as the person put it, and resolved: with the words of the earlier question that it refers to. */
export interface ResolvedQuestion {
  readonly question: string;
  readonly resolved: string;
}

/** The words of a question with their weights. */
export interface Weighed {
  readonly weights: ReadonlyMap<string, number>;
  readonly total: number;
  readonly reader: Reader;
}

/** The file name as words; it may spell `ä` as `ae`. */
export function nameOf({ file }: Hit): string {
  const name = file.replace(/[_.]/gu, ' ');
  return `${name} ${name.replace(/([ao])e|(?<![aeq])(u)e/gu, '$1$2')}`;
}

/** Whether the question names several things, as in "the car in the workshop", and no hit mentions one of them. */
export function lacksThing({ resolved }: ResolvedQuestion, hits: readonly Hit[]): boolean {
  const reader = readerFor(resolved);
  const things = [...new Set(reader.subjects(resolved))];
  const texts = hits.map((hit) => new Set(reader.words(`${hit.heading.join(' ')} ${nameOf(hit)} ${hit.text}`)));
  const isMet = (word: string) => texts.some((own) => said(word, own, reader) > 0 || hasPartOf(word, own, reader));
  return things.length > 1 && !things.every(isMet);
}

/** The weight of each word of a question. A follow-up's own words are repeated in it, and count twice. */
export function weightsOf(resolved: string, hits: readonly Hit[], reader: Reader): Map<string, number> {
  // The "s" of "plumber's" is not a word.
  const asked = reader.words(resolved.replace(/(?<=\p{L})['’](?:s|m|re|ve|ll|d|t)\b/gu, ''));
  const texts = hits.map((hit) => new Set(reader.words(`${hit.heading.join(' ')} ${hit.text}`)));
  const idf = idfAmong(new Set(asked), texts);
  const isMet = (word: string) => texts.some((own) => said(word, own, reader) > 0 || hasPartOf(word, own, reader));
  return new Map(
    [...idf].map(([word, weight]) => {
      const times = Math.min(2, asked.filter((other) => other === word).length);
      return [word, weight * times * (reader.isLight(word) ? LIGHT_FACTOR : isMet(word) ? 1 : UNMET_FACTOR)];
    }),
  );
}

/** The share of the question that each word of a sentence covers. Words in the headings above it count half. */
export function coverage(
  { text, header }: Sentence,
  hit: Hit,
  { weights, total, reader }: Weighed,
): Map<string, number> {
  const own = new Set(reader.words(text));
  const above = new Set(reader.words(`${hit.heading.join('. ')}. ${header}`));
  const name = new Set(reader.words(nameOf(hit)));
  // A heading that is a question has its answer below it.
  const isAnswering = hit.heading.at(-1)?.trim().endsWith('?') === true;
  const isHere = (word: string) => reader.compounds && above.has(word) && hasHeadOf(word, own);
  const covered = new Map<string, number>();
  if (own.size === 0) return covered;
  for (const [word, weight] of weights) {
    const share =
      weight *
      Math.max(
        said(word, own, reader),
        said(word, above, reader) * (isAnswering ? 1 : reader.compounds ? HEAD_FACTOR : 1 / 2),
        name.has(word) || hasPartOf(word, name, reader) ? 1 / 2 : 0,
        hasPartOf(word, own, reader) ? 1 / 2 : 0,
        isHere(word) ? HEAD_FACTOR : 0,
        reader.compounds && isJoined(word, own, new Set([...own, ...above, ...name])) ? JOINED_FACTOR : 0,
        reader.compounds && isHeadOf(word, above) ? HEAD_FACTOR : 0,
        reader.compounds && hasPartOf(word, above, reader) ? 1 / 4 : 0,
      );
    if (share > 0) covered.set(word, share / total);
  }
  return covered;
}

export function sumOf(parts: Iterable<number>): number {
  return [...parts].reduce((sum, part) => sum + part, 0);
}
