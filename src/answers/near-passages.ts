import type { Hit } from '../rag/types.ts';
import { nameOf } from './coverage.ts';
import { readerFor } from './reader.ts';
import { hasPartOf, said } from './word-match.ts';

/** Where a score falls below this share of the one before it, what follows may be about something else. */
const FAR_BELOW = 0.5;

/**
 * Without what is far below the best: passages behind the widest gap between two neighbouring scores that also say less
 * of the question than each passage in front of it. Among few passages scores spread widely whatever they say.
 *
 * @param hits best first.
 * @see bench/rag/answers.ts, which counts the right passages that this loses.
 */
export function nearPassages(question: string, hits: readonly Hit[]): readonly Hit[] {
  const shares = hits.slice(1).map(({ score }, at) => shareOf(score, hits[at]?.score ?? 0));
  const widest = Math.min(...shares);
  if (!(widest < FAR_BELOW)) return hits;
  const isNear = (at: number) => at <= shares.indexOf(widest);
  const counts = hits.map(saidOf(question));
  const least = Math.min(...counts.filter((_, at) => isNear(at)));
  return hits.filter((_, at) => isNear(at) || (counts[at] ?? 0) >= least);
}

/** Scores of a reranker may be negative, and say nothing by their ratio then. */
function shareOf(score: number, above: number): number {
  return above > 0 ? Math.max(0, score / above) : 1;
}

/** How many words of a question a passage has, its headings and the name of its file included. */
function saidOf(question: string): (hit: Hit) => number {
  const reader = readerFor(question);
  const asked = [...new Set(reader.words(question))].filter((word) => !reader.isLight(word));
  return (hit) => {
    const own = new Set(reader.words(`${hit.heading.join('. ')}. ${nameOf(hit)}. ${hit.text}`));
    return asked.filter((word) => said(word, own, reader) > 0 || hasPartOf(word, own, reader)).length;
  };
}
