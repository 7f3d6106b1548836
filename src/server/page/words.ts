import { kept } from './kept.ts';
import { WORDS } from './words.data.ts';

export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];
export type Word = keyof (typeof WORDS)['en'];

/** What the owner chose in this browser, else the browser's own, else English. */
export const language: Language =
  LANGUAGES.find((each) => each === kept('language')) ??
  LANGUAGES.find((each) => navigator.language.startsWith(each)) ??
  'en';

const plurals = new Intl.PluralRules(language);

/** A text in the language of the page; `{name}` stands for a value, and `one|other` is chosen by `n`. */
export function t(word: Word, values: Readonly<Record<string, string | number>> = {}): string {
  const [one = '', other = one] = WORDS[language][word].split('|');
  const said = typeof values.n === 'number' && plurals.select(values.n) === 'one' ? one : other;
  return said.replace(/\{(\w+)\}/gu, (whole, name: string) => String(values[name] ?? whole));
}
