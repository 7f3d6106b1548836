import { fold } from '../../words/spelling.ts';
import { STOP_WORDS } from '../../words/stop-words.ts';
import { isGerman } from '../../words/telling-words.ts';
import { contentTokens, tokens } from './words.ts';

/** All spellings that `tokens` may produce: "über" and "ueber", "muss" and "muß". */
export const SMALL_GERMAN = new Set(
  [...STOP_WORDS.de].flatMap((word) => tokens(`${word} ${word.replaceAll('ss', 'ß')}`)),
);

/** The tokens without stop words, or all of them if nothing would be left. */
export function germanTokens(text: string): string[] {
  const all = tokens(text);
  const kept = all.filter((token) => !SMALL_GERMAN.has(token) && !SMALL_GERMAN.has(fold(token)));
  return kept.length > 0 ? kept : all;
}

/** The search terms: the tokens of a query without the stop words of its language. */
export function queryTokens(query: string): string[] {
  return isGerman(query) ? germanTokens(query) : contentTokens(query);
}
