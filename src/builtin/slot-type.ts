import type { Spoken } from '../when/find.ts';

/** What fills a gap `{name:TYPE}`, or `{TYPE}`, where it is more than words. */
export interface SlotType {
  /** No more tokens than these are tried. */
  readonly most?: number;
  /** Any words of this form may fill it; what they mean is read when all is known. */
  readonly any?: RegExp;
  /** It takes any words but some: it explains no more than a gap without a type. */
  readonly isWords?: true;
  /** The value of the words, or undefined where they are none of this type. */
  read(words: string, spoken: Spoken): unknown;
}
