import { type Language, oneOf } from './spelling.ts';

/** Zero to nineteen, and the tens from twenty on. */
const ENGLISH = {
  ones: `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen`.split(/\s+/u),
  tens: 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' '),
};
const GERMAN = {
  ones: `null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn
   siebzehn achtzehn neunzehn`.split(/\s+/u),
  tens: 'zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig'.split(' '),
};

type Values = ReadonlyMap<string, number>;

const onesOf = ({ ones }: typeof ENGLISH) => ones.map((word, value) => [word, value] as const);
const tensOf = ({ tens }: typeof ENGLISH) => tens.map((word, index) => [word, (index + 2) * 10] as const);
/** In German the ones come first: `einundzwanzig`. */
const JOINED = tensOf(GERMAN).flatMap(([ten, base]) =>
  onesOf(GERMAN)
    .slice(1, 10)
    .map(([one, value]) => [`${value === 1 ? 'ein' : one}und${ten}`, base + value] as const),
);

/** Single words for numbers below a hundred; English combines two words for most numbers above twenty. */
export const NUMBER_WORDS: Readonly<Record<Language, Values>> = {
  en: new Map([...onesOf(ENGLISH), ...tensOf(ENGLISH)]),
  de: new Map([...onesOf(GERMAN), ...tensOf(GERMAN), ...JOINED]),
};

/** `zweieinhalb`. */
export const GERMAN_HALVES: Values = new Map([
  ['anderthalb', 1.5],
  ...onesOf(GERMAN)
    .slice(1, 11)
    .map(([one, value]) => [`${value === 1 ? 'ein' : one}einhalb`, value + 0.5] as const),
]);

/** Ordinals from 1 on; in German without their endings. */
export const ORDINALS: Readonly<Record<Language, readonly string[]>> = {
  en: 'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(' '),
  de: 'erst zweit dritt viert fünft sechst'.split(' '),
};

/** Words that multiply the number before them. */
const SCALES: Values = new Map([
  ...([
    ['hundred', 100],
    ['thousand', 1000],
    ['million', 1e6],
    ['billion', 1e9],
  ] as const),
  ...([
    ['hundert', 100],
    ['tausend', 1000],
    ['millionen', 1e6],
    ['milliarden', 1e9],
  ] as const),
]);

/** Source of a regular expression that matches number words in a range. In German, "ein" and "eine" are 1 as well. */
export function numberWord(language: Language, from: number, to: number): string {
  return oneOf([...NUMBER_WORDS[language]].flatMap(([word, value]) => (value >= from && value <= to ? [word] : [])));
}

const VALUES: Values = new Map([...NUMBER_WORDS.en, ...NUMBER_WORDS.de]);

/** "two hundred five" becomes 205; other words are kept. */
export function wordsToDigits(text: string): string {
  const out: string[] = [];
  // "Two thousand three hundred": the part that a thousand or more has completed, and the part after it.
  let whole: number | undefined;
  let part: number | undefined;
  const flush = () => {
    if (whole !== undefined || part !== undefined) out.push(String((whole ?? 0) + (part ?? 0)));
    whole = undefined;
    part = undefined;
  };
  for (const word of text.split(/(?<=[a-z])-(?=[a-z])|\s+/u)) {
    const scale = SCALES.get(word.toLowerCase());
    const value = VALUES.get(word.toLowerCase()) ?? compound(word.toLowerCase());
    if (value !== undefined) {
      if (part === undefined ? value === 0 : !fits(part, value)) flush();
      part = (part ?? 0) + value;
    } else if (scale === undefined) {
      flush();
      out.push(word);
    } else {
      const written = whole === undefined && part === undefined && /^\d+(?:[.,]\d+)?$/u.test(out.at(-1) ?? '');
      if (written) part = Number(out.pop()?.replace(',', '.'));
      if (part === undefined) {
        if (whole === undefined) out.push(word);
        else whole *= scale;
      } else if (scale === 100) part *= scale;
      else {
        whole = (whole ?? 0) + part * scale;
        part = undefined;
      }
    }
  }
  flush();
  return out.join(' ');
}

/** `twenty` takes a `five`, `two hundred` takes `forty`: a smaller number fills the zeros of a larger one. */
function fits(current: number, value: number): boolean {
  return current !== 0 && value !== 0 && current % 10 ** String(value).length === 0;
}

/** "zweihundertfünfzig", "dreitausend": one word in German; undefined for words that are no number. */
function compound(word: string): number | undefined {
  const [, before = '', scale = '', behind = ''] = /^(\p{L}*?)(tausend|hundert)(?:und)?(\p{L}*)$/u.exec(word) ?? [];
  if (scale === '' || before + behind === '') return undefined;
  const value = (part: string, none: number) =>
    part === '' ? none : part === 'ein' ? 1 : (VALUES.get(part) ?? compound(part));
  const [times, more] = [value(before, 1), value(behind, 0)];
  return times === undefined || more === undefined ? undefined : times * (SCALES.get(scale) ?? 1) + more;
}

const HALF_WORDS = new RegExp(`(?<!\\p{L})${oneOf(GERMAN_HALVES.keys())}(?!\\p{L})`, 'giu');
const SCALE = oneOf(SCALES.keys());
const AND = new RegExp(`(?<=(?:hundred|thousand)) and (?=${oneOf(NUMBER_WORDS.en.keys())}(?!\\p{L}))`, 'giu');
const ALONE = new RegExp(`(?<![\\p{L}\\d.,] ?)(?:an? |eine? )?(?=${SCALE}(?!\\p{L}))`, 'giu');

/** All number words of a text as figures: "a hundred and five" is 105, "anderthalb" 1.5, "zweihundertzehn" 210. */
export function figuresFor(text: string): string {
  const halves = text.replace(HALF_WORDS, (word) => String(GERMAN_HALVES.get(word.toLowerCase())));
  // A mark behind a word is none of it.
  const apart = halves.replace(/(?<=\p{L})(?=[,;:()])|(?<=[(])(?=\p{L})/gu, ' ');
  return wordsToDigits(apart.replace(AND, ' ').replace(ALONE, 'one '));
}
