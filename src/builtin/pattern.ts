import type { Taught } from '../base/examples.ts';
import type { Language } from '../words/spelling.ts';

/** One of some words, which may be left out where it is `optional`, or a gap. */
export type Element = { readonly words: readonly string[]; readonly optional: boolean } | { readonly slot: string };

/** One way of saying it. */
export interface Pattern {
  readonly taught: Taught;
  readonly language: Language;
  /** As written by its author. */
  readonly sentence: string;
  readonly elements: readonly Element[];
}
