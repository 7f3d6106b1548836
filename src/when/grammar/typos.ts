import { editDistance } from '../../base/text.ts';
import { fold, type Kind, type Lexicon, type Token } from './token.ts';

/** Kinds whose words carry the time: a mistake in one of them changes it. */
const CARRYING: ReadonlySet<Kind> = new Set<Kind>([
  ...(['weekday', 'weekdays', 'month', 'unit', 'number', 'tens', 'ordinal', 'next', 'part', 'moment'] as const),
  ...(['relative', 'tonight', 'every', 'adverb', 'until', 'ago', 'half', 'quarter', 'except'] as const),
]);
/** Shorter words are one letter away from too many others. */
const SHORTEST = 4;
const SHORTEST_CANDIDATE = 4;

/**
 * The word of time that an unknown word is probably meant to be. It is for asking: "tusday" may be a slip for either of
 * two days, and guessing has turned days into seconds.
 */
export function typoIn({ text, senses }: Token, lexicon: Lexicon): { written: string; meant: string } | undefined {
  const written = fold(text);
  if (senses.length > 0 || written.length < SHORTEST || !/^\p{L}+$/u.test(written)) return undefined;
  if (lexicon.ordinary.has(written) || lexicon.telling.has(written)) return undefined;
  for (const [word, meanings] of lexicon.words) {
    if (word.length < SHORTEST_CANDIDATE || Math.abs(word.length - written.length) > 1) continue;
    if (meanings.some(({ is }) => CARRYING.has(is)) && editDistance(written, word) === 1)
      return { written: text, meant: word };
  }
  return undefined;
}
