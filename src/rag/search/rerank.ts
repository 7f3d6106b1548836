import { stem, tokens, words } from '../analysis/words.ts';
import type { Hit } from '../types.ts';

/** Scores hits anew, higher is better, in the order given. */
export type Reranker = (query: string, hits: readonly Hit[]) => Promise<readonly number[]>;

/** How much the new score counts beside the old one, both brought to [0, 1]. */
const SHARE = 0.3;
/** Words further apart than this say nothing about each other. */
const WINDOW = 8;
const SAME_TEXT = 0.8;

/** Order hits by a mix of their score and a reranker's; with a reranker that fails they stay as they are. */
export async function rerank(query: string, hits: readonly Hit[], reranker: Reranker): Promise<readonly Hit[]> {
  const scores = await reranker(query, hits);
  if (scores.length !== hits.length || scores.some((score) => !Number.isFinite(score))) return hits;
  const old = toUnit(hits.map(({ score }) => score));
  const fresh = toUnit(scores);
  const mixed = hits.map((hit, index) => ({
    ...hit,
    score: (1 - SHARE) * (old[index] ?? 0) + SHARE * (fresh[index] ?? 0),
  }));
  return mixed.sort((a, b) => b.score - a.score);
}

/** Prefers passages that hold more of the query's words, and hold them close together. */
export const lexicalReranker: Reranker = async (query, hits) => {
  const asked = new Set(words(query));
  return hits.map((hit) => {
    const text = tokens(`${hit.heading.join(' ')} ${hit.text}`).map(stem);
    const places = text.flatMap((word, at) => (asked.has(word) ? [{ word, at }] : []));
    const held = new Set(places.map(({ word }) => word)).size / Math.max(1, asked.size);
    const pairs = new Set(
      places.flatMap(({ word, at }, index) => {
        const next = places[index + 1];
        return next && next.word !== word && next.at - at <= WINDOW ? [`${word} ${next.word}`] : [];
      }),
    );
    return held + pairs.size / Math.max(1, asked.size - 1);
  });
};

/** Leave out passages that say the same as a better one. */
export function spread(hits: Iterable<Hit>, k: number): Hit[] {
  const kept: { hit: Hit; words: ReadonlySet<string> }[] = [];
  for (const hit of hits) {
    if (kept.length === k) break;
    const own = new Set(words(hit.text));
    if (!kept.some(({ words: other }) => alike(own, other) > SAME_TEXT)) kept.push({ hit, words: own });
  }
  return kept.map(({ hit }) => hit);
}

function alike(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let shared = 0;
  for (const word of a) if (b.has(word)) shared++;
  return shared / (a.size + b.size - shared);
}

function toUnit(values: readonly number[]): number[] {
  const low = Math.min(...values);
  const high = Math.max(...values);
  return values.map((value) => (high === low ? 1 : (value - low) / (high - low)));
}
