import { createRequire } from 'node:module';
import { STOP_WORDS } from '../../words/stop-words.ts';

/** Part of every index's fingerprint. Raise it whenever the same text would produce different words or n-grams. */
export const ANALYSIS_VERSION = 1;

type Stemmers = typeof import('snowball-stemmers');
type Stemmer = ReturnType<Stemmers['newStemmer']>;

const MAX_CACHED_STEMS = 200_000;
const GRAM = 4;
const WORD = /[\p{L}\p{N}]+/gu;
const ACCENTS = /[\u0300-\u036f]/gu;
const NOT_ASCII = /[^\u0000-\u007f]/u;
/** Scripts without spaces between words: each pair of adjacent characters counts as a word. */
export const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

type StemLanguage = 'english' | 'german';

/** By language. Loaded on first use, because the package contains all languages. */
const stemmers = new Map<StemLanguage, Stemmer>();
const stems: Readonly<Record<StemLanguage, Map<string, string>>> = { english: new Map(), german: new Map() };

/** Split text into runs of letters or digits, in lower case, accents and compatibility forms folded, repeats kept. */
export function tokens(text: string): string[] {
  const ascii = !NOT_ASCII.test(text);
  const folded = ascii ? text.toLowerCase() : fold(text);
  const found = folded.match(WORD) ?? [];
  return ascii ? found : found.flatMap(pairs);
}

/** The tokens without stop words, or all of them if nothing would be left ("to be or not to be"). */
export function contentTokens(text: string): string[] {
  const all = tokens(text);
  const kept = all.filter((token) => !STOP_WORDS.en.has(token));
  return kept.length > 0 ? kept : all;
}

/** The terms of the word index: stems of the content tokens. */
export function words(text: string): string[] {
  return contentTokens(text).map(stem);
}

/** The terms of the n-gram index: all 4-grams of each content token, with its ends marked as `<` and `>`. */
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
  return stemIn('english', token);
}

export function stemIn(language: StemLanguage, token: string): string {
  const seen = stems[language];
  const known = seen.get(token);
  if (known !== undefined) return known;
  if (seen.size >= MAX_CACHED_STEMS) seen.clear();
  const stemmer = stemmers.get(language) ?? newStemmer(language);
  stemmers.set(language, stemmer);
  const found = stemmer.stem(token);
  seen.set(token, found);
  return found;
}

function newStemmer(language: StemLanguage): Stemmer {
  const snowball: Stemmers = createRequire(import.meta.url)('snowball-stemmers');
  return snowball.newStemmer(language);
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
