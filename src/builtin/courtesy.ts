import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Language } from '../words/spelling.ts';
import type { Element } from './pattern.ts';
import { waysOf } from './patterns.ts';
import { type Token, tokensOf } from './tokens.ts';

const LANGUAGES = ['en', 'de'] as const;

type Place = 'before' | 'behind';

/** Ways of being polite, as sentences of examples: at both ends of a request, and words anywhere in it. */
interface Courtesy extends Readonly<Record<Place, Readonly<Record<Language, readonly string[]>>>> {
  readonly between: Readonly<Record<Language, string>>;
}

const COURTESY: Courtesy = JSON.parse(readFileSync(join(import.meta.dirname, 'courtesy.json'), 'utf8'));

const ways: Partial<Record<Place, readonly (readonly Element[])[]>> = {};

function waysAt(place: Place): readonly (readonly Element[])[] {
  ways[place] ??= LANGUAGES.flatMap((language) => COURTESY[place][language].flatMap(waysOf));
  return ways[place];
}

const BETWEEN: Readonly<Record<Language, ReadonlySet<string>>> = {
  en: new Set(wordsIn(COURTESY.between.en)),
  de: new Set(wordsIn(COURTESY.between.de)),
};

function wordsIn(text: string): readonly string[] {
  return tokensOf(text).map(({ word }) => word);
}

/** A word that changes nothing about what is asked for, wherever it stands: "bitte", "mal", "just". */
export function isParticle(word: string, language: Language): boolean {
  return BETWEEN[language].has(word);
}

/** The request without the courtesy at both ends; a text that is nothing else stays as it is. */
export function withoutCourtesy(text: string): string {
  const tokens = tokensOf(text);
  let from = 0;
  let to = tokens.length;
  for (let [was, end] = [-1, -1]; was !== from || end !== to; ) {
    [was, end] = [from, to];
    from += longest(waysAt('before'), tokens.slice(from, to));
    from += marks(tokens.slice(from, to));
    const left = tokens.slice(from, to).toReversed();
    const closing = marks(left);
    const courtesy = longest(
      waysAt('behind').map((way) => way.toReversed()),
      left.slice(closing),
    );
    if (courtesy > 0) to -= courtesy + closing;
  }
  const isAll = tokens.slice(from, to).every(({ word }) => word === '');
  const end = tokens.slice(to).some(({ word }) => word !== '') ? (tokens[to - 1]?.end ?? 0) : text.length;
  return isAll ? text : text.slice(tokens[from]?.start ?? 0, end);
}

function marks(tokens: readonly Token[]): number {
  const at = tokens.findIndex(({ word }) => word !== '');
  return at < 0 ? tokens.length : at;
}

/** How many tokens the longest of these takes, from the first on. */
function longest(all: readonly (readonly Element[])[], tokens: readonly Token[]): number {
  return Math.max(0, ...all.map((way) => lengthOf(way, tokens)));
}

function lengthOf(way: readonly Element[], tokens: readonly Token[]): number {
  let at = 0;
  for (const element of way) {
    if (!('words' in element)) return 0;
    if (element.words.includes(tokens[at]?.word ?? '')) at += 1;
    else if (!element.optional) return 0;
  }
  return at;
}
