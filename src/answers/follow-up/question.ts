import { fold } from '../../words/spelling.ts';
import { isGerman, TELLING_ENGLISH, TELLING_GERMAN } from '../../words/telling-words.ts';
import { ENGLISH } from './english.ts';
import { GERMAN } from './german.ts';
import type { Grammar, Noun, Reach, Word } from './grammar.ts';

export interface Question {
  readonly grammar: Grammar;
  readonly words: readonly Word[];
  readonly nouns: readonly Noun[];
}

const TOKEN = /[\p{L}\p{N}]+|[,;:]/gu;
/** Split a question into words and find its nouns, by the grammar of its language. */
export function readQuestion(text: string): Question {
  const words = wordsOf(text);
  const grammar = isGerman(text) ? GERMAN : ENGLISH;
  return { grammar, words, nouns: nounsOf(words, grammar) };
}

function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  let afterComma = false;
  for (const [token] of text.matchAll(TOKEN)) {
    const isSign = /^[,;:]$/u.test(token);
    if (!isSign)
      words.push({
        text: fold(token),
        capital: /^\p{Lu}/u.test(token),
        first: words.length === 0,
        afterComma,
      });
    afterComma = isSign;
  }
  // "Who's" and "it's" are "who is" and "it is"; for a genitive it makes no difference.
  return words.map((word) => (word.text === 's' && !word.capital ? { ...word, text: 'is' } : word));
}

function nounsOf(words: readonly Word[], grammar: Grammar): Noun[] {
  const nouns: Noun[] = [];
  for (let at = 0; at < words.length; ) {
    const noun = nounAt(words, at, grammar);
    if (noun) nouns.push(noun);
    at = noun?.end ?? at + 1;
  }
  return nouns;
}

/** `the old boiler`, `Ingrid Dahl`, `photosynthesis`. */
function nounAt(words: readonly Word[], at: number, grammar: Grammar): Noun | undefined {
  const first = words[at]?.text ?? '';
  const determined = grammar.determiners.has(first) && grammar.pointer(words, at) === undefined;
  const start = determined ? at + 1 : at;
  let end = start;
  while (
    end < words.length &&
    end < start + 5 &&
    isOfNoun(words, { at: end, start, determined, asks: grammar.asking.has(first) }, grammar)
  )
    end++;
  // An adjective alone is not a noun: "the second".
  while (end > start && grammar.isPlain(words[end - 1] as Word)) end--;
  if (end === start) return undefined;
  const own = words.slice(start, end);
  const bare = !determined && !own.some(({ capital, first }) => capital && !first);
  return { at, end, words: own.map(({ text }) => text), determiner: determined ? words[at]?.text : undefined, bare };
}

function isOfNoun(
  words: readonly Word[],
  { at, start, determined, asks }: { at: number; start: number; determined: boolean; asks: boolean },
  grammar: Grammar,
): boolean {
  const word = words[at];
  if (!word || (at > start && (word.afterComma || grammar.joints.has(word.text)))) return false;
  if (grammar.determiners.has(word.text) || grammar.pointer(words, at) !== undefined) return false;
  const isName = word.capital && !word.first;
  if (isName) return true;
  if (grammar.isPlain(word)) return determined && !grammar.isVerb(word) && !isFunction(word, grammar);
  return !grammar.isVerb(word) || (determined && !asks && at === start);
}

/** Adjectives may stand between determiner and noun, function words may not. */
function isFunction({ text }: Word, { joints }: Grammar): boolean {
  return TELLING_ENGLISH.has(text) || TELLING_GERMAN.has(text) || joints.has(text);
}

/** The nouns that a word such as "it" may stand for; not the one it belongs to, as in "the roof of its". */
export function nounsFor({ words, nouns, grammar }: Question, at: number, reach: Reach): readonly Noun[] {
  if (reach === 'before') {
    const isPartOf = (between: readonly Word[]) => between.length > 0 && between.every(({ text }) => LINKS.has(text));
    return nouns.filter(({ end }) => end <= at && !isPartOf(words.slice(end, at)));
  }
  const clause = words.findLastIndex(
    (word, index) => index > 0 && index <= at && (word.afterComma || grammar.joints.has(word.text)),
  );
  return nouns.filter(({ end }) => end <= clause);
}

const LINKS = new Set(['of', 'von', 'in', 'for', 'fuer']);
