import snowball from 'snowball-stemmers';
import { STOP_WORDS } from './stop-words.ts';

/** Part of every index's fingerprint: raise it whenever the same text would give other words or grams. */
export const ANALYSIS_VERSION = 1;

const MAX_CACHED_STEMS = 200_000;
const GRAM = 4;
const WORD = /[\p{L}\p{N}]+/gu;
const ACCENTS = /[\u0300-\u036f]/gu;
const NOT_ASCII = /[^\u0000-\u007f]/u;
/** Scripts that put no spaces between words; each pair of neighbours counts as a word. */
export const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

const stemmer = snowball.newStemmer('english');
const stems = new Map<string, string>();

/** Lower-case runs of letters or digits, compatibility forms and accents folded, in order, repeats kept. */
export function tokens(text: string): string[] {
  const ascii = !NOT_ASCII.test(text);
  const folded = ascii ? text.toLowerCase() : fold(text);
  const found = folded.match(WORD) ?? [];
  return ascii ? found : found.flatMap(pairs);
}

/** Tokens without stop words; all of them when nothing else is there ("to be or not to be"). */
export function contentTokens(text: string): string[] {
  const all = tokens(text);
  const kept = all.filter((token) => !STOP_WORDS.has(token));
  return kept.length > 0 ? kept : all;
}

/** What the word index holds: stems of the content tokens. */
export function words(text: string): string[] {
  return contentTokens(text).map(stem);
}

/** What the gram index holds: every four neighbouring characters of each content token with its ends marked. */
export function grams(text: string): string[] {
  return gramsOf(contentTokens(text));
}

export function gramsOf(content: readonly string[]): string[] {
  const found: string[] = [];
  for (const token of content) {
    const marked = `<${token}>`;
    if (marked.length <= GRAM) found.push(marked);
    else for (let at = 0; at + GRAM <= marked.length; at++) found.push(marked.slice(at, at + GRAM));
  }
  return found;
}

export function stem(token: string): string {
  const known = stems.get(token);
  if (known !== undefined) return known;
  if (stems.size >= MAX_CACHED_STEMS) stems.clear();
  const found = stemmer.stem(token);
  stems.set(token, found);
  return found;
}

function fold(text: string): string {
  return text.normalize('NFKD').replace(ACCENTS, '').normalize('NFC').toLowerCase();
}

function pairs(token: string): string[] {
  if (!UNSPACED.test(token)) return [token];
  const characters = [...token];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}
