/** The languages whose words are known here. */
export type Language = 'en' | 'de';

/** One spelling for all: lower case, and umlauts as people write them whose keyboard has none. */
export function fold(word: string): string {
  return word
    .toLowerCase()
    .replaceAll('’', "'")
    .replaceAll('ä', 'ae')
    .replaceAll('ö', 'oe')
    .replaceAll('ü', 'ue')
    .replaceAll('ß', 'ss');
}

/** A group of a regular expression that takes any of these words, and no shorter one where a longer one stands. */
export function oneOf(...lists: readonly Iterable<string>[]): string {
  const words = lists.flatMap((list) => [...list]).sort((a, b) => b.length - a.length);
  return `(?:${words.join('|')})`;
}

/** A day of the week or a month. */
export interface Named {
  /** As it is shown: `Tuesday`. */
  readonly name: string;
  /** What else it is called, the name among it; folded. */
  readonly names: readonly string[];
  /** Folded, without the dot behind them. */
  readonly short: readonly string[];
}

/** Read `Samstag Sonnabend: Sa; ...`: names, and behind a colon their short forms. */
export function readNames(text: string): readonly Named[] {
  const wordsOf = (words: string) => words.split(/\s+/u).filter((word) => word !== '');
  return text.split(';').map((entry) => {
    const [names = '', short = ''] = entry.split(':');
    const [name = ''] = wordsOf(names);
    return { name, names: wordsOf(fold(names)), short: wordsOf(fold(short)) };
  });
}
