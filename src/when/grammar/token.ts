/** What a word can stand for in words of time. A word may have several senses: "second" is a unit and an ordinal. */
export type Kind =
  | 'weekday'
  | 'weekdays'
  | 'month'
  | 'unit'
  | 'working'
  | 'number'
  | 'tens'
  | 'article'
  | 'couple'
  | 'ordinal'
  | 'first'
  | 'last'
  | 'next'
  | 'coming'
  | 'this'
  | 'part'
  | 'moment'
  | 'relative'
  | 'tonight'
  | 'every'
  | 'other'
  | 'adverb'
  | 'in'
  | 'at'
  | 'on'
  | 'the'
  | 'of'
  | 'and'
  | 'comma'
  | 'dash'
  | 'slash'
  | 'until'
  | 'from'
  | 'between'
  | 'half'
  | 'halfTo'
  | 'quarter'
  | 'past'
  | 'before'
  | 'half-day'
  | 'oclock'
  | 'ago'
  | 'now'
  | 'end'
  | 'except'
  | 'once'
  | 'often'
  | 'fold'
  | 'vague'
  | 'greeting'
  | 'filler'
  | 'approx'
  | 'holiday'
  | 'iso'
  | 'dotted'
  | 'slashed'
  | 'clock'
  | 'minutes';

/** One sense of a word. */
export interface Sense {
  readonly is: Kind;
  /** Its number: which weekday, how many, which minute of the day. */
  readonly n: number;
  /** Which unit, part of the day or the like. */
  readonly name: string;
}

/** A word, number or sign of a sentence with its place. */
export interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly senses: readonly Sense[];
  /** It speaks of time wherever it stands: one that no rule used has to be asked about. */
  readonly ofTime: boolean;
}

export type Language = 'en' | 'de';

/** Words by their folded spelling. */
export interface Lexicon {
  readonly language: Language;
  readonly words: ReadonlyMap<string, readonly Sense[]>;
  /** Words that tell the language and nothing about time. */
  readonly telling: ReadonlySet<string>;
  /** Days with a name of their own, as words separated by blanks, with month and day. */
  readonly holidays: ReadonlyMap<string, readonly [number, number]>;
  /** Ordinary words that are one letter away from a word of time. */
  readonly ordinary: ReadonlySet<string>;
}

/** A row of a lexicon: what the words are, their number and name, and the words. */
export type Row = readonly [is: Kind, n: number, name: string, words: string];

/** One spelling for all: lower case, and umlauts as people without them on their keyboard write them. */
export function fold(word: string): string {
  return word
    .toLowerCase()
    .replaceAll('’', "'")
    .replaceAll('ä', 'ae')
    .replaceAll('ö', 'oe')
    .replaceAll('ü', 'ue')
    .replaceAll('ß', 'ss');
}

/** Rows by word. */
export function lexiconOf(
  language: Language,
  data: {
    rows: readonly Row[];
    telling: string;
    ordinary: string;
    holidays: readonly (readonly [string, number, number])[];
  },
): Lexicon {
  const words = new Map<string, Sense[]>();
  for (const [is, n, name, list] of data.rows)
    for (const word of list.split(' ')) {
      const key = fold(word);
      words.set(key, [...(words.get(key) ?? []), { is, n, name }]);
    }
  return {
    language,
    words,
    telling: new Set(data.telling.split(/\s+/u).map(fold)),
    ordinary: new Set(data.ordinary.split(/\s+/u).map(fold)),
    holidays: new Map(data.holidays.map(([name, month, day]) => [fold(name), [month, day]])),
  };
}
