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
/** In German the ones stand in front: `einundzwanzig`. */
const JOINED = tensOf(GERMAN).flatMap(([ten, base]) =>
  onesOf(GERMAN)
    .slice(1, 10)
    .map(([one, value]) => [`${value === 1 ? 'ein' : one}und${ten}`, base + value] as const),
);

/** Words of one number each below a hundred; English puts those above twenty together of two. */
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

/** The first being 1; in German without their endings. */
export const ORDINALS: Readonly<Record<Language, readonly string[]>> = {
  en: 'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(' '),
  de: 'erst zweit dritt viert fünft sechst'.split(' '),
};

/** Words that multiply what stands before them. */
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

/** Source of a regular expression: a number in words from one to another. German says "ein" or "eine" for 1 as well. */
export function numberWord(language: Language, from: number, to: number): string {
  return oneOf([...NUMBER_WORDS[language]].flatMap(([word, value]) => (value >= from && value <= to ? [word] : [])));
}

const VALUES: Values = new Map([...NUMBER_WORDS.en, ...NUMBER_WORDS.de]);

/** "two hundred five" becomes 205; other words stay. */
export function wordsToDigits(text: string): string {
  const out: string[] = [];
  // "Two thousand three hundred": what a thousand or more has closed, and what stands behind it.
  let whole: number | undefined;
  let part: number | undefined;
  const flush = () => {
    if (whole !== undefined || part !== undefined) out.push(String((whole ?? 0) + (part ?? 0)));
    whole = undefined;
    part = undefined;
  };
  for (const word of text.split(/(?<=[a-z])-(?=[a-z])|\s+/u)) {
    const scale = SCALES.get(word.toLowerCase());
    const value = VALUES.get(word.toLowerCase());
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

/** `twenty` takes a `five`, `two hundred` takes `forty`: a smaller number in the empty places of a larger one. */
function fits(current: number, value: number): boolean {
  return current !== 0 && value !== 0 && current % 10 ** String(value).length === 0;
}
