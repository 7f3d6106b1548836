import type { Taught } from '../base/examples.ts';
import type { Language } from '../words/spelling.ts';
import { STOP_WORDS } from '../words/stop-words.ts';
import { type Element, type Pattern, waysOf } from './patterns.ts';
import { SLOT_TYPES } from './slots.ts';
import { likeness, type Token } from './tokens.ts';

/** Examples that are ready to be compared with a sentence. */
export interface Knowledge {
  readonly patterns: readonly Pattern[];
  /** What a word tells about an intent: 1 for a word of one intent only, near 0 for a word of all. */
  weightOf(word: string, language: Language): number;
  /** What a word speaks against a pattern that does not have it and no gap for it. */
  extraOf(word: string, language: Language): number;
  readonly words: Readonly<Record<Language, ReadonlySet<string>>>;
}

/** A pattern laid over a sentence. */
export interface Match {
  readonly pattern: Pattern;
  /** 0 to 1: the weight of what agrees, of all that should. */
  readonly score: number;
  /** The weight of the words that agree: of two that fit, the one with more of them says it more exactly. */
  readonly matched: number;
  /** The stretches of the sentence that fill the gaps. */
  readonly slots: Readonly<Record<string, readonly [from: number, to: number]>>;
}

const LANGUAGES = ['en', 'de'] as const;
const LEAST_WEIGHT = 0.1;
/** A small word tells less than its rarity says. */
const SMALL = 0.6;
/** A word that no example has, and that fills no gap, speaks against all of them: */
const UNKNOWN = 0.9;
/** less so if it says nothing about the subject. */
const UNKNOWN_SMALL = 0.2;
/** A word of other examples speaks for those, however many have it. */
const LEAST_EXTRA = 0.6;
/** What a word costs that fills a gap: of two patterns that fit, the one that explains more is the better. */
const FILLED = 0.03;
/** Words of a gap that is typed are explained: they cost nothing. */
const priceOf = (slot: string): number => (SLOT_TYPES[slot.split(':').at(-1) ?? ''] ? 0 : FILLED);
/** A figure that is left over makes any answer a wrong one. */
const FIGURE = 2;
/** How sure a sentence is that is one typed gap as a whole: any that has words of its own is before it. */
const BARE = 0.85;

/** Compare examples by their own words. Takes milliseconds for a few hundred. */
export function learn(taught: readonly Taught[]): Knowledge {
  const patterns = taught.flatMap((each) =>
    LANGUAGES.flatMap((language) =>
      each[language].flatMap((sentence) =>
        waysOf(sentence).map((elements) => ({ taught: each, language, sentence, elements })),
      ),
    ),
  );
  const intents: Record<Language, Map<string, Set<string>>> = { en: new Map(), de: new Map() };
  for (const { taught: each, language, elements } of patterns)
    for (const element of elements)
      for (const word of 'words' in element ? element.words : []) {
        const known = intents[language].get(word) ?? new Set();
        intents[language].set(word, known.add(`${each.tool} ${each.intent}`));
      }
  const all = new Set(taught.map(({ tool, intent }) => `${tool} ${intent}`)).size;
  const weights = {
    en: new Map<string, number>(),
    de: new Map<string, number>(),
  };
  for (const language of LANGUAGES)
    for (const [word, { size }] of intents[language]) {
      const rarity = Math.log((all + 1) / size) / Math.log(all + 1);
      const small = STOP_WORDS[language].has(word) ? SMALL : 1;
      weights[language].set(word, Math.max(LEAST_WEIGHT, small * (0.3 + 0.7 * rarity)));
    }
  const words = { en: new Set(weights.en.keys()), de: new Set(weights.de.keys()) };
  return {
    patterns,
    words,
    weightOf: (word, language) => weights[language].get(word) ?? 0,
    extraOf: (word, language) => {
      if (word === '') return 0;
      if (/\p{N}/u.test(word)) return FIGURE;
      const isSmall = STOP_WORDS[language].has(word);
      const weight = weights[language].get(word) ?? (isSmall ? UNKNOWN_SMALL : UNKNOWN);
      return isSmall ? weight : Math.max(weight, LEAST_EXTRA);
    },
  };
}

/** Whether these tokens can fill a gap of that name. */
export type Fits = (slot: string, from: number, to: number) => boolean;

/** A pattern whose words are not there by this share is not laid over the sentence. */
const WORTH_A_LOOK = 0.55;

/** The best match of each pattern that is worth a look. @param given slots that are filled already. */
export function matches(
  tokens: readonly Token[],
  knowledge: Knowledge,
  { fits, given }: { readonly fits: Fits; readonly given: ReadonlySet<string> },
): readonly Match[] {
  const likes = likenessesOf(tokens, knowledge);
  return knowledge.patterns.flatMap((pattern) => {
    const elements = pattern.elements.filter((element) => !('slot' in element && given.has(element.slot)));
    const { language } = pattern;
    let there = 0;
    let all = 0;
    for (const element of elements) {
      if (!('words' in element) || element.optional) continue;
      const weight = weightOf(element.words, knowledge, language);
      all += weight;
      if (element.words.some((word) => likes[language].has(word))) there += weight;
    }
    if (all === 0) return bareMatch(pattern, tokens.length, fits);
    if (there / all < WORTH_A_LOOK) return [];
    return align({ tokens, elements, pattern, knowledge, likes: likes[language], fits, all }) ?? [];
  });
}

/** "12 * 7": a sentence that fills the one gap of a pattern without words. */
function bareMatch(pattern: Pattern, length: number, fits: Fits): readonly Match[] {
  const [only, ...others] = pattern.elements;
  if (!only || !('slot' in only) || others.length > 0 || priceOf(only.slot) > 0) return [];
  // A mark ends the sentence, or is the sign of a factorial.
  const end = [length, length - 1].find((to) => to > 0 && fits(only.slot, 0, to));
  return end === undefined ? [] : [{ pattern, score: BARE, matched: 0, slots: { [only.slot]: [0, end] } }];
}

/** Of a choice, what its most telling word weighs. */
function weightOf(words: readonly string[], { weightOf: of }: Knowledge, language: Language): number {
  return Math.max(...words.map((word) => of(word, language)));
}

type Likes = ReadonlyMap<string, ReadonlyMap<number, number>>;

/** For each known word the tokens that are like it, and how much. */
function likenessesOf(tokens: readonly Token[], { words }: Knowledge): Readonly<Record<Language, Likes>> {
  const of = (language: Language) => {
    const likes = new Map<string, Map<number, number>>();
    const isWord = (word: string) => words[language].has(word) || STOP_WORDS[language].has(word);
    for (const word of words[language])
      for (const [at, token] of tokens.entries()) {
        // What is a word of its own is no slip of another.
        const like = token.word === word ? 1 : isWord(token.word) ? 0 : likeness(token.word, word);
        if (like === 0) continue;
        const known = likes.get(word) ?? new Map<number, number>();
        likes.set(word, known.set(at, like));
      }
    return likes;
  };
  return { en: of('en'), de: of('de') };
}

interface Alignment {
  readonly tokens: readonly Token[];
  readonly elements: readonly Element[];
  readonly pattern: Pattern;
  readonly knowledge: Knowledge;
  readonly likes: Likes;
  readonly fits: Fits;
  /** The weight of all words of the pattern. */
  readonly all: number;
}

/** The cheapest way from a place on, and its first step. */
interface Cell {
  readonly cost: number;
  readonly missed: number;
  /** `to` is the token at which it goes on; a gap is filled where `slot` is set. */
  readonly to: number;
  readonly element: number;
  readonly slot?: string;
}

/** Edit distance between pattern and sentence, where a gap takes one token or more. */
function align({ tokens, elements, pattern, knowledge, likes, fits, all }: Alignment): Match | undefined {
  const weights = tokens.map(({ word }) => knowledge.extraOf(word, pattern.language));
  const table: Cell[][] = [];
  for (let element = elements.length; element >= 0; element -= 1) {
    const row: Cell[] = [];
    table[element] = row;
    for (let at = tokens.length; at >= 0; at -= 1) {
      const options: Cell[] = [];
      if (element === elements.length && at === tokens.length) options.push({ cost: 0, missed: 0, to: at, element });
      const extra = row[at + 1];
      if (at < tokens.length && extra)
        options.push({ cost: extra.cost + (weights[at] ?? 0), missed: extra.missed, to: at + 1, element });
      const here = elements[element];
      const below = table[element + 1];
      if (here && below) options.push(...steps(here, at, { below, element, weights, knowledge, pattern, likes, fits }));
      const best = options.reduce<Cell | undefined>((a, b) => (a && a.cost <= b.cost ? a : b), undefined);
      if (best) row[at] = best;
    }
  }
  const start = table[0]?.[0];
  if (!start || !Number.isFinite(start.cost)) return undefined;
  const matched = all - start.missed;
  return { pattern, matched, score: Math.max(0, matched) / (all + start.cost - start.missed), slots: slotsOf(table) };
}

interface Below extends Pick<Alignment, 'knowledge' | 'pattern' | 'likes' | 'fits'> {
  readonly below: readonly Cell[];
  readonly element: number;
  readonly weights: readonly number[];
}

/** Ways to deal with one element of the pattern at one token. */
function steps(here: Element, at: number, { below, element, weights, knowledge, pattern, likes, fits }: Below): Cell[] {
  const cells: Cell[] = [];
  const go = (to: number, { cost, missed = 0, slot }: { cost: number; missed?: number; slot?: string }) => {
    const next = below[to];
    if (next)
      cells.push({
        cost: next.cost + cost,
        missed: next.missed + missed,
        to,
        element: element + 1,
        ...(slot === undefined ? {} : { slot }),
      });
  };
  if ('words' in here) {
    // What may be left out counts neither for nor against.
    const weight = here.optional ? 0 : weightOf(here.words, knowledge, pattern.language);
    const like = Math.max(0, ...here.words.map((word) => likes.get(word)?.get(at) ?? 0));
    go(at, { cost: weight, missed: weight });
    if (like > 0) go(at + 1, { cost: (1 - like) * weight, missed: (1 - like) * weight });
    return cells;
  }
  const price = priceOf(here.slot);
  let cost = 0;
  for (let to = at + 1; to <= weights.length; to += 1) {
    cost += price * Math.min(1, weights[to - 1] ?? 0);
    if (fits(here.slot, at, to)) go(to, { cost, slot: here.slot });
  }
  return cells;
}

function slotsOf(table: readonly (readonly Cell[])[]): Match['slots'] {
  const slots: Record<string, readonly [number, number]> = {};
  let [element, at] = [0, 0];
  for (;;) {
    const cell = table[element]?.[at];
    if (!cell || (cell.element === element && cell.to === at)) return slots;
    if (cell.slot !== undefined) slots[cell.slot] = [at, cell.to];
    [element, at] = [cell.element, cell.to];
  }
}
