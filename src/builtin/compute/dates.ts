import {
  addToDate,
  daysBetween,
  daysInMonth,
  isoWeek,
  localDate,
  startOfDay,
  workdaysBetween,
  yearsBetween,
} from '../../when/calendar.ts';
import { exactTime } from '../../when/find.ts';
import { sayings } from '../../when/say.ts';
import type { Language } from '../../words/spelling.ts';
import type { Asker, Computation, Computed } from '../computation.ts';
import { monthCalled, type Period, weekdaysCalled } from '../date-slots.ts';

type Input = Readonly<Record<string, unknown>>;

const NAMES: Readonly<Record<Period, Readonly<Record<Language, readonly [one: string, many: string]>>>> = {
  minute: { en: ['minute', 'minutes'], de: ['Minute', 'Minuten'] },
  hour: { en: ['hour', 'hours'], de: ['Stunde', 'Stunden'] },
  day: { en: ['day', 'days'], de: ['Tag', 'Tage'] },
  week: { en: ['week', 'weeks'], de: ['Woche', 'Wochen'] },
  month: { en: ['month', 'months'], de: ['Monat', 'Monate'] },
  year: { en: ['year', 'years'], de: ['Jahr', 'Jahre'] },
  'working day': { en: ['working day', 'working days'], de: ['Arbeitstag', 'Arbeitstage'] },
};

type Parts = readonly (readonly [n: number, period: Period])[];

/** "2 weeks and 3 days": parts of nothing are left out, unless there is nothing else. */
export function saySpan(parts: Parts, language: Language): string {
  const some = parts.filter(([n]) => n > 0);
  return (some.length > 0 ? some : parts.slice(-1))
    .map(([n, period]) => `${n} ${NAMES[period][language][n === 1 ? 0 : 1]}`)
    .join(language === 'de' ? ' und ' : ' and ');
}

/** Minutes as hours and minutes. */
export function inHours(minutes: number): Parts {
  return [
    [Math.floor(minutes / 60), 'hour'],
    [minutes % 60, 'minute'],
  ];
}

/** From one day to a later one, in whole units and the days that are left. */
function between(from: Date, to: Date, { period, timeZone }: { period: Period; timeZone: string }): Parts {
  const days = daysBetween(from, to, timeZone);
  if (period === 'working day') return [[workdaysBetween(from, to, timeZone), period]];
  if (period === 'hour' || period === 'minute') {
    const minutes = Math.round((to.getTime() - from.getTime()) / 60_000);
    return period === 'hour' ? inHours(minutes) : [[minutes, 'minute']];
  }
  if (period === 'day') return [[days, 'day']];
  if (period === 'week')
    return [
      [Math.floor(days / 7), 'week'],
      [days % 7, 'day'],
    ];
  const unit = period;
  const apart = Math.floor(days / (unit === 'year' ? 365 : 28));
  const left = (n: number) => daysBetween(addToDate(from, n, { unit, timeZone }), to, timeZone);
  // By their dates: in the afternoon it is still two months until a day of the same number.
  const whole = Array.from({ length: apart + 1 }, (_, back) => apart - back).find((n) => left(n) >= 0) ?? 0;
  return [
    [whole, unit],
    [left(whole), 'day'],
  ];
}

function timeIn(words: unknown, { timeZone, now }: Asker, from = now) {
  return words === undefined ? undefined : exactTime(String(words), { timeZone, now: from });
}

function dayIn(words: unknown, asker: Asker, from = asker.now): Date | undefined {
  return timeIn(words, asker, from)?.at;
}

/** From here on nobody thinks in days. */
const LONG_DAYS = 730;

/** "How many days until Christmas?"; of a day that has passed, how long ago it was. */
function until({ to, period }: Input, asker: Asker): Computed | undefined {
  const { day: that } = to === undefined ? asker.before() : {};
  const found = that ? { at: that, namesTime: false } : timeIn(to, asker);
  return found && distance(found, asker, { period, words: to });
}

/** The same, of a moment that is known. */
function distance(
  { at, namesTime }: { readonly at: Date; readonly namesTime: boolean },
  { timeZone, now, language }: Asker,
  { period: said, words }: { readonly period?: unknown; readonly words?: unknown },
): Computed {
  const period = said as Period | undefined;
  const days = daysBetween(now, at, timeZone);
  const came = { day: at };
  const isExact = (namesTime && (period === undefined || days === 0)) || period === 'hour' || period === 'minute';
  const values = { day: at.toISOString(), moment: words ?? at.toISOString() };
  if (isExact) {
    const parts = between(now, at, { period: period ?? 'hour', timeZone });
    const code = at < now ? 'ago' : 'hours';
    return { code, values: { ...values, span: saySpan(parts, language) }, came };
  }
  if (days === 0) return { code: 'today', values, came };
  const [from, to] = days < 0 ? [at, now] : [now, at];
  const asked = period ?? (Math.abs(days) > LONG_DAYS && days < 0 ? 'year' : 'day');
  const span = saySpan(between(from, to, { period: asked, timeZone }), language);
  const code = `${days < 0 ? 'ago' : ''}${asked === 'working day' ? ' working' : ''}`.trim();
  return { code, values: { ...values, span }, came };
}

/** "How long is it since 1 May?": the last one. */
function since({ from, period }: Input, asker: Asker): Computed | undefined {
  const { timeZone, now } = asker;
  const day = dayIn(from, asker);
  const week = weekdaysCalled(String(from));
  const unit = week.length > 0 ? 'week' : 'year';
  const at = day && day > now ? addToDate(day, -1, { unit, timeZone }) : day;
  return at && distance({ at, namesTime: false }, asker, { period });
}

/** "How many days from 1 March to 24 December?": the second day is read as seen from the first. */
function apart(input: Input, asker: Asker): Computed | undefined {
  const { timeZone, language } = asker;
  const period = (input.period ?? 'day') as Period;
  const said = shared(String(input.from), String(input.to));
  const first = timeIn(said.from, asker);
  // "9:30" stands for the morning here, whatever the time is now.
  const from = first?.namesTime ? timeIn(said.from, asker, startOfDay(first.at, timeZone)) : first;
  const to = from && timeIn(said.to, asker, from.at);
  if (!from || !to) return undefined;
  if (from.namesTime && to.namesTime) {
    const minutes = Math.round((to.at.getTime() - from.at.getTime()) / 60_000);
    return { code: 'hours', values: { span: saySpan(inHours(minutes), language) } };
  }
  const [a, b] = from.at <= to.at ? [from.at, to.at] : [to.at, from.at];
  // "From Monday to Friday" are five working days.
  const start = period === 'working day' ? addToDate(a, -1, { unit: 'day', timeZone }) : a;
  const span = saySpan(between(start, b, { period, timeZone }), language);
  const values = { from: from.at.toISOString(), to: to.at.toISOString(), span };
  return { code: period === 'working day' ? 'working' : '', values, came: { day: to.at } };
}

/** What two days say once: month and year in "1 and 18 December 2026", the month in "December 3 to 17". */
function shared(from: string, to: string): { readonly from: string; readonly to: string } {
  const alone = /^\D{0,4}\d{1,2}(?:st|nd|rd|th|\.)?$/u;
  const later =
    /(?<=\d(?:st|nd|rd|th)?\.? )(?:of )?(?:\p{L}{3,}\.?|\d{1,2}\.)(?: \d{4})?$|(?<=\d\.)\d{1,2}\.(?:\d{4})?$/u.exec(
      to,
    )?.[0];
  if (alone.test(from) && later !== undefined) return { from: `${from} ${later}`, to };
  const [earlier] = /^\p{L}{3,}(?= \d)/u.exec(from) ?? [];
  if (alone.test(to) && earlier !== undefined) return { from, to: `${earlier} ${to}` };
  const [year] = /(?<= )\d{4}$/u.exec(to) ?? [];
  return year !== undefined && /\p{L}/u.test(from) && !/\d{4}$/u.test(from)
    ? { from: `${from} ${year}`, to }
    : { from, to };
}

/** "What day is 3 weeks after 1 March?", "when is Easter 2027?" */
function dayOf({ day }: Input, asker: Asker): Computed | undefined {
  const at = day === undefined ? asker.before().day : dayIn(day, asker);
  return at && onDay(at);
}

/** That comes to a day. */
function onDay(
  at: Date,
  { code = '', ...values }: Readonly<Record<string, unknown>> & { code?: string } = {},
): Computed {
  return { code, values: { ...values, day: at.toISOString() }, came: { day: at } };
}

/** "10 working days after 1 March"; a step for each, so no more than a few years of them. */
function workdaysFrom({ n, day, before: isBefore }: Input, asker: Asker): Computed | undefined {
  const { timeZone } = asker;
  let at = day === undefined ? asker.now : dayIn(day, asker);
  let left = Number(n);
  if (!at || !Number.isInteger(left) || left < 0 || left > 2000) return undefined;
  for (const step = isBefore === true ? -1 : 1; left > 0; ) {
    at = addToDate(at, step, { unit: 'day', timeZone });
    if (new Date(`${localDate(at, timeZone)}T00:00:00Z`).getUTCDay() % 6 !== 0) left -= 1;
  }
  return onDay(at);
}

/** "Is 25 December a Monday?" */
function fallsOn({ day, weekday }: Input, asker: Asker): Computed | undefined {
  const at = dayIn(day, asker);
  if (!at) return undefined;
  const number = new Date(`${localDate(at, asker.timeZone)}T00:00:00Z`).getUTCDay();
  const isOn = weekdaysCalled(String(weekday).replace(/s$/u, '')).includes(number);
  return onDay(at, { code: isOn ? 'yes' : 'no' });
}

function weekOf({ day }: Input, asker: Asker): Computed | undefined {
  const at = day === undefined ? asker.now : dayIn(day, asker);
  return at && onDay(at, { week: isoWeek(at, asker.timeZone) });
}

const isLeap = (year: number): boolean => daysInMonth(year, 2) === 29;
const yearOf = (at: Date, timeZone: string): number => Number(localDate(at, timeZone).slice(0, 4));

/** Of a year: its days, its weeks, whether it is a leap year, and which is the next. */
function yearFacts({ year: said }: Input, { now, timeZone }: Asker): Computed {
  const year = said === undefined ? yearOf(now, timeZone) : Number(said);
  const next = Array.from({ length: 8 }, (_, ahead) => year + 1 + ahead).find(isLeap);
  // The last week is the one of 28 December.
  const weeks = isoWeek(new Date(Date.UTC(year, 11, 28, 12)), 'UTC');
  return { code: isLeap(year) ? 'leap' : '', values: { year, next, weeks, days: isLeap(year) ? 366 : 365 } };
}

/** The days and working days of a month, of this year unless another is said. */
function monthFacts({ month: said }: Input, { now, timeZone, language }: Asker): Computed | undefined {
  const { month, year = yearOf(now, timeZone) } = monthCalled(String(said)) ?? {};
  if (month === undefined) return undefined;
  const days = daysInMonth(year, month);
  const [before, last] = [new Date(Date.UTC(year, month - 1, 0, 12)), new Date(Date.UTC(year, month - 1, days, 12))];
  const name = sayings(language, { timeZone: 'UTC', now }).month(last);
  return { code: '', values: { month: name, days, workdays: workdaysBetween(before, last, 'UTC') } };
}

/** The days that are left of this week, month or year. */
function leftOf({ of, period }: Input, asker: Asker): Computed {
  const { timeZone, now } = asker;
  const today = localDate(now, timeZone);
  const [year = 0, month = 1] = today.split('-').map(Number);
  const sinceMonday = (new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7;
  const day =
    of === 'year'
      ? `${year}-12-31`
      : of === 'month'
        ? `${today.slice(0, 8)}${daysInMonth(year, month)}`
        : localDate(addToDate(now, 6 - sinceMonday, { unit: 'day', timeZone }), timeZone);
  const at = dayIn(day, asker) ?? now;
  return distance({ at, namesTime: false }, asker, { period });
}

/** How old somebody is who was born on a day, or in a year; at another day or in another year, where one is said. */
function age({ born: said, then, year: asked, next }: Input, asker: Asker): Computed | undefined {
  const { timeZone, now } = asker;
  const inYear = /^\d{4}$/u.test(String(said)) ? Number(said) : undefined;
  const born = inYear === undefined ? dayIn(said, asker) : undefined;
  const year =
    typeof next === 'boolean' ? yearOf(now, timeZone) + Number(next) : asked === undefined ? undefined : Number(asked);
  const first = inYear ?? (born && yearOf(born, timeZone));
  if (first === undefined || (born && born > now)) return undefined;
  if (year !== undefined) return year < first ? undefined : { code: 'in', values: { years: year - first, year } };
  const day = then === undefined ? now : dayIn(then, asker);
  if (!day || (born && day < born)) return undefined;
  if (!born) {
    const most = yearOf(day, timeZone) - first;
    return { code: 'either', values: { most, least: most - 1 } };
  }
  const values = { years: yearsBetween(born, day, timeZone), born: born.toISOString(), day: day.toISOString() };
  return { code: then === undefined ? '' : 'on', values };
}

export const DATES: Readonly<Record<string, Computation>> = {
  until,
  since,
  days_apart: apart,
  day_of: dayOf,
  workdays_from: workdaysFrom,
  falls_on: fallsOn,
  week_of: weekOf,
  year_facts: yearFacts,
  month_facts: monthFacts,
  left_of: leftOf,
  age,
};
