import { addToDate, daysBetween, localDate, sayHoursBetween, workdaysBetween } from '../../when/calendar.ts';
import type { UserRequest } from '../request.ts';

export const WORKING = /work|business|weekdays|arbeit|werk/iu;

/** `298 days`; with the unit `weeks` also `2 weeks and 3 days`. */
export function count(from: Date, to: Date, unit: string | undefined, { timeZone, in: either }: UserRequest): string {
  const days = Math.abs(daysBetween(from, to, timeZone));
  const plural = (amount: number, [one, many]: readonly [string, string]) => `${amount} ${amount === 1 ? one : many}`;
  const inDays = plural(days, [either('day', 'Tag'), either('days', 'Tage')]);
  const asked = unit?.toLowerCase() ?? '';
  if (WORKING.test(asked)) {
    const amount = workdaysBetween(from, to, timeZone);
    const names = [either('working day', 'Arbeitstag'), either('working days', 'Arbeitstage')] as const;
    const meant = either('Monday to Friday, holidays not left out', 'Montag bis Freitag, Feiertage nicht abgezogen');
    return `${plural(amount, names)} (${meant})`;
  }
  if (/^(?:month|monat|year|jahr)/u.test(asked))
    return inMonths(from, to, /^(?:year|jahr)/u.test(asked), { inDays, timeZone, either, plural });
  if (!/^(?:week|woche)/u.test(asked) || days < 7) return inDays;
  const weeks = plural(Math.floor(days / 7), [either('week', 'Woche'), either('weeks', 'Wochen')]);
  const rest = days % 7;
  return rest === 0
    ? weeks
    : `${weeks} ${either('and', 'und')} ${plural(rest, [either('day', 'Tag'), either('days', 'Tage')])}`;
}

function inMonths(
  from: Date,
  to: Date,
  years: boolean,
  {
    inDays,
    timeZone,
    either,
    plural,
  }: {
    inDays: string;
    timeZone: string;
    either: UserRequest['in'];
    plural: (amount: number, names: readonly [string, string]) => string;
  },
): string {
  const [a, b] = from < to ? [from, to] : [to, from];
  const [yearA, monthA, yearB, monthB] = [a, b].flatMap((at) => localDate(at, timeZone).split('-', 2).map(Number));
  const apart = (Number(yearB) - Number(yearA)) * 12 + Number(monthB) - Number(monthA);
  // By their dates: in the afternoon it is still two months until a day of the same number.
  const daysAfter = (amount: number) => daysBetween(addToDate(a, amount, { unit: 'month', timeZone }), b, timeZone);
  const months = daysAfter(apart) >= 0 ? apart : apart - 1;
  const amount = years ? Math.floor(months / 12) : months;
  if (amount === 0) return inDays;
  const rest = daysAfter(years ? amount * 12 : months);
  const names = years
    ? [either('year', 'Jahr'), either('years', 'Jahre')]
    : [either('month', 'Monat'), either('months', 'Monate')];
  const whole = plural(amount, names as [string, string]);
  return rest === 0
    ? whole
    : `${whole} ${either('and', 'und')} ${plural(rest, [either('day', 'Tag'), either('days', 'Tage')])}`;
}

/** Of a day that lies behind, how long ago it was; undefined of today and what is to come. */
export function sayAgo(at: Date, unit: string | undefined, request: UserRequest): string | undefined {
  const { now, timeZone, saying, in: either } = request;
  if (daysBetween(now, at, timeZone) >= 0) return undefined;
  const amount = count(at, now, unit, request);
  return either(`${saying.day(at)} was ${amount} ago.`, `${saying.day(at)} ist ${amount} her.`);
}

export function sayHours(a: Date, b: Date, { in: either }: UserRequest): string {
  const said = sayHoursBetween(a, b);
  const german = said.replace(/hour|minute/gu, (unit) => (unit === 'hour' ? 'Stunde' : 'Minute'));
  return either(said, german.replace(/(?<=Stunde|Minute)s/gu, 'n').replace(' and ', ' und '));
}
