import { words } from '../analysis/words.ts';
import type { Hit, SupportingHit } from '../types.ts';
import { idfAmong } from './idf.ts';

const MAX_SENTENCES = 3;
/** A sentence is quoted when it scores at least this share of the best one. */
const NEAR_BEST = 0.7;
/** The share of the question's idf weight that the best sentence must cover; otherwise there is no answer. */
const LEAST_SHARE = 0.3;
const MAX_SENTENCE_CHARS = 500;

interface Candidate {
  readonly text: string;
  readonly hit: Hit;
  readonly share: number;
  readonly order: number;
}

/** Answer a question with the sentences of the hits that cover most of it, each with its citation. */
export function extractAnswer(question: string, hits: readonly Hit[]): { answer: string; passages: SupportingHit[] } {
  const candidates = rank(question, hits);
  const top = candidates[0];
  if (!top || top.share < LEAST_SHARE) return { answer: '', passages: [] };
  const fitting = new Set(candidates.filter(({ share }) => share >= LEAST_SHARE).map(({ hit }) => hit));
  const passages = hits
    .filter((hit) => fitting.has(hit))
    .map(({ text, citation, score, chunkId, context }) => ({
      ...{ text, citation, score, chunkId },
      ...(context && { context }),
    }));
  const chosen = candidates.filter(({ share }) => share >= top.share * NEAR_BEST).slice(0, MAX_SENTENCES);
  return { answer: chosen.map(({ text, hit }) => `${text} ${hit.citation}`).join('\n'), passages };
}

function rank(question: string, hits: readonly Hit[]): Candidate[] {
  const asked = new Set(words(question));
  const weights = idfAmong(
    asked,
    hits.map((hit) => new Set(words(`${hit.heading.join(' ')} ${hit.text}`))),
  );
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  if (total === 0) return [];
  const candidates = hits.flatMap((hit, order) =>
    sentencesOf(hit.text).map((text) => ({ text, hit, order, share: coverage(text, hit, weights) / total })),
  );
  const seen = new Set<string>();
  return candidates
    .filter(({ text }) => !seen.has(text) && seen.add(text))
    .sort((a, b) => b.share - a.share || a.order - b.order);
}

/** The idf weight that a sentence covers. Words in the headings above it count half: they say what it is about. */
function coverage(sentence: string, hit: Hit, weights: ReadonlyMap<string, number>): number {
  const own = new Set(words(sentence));
  const above = new Set(words(hit.heading.join(' ')));
  let sum = 0;
  for (const [word, weight] of weights) sum += own.has(word) ? weight : above.has(word) ? weight / 2 : 0;
  return own.size === 0 ? 0 : sum;
}

function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?…。！？]["'”’)\]]{0,8})\s+|\n{2,}|\n(?=[ \t]{0,40}(?:[-*+]|\d+[.)])\s)/u)
    .map((sentence) =>
      sentence
        .replace(/\s+/gu, ' ')
        .replace(/^(?:[-*+]|\d+[.)])\s+/u, '')
        .trim(),
    )
    .filter((sentence) => sentence !== '')
    .map((sentence) => (sentence.length > MAX_SENTENCE_CHARS ? `${sentence.slice(0, MAX_SENTENCE_CHARS)}…` : sentence));
}
