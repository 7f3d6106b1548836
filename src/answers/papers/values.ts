/** The amounts and days in the words of letters, bills and receipts. */
import { pattern } from '../../base/pattern.ts';
import { CURRENCIES, FORM_WORDS } from '../../words/forms.ts';
import { MONTHS, monthNumber } from '../../words/months.ts';
import { fold, oneOf } from '../../words/spelling.ts';
import { anyWeekday } from '../../words/weekdays.ts';

/** `1.234,56`; there are always two digits behind the last mark, which is the decimal one. Source of an expression. */
export const AMOUNT = String.raw`(?<!\d|\d[.,])\d{1,3}(?:(?:[.,' ]\d{3})+|\d*)[.,]\d{2}(?!\d|[.,]\d)`;
const AMOUNTS = pattern('gu', AMOUNT);
/** `28.11.`: a day, unless a currency says otherwise. */
const DAY_LIKE = /^(?:[012]?\d|3[01])\.(?:0\d|1[0-2])$/u;

const MONTH = oneOf(
  Object.values(MONTHS)
    .flat()
    .flatMap(({ names, short }) => [...names, ...short]),
);
const YEAR = String.raw`(?:19|20)\d\d`;
/** Each with the year that may be missing: `?`, or nothing. */
const datesOf = (missing: '' | '?') =>
  [
    String.raw`(?<y1>${YEAR})-(?<m1>\d\d)-(?<d1>\d\d)`,
    String.raw`(?<d2>\d{1,2})(?:\. ?(?<m2>\d{1,2})\.|/(?<m5>\d{1,2})/) ?(?<y2>${YEAR})${missing}`,
    String.raw`(?<d3>\d{1,2})(?:\.|st|nd|rd|th)? (?<n3>${MONTH})(?!\p{L})\.?(?: (?<y3>${YEAR}))${missing}`,
    String.raw`(?<n4>${MONTH})(?!\p{L})\.? (?<d4>\d{1,2})(?:st|nd|rd|th)?(?:,? (?<y4>${YEAR}))${missing}`,
  ].join('|');
const DATE = pattern('iu', String.raw`(?<!\d)(?:${datesOf('')})(?!\d)`);
const DUE_DATE = pattern('iu', String.raw`^(?:${datesOf('?')})(?!\d)`);
const DUE = pattern(
  'giu',
  String.raw`(?<!\p{L})(?:${fold(
    Object.values(FORM_WORDS)
      .map(({ by }) => by)
      .join('|'),
  )})`,
  `:?(?: the)?(?: ${anyWeekday},?(?: the| dem)?)? (?=(?<rest>[^]{4,40}))`,
);

/** The amounts in a text, as they are written. */
export function amountsIn(text: string): readonly string[] {
  return [...text.matchAll(AMOUNTS)].flatMap(({ 0: amount, index }) => {
    const behind = text.slice(index + amount.length);
    return DAY_LIKE.test(amount) && behind.startsWith('.') && behind.length > 1 ? [] : [amount];
  });
}

/** In its currency. */
export function amountOf(written: string): number {
  return Number(`${written.slice(0, -3).replace(/\D/gu, '')}.${written.slice(-2)}`);
}

/** The code of the only currency that a text names. */
export function currencyIn(text: string): string | undefined {
  const named = Object.entries(CURRENCIES).filter(([, signs]) =>
    pattern('u', String.raw`(?<!\p{L})(?:${signs})(?!\p{L})`).test(text),
  );
  return named.length === 1 ? named[0]?.[0] : undefined;
}

/** The date behind "by", with or without a year, folded as it is written; undefined where a text has none. */
export function dueDateIn(text: string): string | undefined {
  const rests = [...fold(text).matchAll(DUE)].map(({ groups }) => groups?.rest ?? '');
  return rests.flatMap((rest) => DUE_DATE.exec(rest)?.[0] ?? [])[0];
}

/** The first date in a text, as `2026-12-18`. */
export function dayIn(text: string): string | undefined {
  const { year, month, day } = partsOf(DATE.exec(fold(text))?.groups) ?? {};
  return year === undefined ? undefined : `${year}-${month}-${day}`;
}

/**
 * The day that a text from `dueDateIn` means.
 *
 * @param since  `2026-11-03`, when it was written: without a year the first such day from then on is meant.
 */
export function dueDayIn(text: string, since: string | undefined): string | undefined {
  const { year, month, day } = partsOf(DUE_DATE.exec(text)?.groups) ?? {};
  if (month === undefined) return undefined;
  if (year !== undefined || since === undefined) return year && `${year}-${month}-${day}`;
  const first = `${since.slice(0, 4)}-${month}-${day}`;
  return first >= since ? first : `${Number(since.slice(0, 4)) + 1}-${month}-${day}`;
}

/** Month and day have two digits. */
function partsOf(groups: Readonly<Record<string, string | undefined>> | undefined) {
  if (!groups) return undefined;
  const part = (name: string) =>
    ['1', '2', '3', '4', '5'].map((form) => groups[name + form]).find((each) => each !== undefined);
  const name = part('n');
  const month = name === undefined ? Number(part('m')) : (monthNumber(name) ?? 0);
  const day = Number(part('d'));
  if (month < 1 || month > 12 || day < 1 || day > 31) return undefined;
  const digits = (number: number) => String(number).padStart(2, '0');
  return { year: part('y'), month: digits(month), day: digits(day) };
}
