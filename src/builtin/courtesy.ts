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
  const behind = waysAt('behind').map((way) => way.toReversed());
  for (let [was, end] = [-1, -1]; was !== from || end !== to; ) {
    [was, end] = [from, to];
    from += longest(waysAt('before'), tokens, { from, to, step: 1 });
    from += marks(tokens, { from, to, step: 1 });
    const closing = marks(tokens, { from: to - 1, to: from - 1, step: -1 });
    const courtesy = longest(behind, tokens, { from: to - 1 - closing, to: from - 1, step: -1 });
    if (courtesy > 0) to -= courtesy + closing;
  }
  const isAll = tokens.slice(from, to).every(({ word }) => word === '');
  const end = tokens.slice(to).some(({ word }) => word !== '') ? (tokens[to - 1]?.end ?? 0) : text.length;
  return isAll ? text : text.slice(tokens[from]?.start ?? 0, end);
}

/** A way through tokens: from one on, to the left or the right, up to one that is no longer part of it. */
interface Way {
  readonly from: number;
  readonly to: number;
  readonly step: 1 | -1;
}

function marks(tokens: readonly Token[], { from, to, step }: Way): number {
  let at = from;
  while (at !== to && tokens[at]?.word === '') at += step;
  return Math.abs(at - from);
}

/** How many tokens the longest of these takes, from the first on. */
function longest(all: readonly (readonly Element[])[], tokens: readonly Token[], way: Way): number {
  return Math.max(0, ...all.map((elements) => lengthOf(elements, tokens, way)));
}

function lengthOf(elements: readonly Element[], tokens: readonly Token[], { from, to, step }: Way): number {
  let at = from;
  for (const element of elements) {
    if (!('words' in element)) return 0;
    if (at !== to && element.words.includes(tokens[at]?.word ?? '')) at += step;
    else if (!element.optional) return 0;
  }
  return Math.abs(at - from);
}
