import { editDistance } from '../../base/text.ts';
import { fold } from '../../words/spelling.ts';
import type { Kind, Lexicon, Sense, Token } from './token.ts';

/** Kinds of words that determine the time: a mistake in one of them changes it. */
const CARRYING: ReadonlySet<Kind> = new Set<Kind>([
  ...(['weekday', 'weekdays', 'month', 'unit', 'number', 'tens', 'ordinal', 'next', 'part', 'moment'] as const),
  ...(['relative', 'tonight', 'every', 'adverb', 'until', 'ago', 'half', 'quarter', 'except'] as const),
]);
const SHORTEST = 4;
/** Shorter words are one letter away from too many others, unless they follow something like a number. */
const SURE = 5;
const LEADING: ReadonlySet<Kind> = new Set<Kind>([
  ...([
    'number',
    'tens',
    'every',
    'next',
    'this',
    'last',
    'coming',
    'at',
    'other',
    'ordinal',
    'couple',
    'half',
  ] as const),
]);

/**
 * The word of time that an unknown word is probably meant to be. It is only used to ask: "tusday" may be a slip for
 * either of two days, and guessing has turned days into seconds.
 */
export function typoIn(
  { text, senses }: Token,
  { previous, next }: { previous: Token | undefined; next: Token | undefined },
  lexicon: Lexicon,
): { written: string; meant: string } | undefined {
  const written = fold(text);
  if (senses.length > 0 || written.length < SHORTEST || !/^\p{L}+$/u.test(written)) return undefined;
  // "Ever evening" is "every evening", but "a very important call" is correct.
  const ordinary = lexicon.ordinary.has(written) || lexicon.telling.has(written);
  if (ordinary && !next?.ofTime) return undefined;
  const led = previous?.senses.some(({ is }) => LEADING.has(is)) ?? false;
  const shortest = led ? SHORTEST : SURE;
  const isNear = (word: string) => word.length >= shortest && isOneSlip(written, word);
  const carrying = [...lexicon.words].filter(([, meanings]) =>
    meanings.some(({ is }) => (ordinary ? is === 'every' : CARRYING.has(is))),
  );
  const long = ordinary ? [] : carrying.filter(([word, meanings]) => isLongDay(word, meanings));
  const names = ordinary ? [] : [...lexicon.holidays.keys()].flatMap((name) => name.split(' '));
  // "ü" is spelled with two letters here, so one slip in it changes both: "bermorgen", "dbermorgen".
  const isUmlautSlip = (word: string) => /^[aou]e/u.test(word) && word.slice(2) === written.slice(1);
  const keepsAnEnd = (word: string) => word[0] === written[0] || word.endsWith(written) || isUmlautSlip(word);
  const isAlike = ([word]: readonly [string, unknown]) => keepsAnEnd(word) && editDistance(written, word) === 2;
  const meant = [...carrying.map(([word]) => word), ...names].find(isNear) ?? long.find(isAlike)?.[0];
  return meant === undefined ? undefined : { written: text, meant };
}

/** Every unknown word is compared with every word of time, so words too far apart are ruled out cheaply. */
function isOneSlip(a: string, b: string): boolean {
  const keepsAnEnd = a[0] === b[0] || a.at(-1) === b.at(-1);
  return keepsAnEnd && Math.abs(a.length - b.length) <= 1 && editDistance(a, b) === 1;
}

/** Names of days and months so long that they are recognizable despite two slips: "tommorow", "wensday". */
function isLongDay(word: string, meanings: readonly Sense[]): boolean {
  return word.length >= 7 && meanings.some(({ is }) => is === 'weekday' || is === 'month' || is === 'relative');
}
