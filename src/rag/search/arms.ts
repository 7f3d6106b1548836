import { contentTokens, gramsOf, stem, words } from '../analysis/words.ts';
import type { Bm25, Scored } from '../index/bm25.ts';
import { countTerms, expand } from './feedback.ts';
import { armWeights, fuse } from './fusion.ts';

/** What a search runs over: every arm knows the same slots. */
export interface Arms {
  readonly words: Bm25;
  readonly grams: Bm25;
  readonly dense?: DenseArm | undefined;
  /** What the slot's chunk is found by. */
  textOf(slot: number): string;
}

export interface DenseArm {
  readonly kind: 'lsa' | 'model';
  /** Undefined when the query has no place in the space. */
  vectorOf(queryWords: readonly string[]): Float32Array | undefined;
  search(vector: Float32Array, depth: number, allowed?: Uint8Array): Scored[];
}

export interface ArmsQuery {
  readonly text: string;
  readonly depth: number;
  /** 1 for slots that may be returned. */
  readonly allowed?: Uint8Array | undefined;
  /** The query's vector from a configured model. */
  readonly vector?: Float32Array | undefined;
}

/** Words with feedback, character grams and vectors, fused; best first. */
export function searchArms(arms: Arms, query: ArmsQuery): Scored[] {
  const { depth, allowed } = query;
  const content = contentTokens(query.text);
  const terms = content.map(stem);
  if (terms.length === 0) return [];
  const unknown = terms.filter((term) => arms.words.frequency(term) === 0).length / terms.length;
  const vector = query.vector ?? arms.dense?.vectorOf(terms);
  const dense = vector && arms.dense ? arms.dense.search(vector, depth, allowed) : [];
  const weights = armWeights(unknown, dense.length > 0 && arms.dense ? arms.dense.kind : 'none');
  const wordsOf = (slot: number) => words(arms.textOf(slot));
  const expanded = expand(arms.words, terms, { wordsOf, allowed });
  return fuse([
    { hits: arms.words.search(expanded, depth, allowed), weight: weights.words },
    { hits: arms.grams.search(countTerms(gramsOf(content)), depth, allowed), weight: weights.grams },
    { hits: dense, weight: weights.dense },
  ]);
}
