import { exactSum } from '../../quantities/exact-sum.ts';
import { readNumber, showNumber } from '../../quantities/numbers.ts';
import { unitCalled } from '../../quantities/units.ts';
import { daysApart } from '../../when/days.ts';
import { monthNumber } from '../../words/months.ts';

const DAY_SECONDS = 86_400;
/** How far a sum may be off to be taken for one that was meant; anything else is another figure. */
const NEAR = 0.3;
/** Of so many amounts all partial sums are tried. */
const MOST_PARTS = 12;
const COUNTED = /(?<![\d.,:/-])(\d{1,5}) (\p{L}+)/gu;
const ISO = /(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)/gu;
const DAY_FIRST = /(?<!\d)(\d{1,2})(?:st|nd|rd|th|\.)? (?:of )?(\p{L}{3,9})\.?,? (\d{4})(?!\d)/gu;
const MONTH_FIRST = /(?<!\p{L})(\p{L}{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})(?!\d)/gu;
const NUMERIC = /(?<!\d)(\d{1,2})\.(\d{1,2})\.(\d{4})(?!\d)/gu;
const AMOUNT = /(?:(\p{Sc}|\b[A-Z]{3}) ?)?(?<![\d.,:/-])(\d+(?:[.,'’]\d+)*)(?![\d:/-])(?: ?(\p{Sc}|\p{L}+))?/gu;

/** What is computed from, and what is known already. */
export interface Figures {
  readonly known: ReadonlySet<number>;
  /** `2026-11-26` */
  readonly today: string;
}

/**
 * A number of days in an answer that neither a result nor two dates beside it give. One more or less is another way to
 * count.
 *
 * @returns what the dates give; undefined where there is nothing to say.
 */
export function wrongDays(answer: string, { known, today }: Figures): string | undefined {
  const dates = [...new Set(datesIn(answer))].sort();
  if (dates.length === 0 || dates.length > 4) return undefined;
  const ends = dates.length === 1 ? [...dates, today].sort() : dates;
  const pairs = ends.flatMap((from, at) => ends.slice(at + 1).map((to) => ({ from, to, days: daysApart(from, to) })));
  const spans =
    dates.length === 1 ? pairs : [...pairs, ...dates.map((date) => ({ days: Math.abs(daysApart(today, date)) }))];
  for (const [, figure = '', unit = ''] of answer.matchAll(COUNTED)) {
    const days = Number(figure);
    const isDays = unitCalled(unit)?.meanings.some(({ kind, is }) => kind === 'time' && is === DAY_SECONDS);
    if (!isDays || days < 2 || known.has(days) || spans.some((span) => Math.abs(span.days - days) <= 1)) continue;
    const parts = pairs.map(({ from, to, days: right }) => `from ${from} to ${to} are ${right} days`);
    return `You wrote "${figure} ${unit}", but ${parts.join(', ')}.`;
  }
  return undefined;
}

/**
 * A sum in an answer that differs from that of the amounts beside it, all of which the results hold.
 *
 * @returns the sum and its parts; undefined where there is nothing to say.
 */
export function wrongSum(answer: string, { known }: Pick<Figures, 'known'>): string | undefined {
  for (const [unit, amounts] of amountsByUnit(answer)) {
    const others = amounts.filter((amount) => known.has(amount));
    const [total, ...more] = [...new Set(amounts.filter((amount) => !known.has(amount)))];
    if (total === undefined || more.length > 0 || others.length < 2) continue;
    const right = exactSum(others);
    if (Math.abs(total - right) > NEAR * right || isMadeOf(total, others)) continue;
    const parts = others.map((each) => showNumber(each)).join(' + ');
    return `You wrote "${showNumber(total)} ${unit}", but ${parts} is ${showNumber(right)}.`;
  }
  return undefined;
}

/** A sum of some of the amounts, or the difference of two. */
function isMadeOf(total: number, amounts: readonly number[]): boolean {
  const same = (value: number) => Math.abs(value - total) < 0.005;
  if (amounts.some((a) => amounts.some((b) => same(a - b)))) return true;
  if (amounts.length > MOST_PARTS) return same(exactSum(amounts));
  let sums = [0];
  for (const amount of amounts) sums = [...sums, ...sums.map((sum) => sum + amount)];
  return sums.some(same);
}

/** The amounts of an answer by their unit, with a currency in front or any word behind it. */
function amountsByUnit(answer: string): ReadonlyMap<string, number[]> {
  const groups = new Map<string, number[]>();
  for (const [, before, written = '', behind = ''] of answer.matchAll(AMOUNT)) {
    const unit = before ?? (unitCalled(behind) ? behind : undefined);
    if (unit === undefined || unitCalled(unit)?.meanings.some(({ kind }) => kind === 'time')) continue;
    // Three digits behind a single mark are ambiguous: both readings would have to be tried.
    groups.set(unit, [...(groups.get(unit) ?? []), readNumber(written, /,\d{1,2}$/u.test(written) ? 'de' : 'en')]);
  }
  return groups;
}

/** The dates with a year of a text, as `2026-11-01`. */
export function datesIn(text: string): string[] {
  const named = [
    ...[...text.matchAll(DAY_FIRST)].map(([, day, month, year]) => dateOf(year, monthNumber(month ?? ''), day)),
    ...[...text.matchAll(MONTH_FIRST)].map(([, month, day, year]) => dateOf(year, monthNumber(month ?? ''), day)),
    ...[...text.matchAll(NUMERIC)].map(([, day, month, year]) => dateOf(year, Number(month), day)),
  ];
  return [...(text.match(ISO) ?? []), ...named].filter((date) => date !== undefined).filter(isDate);
}

function dateOf(year: string | undefined, month: number | undefined, day: string | undefined): string | undefined {
  return month === undefined ? undefined : `${year}-${String(month).padStart(2, '0')}-${(day ?? '').padStart(2, '0')}`;
}

function isDate(date: string): boolean {
  try {
    daysApart(date, date);
    return true;
  } catch {
    return false;
  }
}
