import type { Language } from '../words/spelling.ts';
import type { Pattern } from './pattern.ts';

export interface LearntPattern extends Pattern {
  /** What each element weighs; gaps and what may be left out count neither for nor against. */
  readonly weights: readonly number[];
  /** The weight of all words. */
  readonly all: number;
}

/** A pattern laid over a sentence. */
export interface Match {
  readonly pattern: LearntPattern;
  /** 0 to 1: the weight of what agrees, of all that should. */
  readonly score: number;
  /** The weight of the words that agree: of two that fit, the one with more of them says it more exactly. */
  readonly matched: number;
  /** The weight of the words of the sentence that neither the pattern nor a gap accounts for. */
  readonly left: number;
  /** The stretches of the sentence that fill the gaps. */
  readonly slots: Readonly<Record<string, readonly [from: number, to: number]>>;
}

/** Whether these tokens can fill a gap of that name. */
export type Fits = (slot: string, stretch: readonly [from: number, to: number], language: Language) => boolean;

/** For each known word the tokens that are like it, and how much. */
export type Likes = ReadonlyMap<string, ReadonlyMap<number, number>>;
