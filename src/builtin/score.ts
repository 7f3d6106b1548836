import type { Taught } from '../base/examples.ts';
import { NEGATIONS } from '../words/negations.ts';
import type { Language } from '../words/spelling.ts';
import { STOP_WORDS } from '../words/stop-words.ts';
import { align } from './align.ts';
import { isParticle } from './courtesy.ts';
import type { LearntPattern, Likes, Match } from './match.ts';
import type { Pattern } from './pattern.ts';
import { patternsOf } from './patterns.ts';
import { likeness, type Token } from './tokens.ts';
import { askingAt, type View } from './view.ts';

/** Examples that are ready to be compared with a sentence. */
export interface Knowledge {
  readonly patterns: readonly LearntPattern[];
  /** Of things that the examples are about, in small letters. */
  readonly names: readonly string[];
  /** Those that have no words, which no index finds. */
  readonly bare: Readonly<Record<Language, readonly number[]>>;
  /** What a word speaks against a pattern that does not have it and no gap for it. */
  extraOf(word: string, language: Language): number;
  /** For each word the places of the patterns that ask for it; see `placeOf`. */
  readonly index: Readonly<Record<Language, ReadonlyMap<string, readonly number[]>>>;
  /** The same words by their first letter. */
  readonly byLetter: Readonly<Record<Language, ReadonlyMap<string, readonly string[]>>>;
}

/** More elements than these are in no pattern that a person wrote; a bit stands for each. */
const MOST_ELEMENTS = 31;

/** The place of an element, as one number. */
function placeOf(pattern: number, element: number): number {
  return pattern * (MOST_ELEMENTS + 1) + element;
}

const LANGUAGES = ['en', 'de'] as const;
const LEAST_WEIGHT = 0.1;
/** A small word tells less than its rarity says. */
const SMALL = 0.6;
/** A word that no example has, and that fills no gap, speaks against all of them: */
const UNKNOWN = 0.9;
/** less so if it says nothing about the subject, */
const UNKNOWN_SMALL = 0.2;
/** and not at all where it is there for courtesy. */
const PARTICLE = 0.004;
/** A word of other examples speaks for those, however many have it. */
const LEAST_EXTRA = 0.6;
/** A figure that is left over makes any answer a wrong one, and a "not" or the beginning of a question any effect. */
const DECIDING = 2;

/** Compare examples by their own words. Takes some milliseconds for a few hundred. */
export function learn(taught: readonly Taught[]): Knowledge {
  const patterns = taught.flatMap(patternsOf);
  const weights = weightsOf(patterns, new Set(taught.map(intentOf)).size);
  const learnt = patterns.map((pattern) => learntPattern(pattern, weights[pattern.language]));
  return {
    patterns: learnt,
    names: [...new Set(taught.flatMap(({ name }) => name?.toLowerCase() ?? []))],
    bare: ofEach((language) => bareOf(learnt, language)),
    index: ofEach((language) => indexOf(learnt, language)),
    byLetter: ofEach((language) => byLetter(weights[language])),
    extraOf: (word, language) => {
      if (word === '') return 0;
      if (/\p{N}/u.test(word) || NEGATIONS.has(word)) return DECIDING;
      if (isParticle(word, language)) return PARTICLE;
      const isSmall = STOP_WORDS[language].has(word);
      const weight = weights[language].get(word) ?? (isSmall ? UNKNOWN_SMALL : UNKNOWN);
      return isSmall ? weight : Math.max(weight, LEAST_EXTRA);
    },
  };
}

function ofEach<Of>(of: (language: Language) => Of): Readonly<Record<Language, Of>> {
  return { en: of('en'), de: of('de') };
}

function intentOf({ tool, intent }: Taught): string {
  return `${tool} ${intent}`;
}

/** What a word tells about an intent: 1 for a word of one intent only, near 0 for a word of all. */
type Weights = ReadonlyMap<string, number>;

function weightsOf(patterns: readonly Pattern[], intents: number): Readonly<Record<Language, Weights>> {
  return ofEach((language) => {
    const known = new Map<string, Set<string>>();
    for (const { taught, elements } of patterns.filter((pattern) => pattern.language === language))
      for (const word of elements.flatMap((element) => ('words' in element ? element.words : [])))
        known.set(word, (known.get(word) ?? new Set()).add(intentOf(taught)));
    const weights = new Map<string, number>();
    for (const [word, { size }] of known) {
      const rarity = Math.log((intents + 1) / size) / Math.log(intents + 1);
      const small = STOP_WORDS[language].has(word) ? SMALL : 1;
      weights.set(word, Math.max(LEAST_WEIGHT, small * (0.3 + 0.7 * rarity)));
    }
    return weights;
  });
}

/** Of a choice, what its most telling word weighs. */
function learntPattern(pattern: Pattern, known: Weights): LearntPattern {
  const weights = pattern.elements.map((element) =>
    'words' in element && !element.optional ? Math.max(...element.words.map((word) => known.get(word) ?? 0)) : 0,
  );
  return { ...pattern, weights, all: weights.reduce((sum, weight) => sum + weight, 0) };
}

function indexOf(patterns: readonly LearntPattern[], language: Language): ReadonlyMap<string, readonly number[]> {
  const index = new Map<string, number[]>();
  for (const [at, pattern] of patterns.entries())
    if (pattern.language === language)
      for (const [element, it] of pattern.elements.entries())
        for (const word of 'words' in it ? it.words : []) {
          const places = index.get(word) ?? [];
          index.set(word, places);
          if (element < MOST_ELEMENTS && (pattern.weights[element] ?? 0) > 0) places.push(placeOf(at, element));
        }
  return index;
}

function bareOf(patterns: readonly LearntPattern[], language: Language): readonly number[] {
  return patterns.flatMap((pattern, at) => (pattern.all === 0 && pattern.language === language ? [at] : []));
}

function byLetter(weights: Weights): ReadonlyMap<string, readonly string[]> {
  return Map.groupBy(weights.keys(), (word) => word.charAt(0));
}

/** A pattern whose words are not there by this share is not laid over the sentence; */
const WORTH_A_LOOK = 0.55;
/** nor are more than these, the likeliest first. */
const MOST_LOOKS = 150;

/** The best match of each pattern that is worth a look. */
export function matches(
  view: Pick<View, 'tokens' | 'opening' | 'fits' | 'given'>,
  knowledge: Knowledge,
): readonly Match[] {
  const { tokens, fits, given } = view;
  return LANGUAGES.flatMap((language) => {
    const fillable = new Map<string, boolean>();
    /** Whether any stretch of the sentence can fill the gap: most patterns with typed gaps need no closer look. */
    const canFill = (slot: string) => {
      const known = fillable.get(slot) ?? fillsAnywhere((from, to) => fits(slot, [from, to], language), tokens.length);
      fillable.set(slot, known);
      return known;
    };
    const likes = likenessesOf(tokens, knowledge, language);
    const asking = askingAt(view, language);
    const extra = tokens.map(({ word }, at) => (at === asking ? DECIDING : knowledge.extraOf(word, language)));
    return [...knowledge.bare[language], ...candidates(likes, knowledge, language)].flatMap((at) => {
      const pattern = knowledge.patterns[at];
      if (!pattern?.elements.every((it) => !('slot' in it) || given.has(it.slot) || canFill(it.slot))) return [];
      return align({ extra, pattern, likes, fits, given }) ?? [];
    });
  });
}

function fillsAnywhere(fits: (from: number, to: number) => boolean, length: number): boolean {
  for (let from = 0; from < length; from += 1)
    for (let to = from + 1; to <= length; to += 1) if (fits(from, to)) return true;
  return false;
}

/** The patterns that share the most with the sentence, by their index. */
function candidates(likes: Likes, { patterns, index }: Knowledge, language: Language): readonly number[] {
  const there = new Float64Array(patterns.length);
  const counted = new Uint32Array(patterns.length);
  const touched: number[] = [];
  for (const word of likes.keys())
    for (const place of index[language].get(word) ?? []) {
      const element = place % (MOST_ELEMENTS + 1);
      const at = (place - element) / (MOST_ELEMENTS + 1);
      const known = counted[at] ?? 0;
      if ((known >>> element) & 1) continue;
      if (known === 0) touched.push(at);
      counted[at] = known | (1 << element);
      there[at] = (there[at] ?? 0) + (patterns[at]?.weights[element] ?? 0);
    }
  const rankOf = (at: number) => ((there[at] ?? 0) / (patterns[at]?.all ?? 1)) * (1 + (there[at] ?? 0));
  return touched
    .filter((at) => (there[at] ?? 0) >= WORTH_A_LOOK * (patterns[at]?.all ?? 0))
    .sort((a, b) => rankOf(b) - rankOf(a))
    .slice(0, MOST_LOOKS);
}

function likenessesOf(tokens: readonly Token[], { index, byLetter }: Knowledge, language: Language): Likes {
  const likes = new Map<string, Map<number, number>>();
  const note = (word: string, at: number, like: number) => {
    const known = likes.get(word) ?? new Map<number, number>();
    likes.set(word, known.set(at, like));
  };
  for (const [at, { word }] of tokens.entries()) {
    if (index[language].has(word)) note(word, at, 1);
    // What is a word of its own is no slip of another.
    else if (!STOP_WORDS[language].has(word))
      for (const known of byLetter[language].get(word.charAt(0)) ?? []) {
        const like = likeness(word, known);
        if (like > 0) note(known, at, like);
      }
  }
  return likes;
}
