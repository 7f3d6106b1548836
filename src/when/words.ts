import { AssistantError } from '../base/errors.ts';
import { fold } from '../words/spelling.ts';
import { readSentence, type Sentence } from './grammar/read.ts';
import { type OneOff, type ReadOptions, resolveOnce } from './one-off.ts';
import { isRecurring, type Recurrence, resolveRecurring } from './recurring.ts';
import { notUnderstood, Unclear } from './refusal.ts';
import { told } from './told.ts';

/** The meaning of words of time: one instant or many. */
export type Meaning =
  | { readonly kind: 'once'; readonly once: OneOff }
  | { readonly kind: 'repeats'; readonly recurrence: Recurrence };

/**
 * The one meaning of everything that a sentence says about time. This is where no word of time is allowed to be lost:
 * one that is not used, or that may be misspelt, makes the whole sentence unclear.
 *
 * @throws Unclear saying what to ask.
 */
export function meaningOf(sentence: Sentence, options: ReadOptions): Meaning {
  const { typo, unused, pieces, lexicon } = sentence;
  if (typo) throw new Unclear(told('misspelt', { word: typo.written, meant: typo.meant }));
  if (unused[0] !== undefined) throw new Unclear(told('word_not_clear', { word: unused[0] }));
  const manner = { ...options, german: lexicon.language === 'de' };
  return isRecurring(pieces)
    ? { kind: 'repeats', recurrence: resolveRecurring(pieces, manner) }
    : { kind: 'once', once: resolveOnce(pieces, manner) };
}

/**
 * Read a text that is a time and nothing else.
 *
 * @throws AssistantError `bad_time` when it is not understood, or holds other words.
 */
export function readTime(said: string, options: ReadOptions): Meaning {
  const sentence = readSentence(said);
  const known = ({ lexicon }: Sentence, word: string) => lexicon.words.has(fold(word));
  const other = sentence.others.find((word) => !known(sentence, word)) ?? sentence.others[0];
  try {
    if (sentence.typo === undefined && other !== undefined) throw new Unclear(told('word_not_clear', { word: other }));
    return meaningOf(sentence, options);
  } catch (error) {
    throw error instanceof Unclear ? notUnderstood(said, error.told) : error;
  }
}

/** Only refusals count as "no time"; anything else is a bug and is rethrown. */
export function orUnclear<Value>(read: () => Value): Value | Unclear {
  try {
    return read();
  } catch (error) {
    if (error instanceof Unclear) return error;
    if (error instanceof AssistantError)
      return new Unclear(error.told ?? { code: error.code, values: { text: error.message } });
    throw error;
  }
}
