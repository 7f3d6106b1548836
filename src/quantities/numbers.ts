import type { Language } from '../words/spelling.ts';

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
