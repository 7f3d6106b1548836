import { contentTokens, gramsOf, stem, words } from '../analysis/words.ts';
import type { Bm25, Scored } from '../index/bm25.ts';
import { countTerms, expand } from './feedback.ts';
import { type ArmWeights, armWeights, fuse, modelWeights } from './fusion.ts';

/** What a search runs over: every arm knows the same slots. */
export interface Arms {
  readonly words: Bm25;
  readonly grams: Bm25;
  readonly dense?: DenseArm | undefined;
  /** What the slot's chunk is found by. */
  textOf(slot: number): string;
}

/** 1 for slots that may be returned; `filtered` when that leaves out more than deleted ones. */
export interface Allowed {
  readonly slots: Uint8Array;
  readonly filtered: boolean;
}

export interface DenseArm {
  readonly kind: 'lsa' | 'model';
  /** Undefined when the query has no place in the space. */
  vectorOf(queryWords: readonly string[]): Float32Array | undefined;
  search(vector: Float32Array, depth: number, allowed: Allowed): Scored[];
}

export interface ArmsQuery {
  readonly text: string;
  readonly depth: number;
  readonly allowed: Allowed;
  /** The query's vector from a configured model. */
  readonly vector?: Float32Array | undefined;
}

/** Words with feedback, character grams and vectors, fused; best first. */
export function searchArms(arms: Arms, query: ArmsQuery): Scored[] {
  const { depth, allowed } = query;
  const content = contentTokens(query.text);
  const terms = content.map(stem);
  const vector = query.vector ?? (terms.length > 0 ? arms.dense?.vectorOf(terms) : undefined);
  const dense = vector && arms.dense ? arms.dense.search(vector, depth, allowed) : [];
  const unknown = terms.filter((term) => arms.words.frequency(term) === 0).length / Math.max(1, terms.length);
  const wordsOf = (slot: number) => words(arms.textOf(slot));
  const expanded = expand(arms.words, terms, { wordsOf, allowed: allowed.slots });
  const byWords = arms.words.search(expanded, depth, allowed.slots);
  const byGrams = arms.grams.search(countTerms(gramsOf(content)), depth, allowed.slots);
  const weights = weigh({ byWords, byGrams, dense }, unknown, arms);
  return fuse([
    { hits: byWords, weight: weights.words },
    { hits: byGrams, weight: weights.grams },
    { hits: dense, weight: weights.dense },
  ]);
}

interface Found {
  readonly byWords: readonly Scored[];
  readonly byGrams: readonly Scored[];
  readonly dense: readonly Scored[];
}

function weigh({ byWords, byGrams, dense }: Found, unknown: number, arms: Arms): ArmWeights {
  if (dense.length === 0) return armWeights(unknown, 'none');
  if (arms.dense?.kind !== 'model') return armWeights(unknown, 'lsa');
  const without = armWeights(unknown, 'none');
  const lexical = fuse([
    { hits: byWords, weight: without.words },
    { hits: byGrams, weight: without.grams },
  ]);
  return modelWeights(unknown, dense, lexical, arms.words.slots);
}
