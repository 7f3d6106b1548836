import { MONTHS } from '../../words/months.ts';
import { fold, type Language, type Named } from '../../words/spelling.ts';
import { TIME_UNITS } from '../../words/units.ts';
import { WEEKDAYS } from '../../words/weekdays.ts';

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
  | 'set'
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
  /** A number: which weekday, how many, which minute of the day. */
  readonly n: number;
  /** A name: which unit, part of the day and so on. */
  readonly name: string;
}

/** A word, number or sign of a sentence, with its position. */
export interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly senses: readonly Sense[];
  /** It always refers to time, so if no rule uses it, the person has to be asked. */
  readonly ofTime: boolean;
}

/** Words by their folded spelling. */
export interface Lexicon {
  readonly language: Language;
  readonly words: ReadonlyMap<string, readonly Sense[]>;
  /** Words that give away the language but say nothing about time. */
  readonly telling: ReadonlySet<string>;
  /** Days with a proper name, as words separated by blanks, with month and day. */
  readonly holidays: ReadonlyMap<string, readonly [number, number]>;
  /** Ordinary words that are one letter away from a word of time. */
  readonly ordinary: ReadonlySet<string>;
}

/** A row of a lexicon: the kind of the words, their number and name, and the words. */
export type Row = readonly [is: Kind, n: number, name: string, words: string];

/** Rows for the days of the week, the months and the units of time. */
function namesOfTime(language: Language): Row[] {
  const all = ({ names, short }: Named) => [...names, ...short].join(' ');
  return [
    ...WEEKDAYS[language].map((day, n): Row => ['weekday', n, '', all(day)]),
    ...WEEKDAYS[language].map(({ names }, n): Row => ['weekdays', n, '', names.map((name) => `${name}s`).join(' ')]),
    ...MONTHS[language].map((month, index): Row => ['month', index + 1, '', all(month)]),
    ...TIME_UNITS[language].map(({ n, unit, ...words }): Row => ['unit', n, unit, all(words)]),
  ];
}

/** Rows by word, the names of days, months and units among them. */
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
  for (const [is, n, name, list] of [...namesOfTime(language), ...data.rows])
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
