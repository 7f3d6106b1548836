import { pattern } from '../base/pattern.ts';
import { fold } from '../words/spelling.ts';

/** A word, a number or a mark of a sentence, and where it stands. */
export interface Token {
  /** Folded, without apostrophes: "What's" and "whats" are one. Empty for marks. */
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/** An address is one piece, without the mark that ends the sentence; the sign of a number belongs to it. */
const PIECE = pattern(
  'gu',
  String.raw`https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)]|[\p{L}\p{M}][\p{L}\p{M}\p{N}'’_-]*|(?<=^|\p{L}\s`,
  String.raw`|\()[-−]?\p{N}+(?:[.,:]\p{N}+)*|\p{N}+(?:[.,:]\p{N}+)*|[%€£$]|[^\s]`,
);

/** What is longer is no word of any example. */
const LONGEST_WORD = 100;

/** The pieces of a sentence, in order. */
export function tokensOf(text: string): readonly Token[] {
  return [...text.matchAll(PIECE)].map(({ 0: piece, index }) => ({
    word: /[\p{L}\p{N}%€£$]/u.test(piece) ? fold(piece.slice(0, LONGEST_WORD)).replaceAll("'", '') : '',
    start: index,
    end: index + piece.length,
  }));
}

const LEAST_FUZZY = 4;
const STEM = 5;
/** In which words of both languages differ that are one, none included. */
const ENDING = /^(?:e?(?:[nrmsd]|st?|t(?:en?)?)?|ing|ings|ung|ungen|ly)?$/u;

/**
 * How much two folded words are one: 1 when equal, less for a slip of the keyboard or another ending, 0 for different
 * words. Short words and numbers have to be equal.
 */
export function likeness(a: string, b: string): number {
  if (a === b) return 1;
  if (
    Math.max(a.length, b.length) < LEAST_FUZZY ||
    Math.min(a.length, b.length) < LEAST_FUZZY - 1 ||
    /\p{N}/u.test(a + b)
  )
    return 0;
  const same = commonStart(a, b);
  const isInflected = ENDING.test(a.slice(same)) && ENDING.test(b.slice(same));
  if (same >= STEM && (isInflected || isSlip(a, b))) return 0.9;
  return isSlip(a, b) ? 0.75 : 0;
}

function commonStart(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
}

/** One letter too many, too few, wrong or two exchanged, behind the first. Four letters: none is wrong. */
function isSlip(a: string, b: string): boolean {
  if (a[0] !== b[0] || Math.abs(a.length - b.length) > 1) return false;
  const at = commonStart(a, b);
  const swapped = a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
  if (swapped && a.length === b.length) return true;
  if (a.length === b.length && a.length <= LEAST_FUZZY) return false;
  const [long, short] = a.length >= b.length ? [a, b] : [b, a];
  return long.slice(at + 1) === short.slice(long.length === short.length ? at + 1 : at);
}
