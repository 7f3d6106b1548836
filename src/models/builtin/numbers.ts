import { NUMBER_WORDS } from '../../base/number-words.ts';
import type { Language } from '../../when/say.ts';

const EINER = 'null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn'.split(
  ' ',
);
const ZEHNER = 'zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig'.split(' ');

/** The German words of one number each, below a hundred. */
function germanWords(): [string, number][] {
  const ones = [...EINER, 'sechzehn', 'siebzehn', 'achtzehn', 'neunzehn'];
  const tens = ZEHNER.flatMap((ten, index): [string, number][] => {
    const base = (index + 2) * 10;
    const joined = ones.slice(1, 10).map((one, unit): [string, number] => {
      return [`${one === 'eins' ? 'ein' : one}und${ten}`, base + unit + 1];
    });
    return [[ten, base], ...joined];
  });
  return [...ones.map((word, value): [string, number] => [word, value]), ...tens];
}

const VALUES: ReadonlyMap<string, number> = new Map([...NUMBER_WORDS, ...germanWords()]);
/** Words that multiply what stands before them. */
const SCALES: ReadonlyMap<string, number> = new Map([
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

/**
 * A number as people write it: `1,250.50`, `1.250,50`, `1 250`, `42,50`. A single mark is the decimal one unless three
 * digits follow and the language groups with it.
 */
export function readNumber(written: string, language: Language): number {
  // A comma behind it belongs to the sentence: "from 34 to 37.40, what is that".
  const text = written.replace(/[\s'’_](?=\d)|[.,]$/gu, '');
  const [dot, comma] = [text.lastIndexOf('.'), text.lastIndexOf(',')];
  if (dot >= 0 && comma >= 0) return Number(dot > comma ? text.replaceAll(',', '') : decimalComma(text));
  const mark = dot >= 0 ? '.' : ',';
  if (dot < 0 && comma < 0) return Number(text);
  const grouped = /^-?[1-9]\d{0,2}(?:[.,]\d{3})+$/u.test(text);
  const groups = grouped && (text.split(mark).length > 2 || (language === 'de' ? mark === '.' : mark === ','));
  if (groups) return Number(text.replaceAll(mark, ''));
  return Number(mark === ',' ? decimalComma(text) : text);
}

const decimalComma = (text: string) => text.replaceAll('.', '').replace(',', '.');

/** At most 12 significant digits, thousands unmarked, with the decimal mark of the language. */
export function showNumber(value: number, language: Language = 'en'): string {
  const rounded = Number(value.toPrecision(12));
  const far = Math.abs(rounded) >= 1e15 || (rounded !== 0 && Math.abs(rounded) < 1e-6);
  const digits = far ? String(rounded) : rounded.toFixed(10).replace(/\.?0+$/u, '');
  return language === 'de' ? digits.replace('.', ',') : digits;
}

/** An amount of money: two decimals, unless there are none. */
export function showMoney(value: number, language: Language): string {
  const rounded = Math.round((value + Number.EPSILON) * 100) / 100;
  const digits = Number.isInteger(rounded) ? String(rounded) : rounded.toFixed(2);
  return language === 'de' ? digits.replace('.', ',') : digits;
}
