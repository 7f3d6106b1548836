/** The languages whose words are known here. */
export type Language = 'en' | 'de';

/** One spelling for all: lower case, and umlauts as typed on a keyboard without them. */
export function fold(word: string): string {
  return word
    .toLowerCase()
    .replaceAll('’', "'")
    .replaceAll('ä', 'ae')
    .replaceAll('ö', 'oe')
    .replaceAll('ü', 'ue')
    .replaceAll('ß', 'ss');
}

/** A regular expression group that matches any of these words, preferring the longest. */
export function oneOf(...lists: readonly Iterable<string>[]): string {
  const words = lists.flatMap((list) => [...list]).sort((a, b) => b.length - a.length);
  return `(?:${words.join('|')})`;
}

/** A day of the week or a month. */
export interface Named {
  /** As shown: `Tuesday`. */
  readonly name: string;
  /** All its names, including `name`, folded. */
  readonly names: readonly string[];
  /** Abbreviations, folded, without their dot. */
  readonly short: readonly string[];
}

/** Read `Samstag Sonnabend: Sa; ...`: names, then a colon and their short forms. */
export function readNames(text: string): readonly Named[] {
  const wordsOf = (words: string) => words.split(/\s+/u).filter((word) => word !== '');
  return text.split(';').map((entry) => {
    const [names = '', short = ''] = entry.split(':');
    const [name = ''] = wordsOf(names);
    return { name, names: wordsOf(fold(names)), short: wordsOf(fold(short)) };
  });
}
