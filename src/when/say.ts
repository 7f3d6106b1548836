import { monthName } from '../words/months.ts';
import type { Language } from '../words/spelling.ts';
import { weekdayName } from '../words/weekdays.ts';
import { daysBetween, localDate, localTime, sayDay, sayDayAndTime, sayMonth, sayNearDay, sayTime } from './calendar.ts';
import { sayRuns } from './confirm.ts';

/** Formats days and times in one language and zone, relative to one moment. */
export interface Sayings {
  /** `Saturday 21 November 2026`. */
  day(at: Date): string;
  /** `November 2026`. */
  month(at: Date): string;
  /** `09:05`. */
  time(at: Date): string;
  /** `today`, `tomorrow`, `on Friday 27 November 2026`. */
  near(at: Date): string;
  /** `today at 17:00`, `on Friday 27 November 2026 at 09:00`. */
  nearAndTime(at: Date): string;
  /** See `sayRuns`. */
  runs(next: readonly Date[]): string;
}

/** Choose the language of days and times. */
export function sayings(language: Language, { timeZone, now }: { timeZone: string; now: Date }): Sayings {
  return language === 'de' ? german(timeZone, now) : english(timeZone, now);
}

function english(timeZone: string, now: Date): Sayings {
  return {
    day: (at) => sayDay(at, timeZone),
    month: (at) => sayMonth(at, timeZone),
    time: (at) => sayTime(at, timeZone),
    near: (at) => sayNearDay(at, now, timeZone),
    nearAndTime: (at) => sayDayAndTime(at, now, timeZone),
    runs: (next) => sayRuns(next, timeZone),
  };
}

const NAHE: Readonly<Record<number, string>> = { 0: 'heute', 1: 'morgen', 2: 'übermorgen' };

function german(timeZone: string, now: Date): Sayings {
  const month = (at: Date) => {
    const [year = '', number = ''] = localDate(at, timeZone).split('-');
    return `${monthName(Number(number) - 1, 'de')} ${year}`;
  };
  const day = (at: Date) => {
    const date = localDate(at, timeZone);
    return `${weekdayName(new Date(`${date}T00:00:00Z`).getUTCDay(), 'de')}, ${Number(date.slice(8))}. ${month(at)}`;
  };
  const time = (at: Date) => localTime(at, timeZone).slice(11).replace(/:00$/u, '');
  const near = (at: Date) => NAHE[daysBetween(now, at, timeZone)] ?? `am ${day(at)}`;
  return {
    ...{ day, month, time, near },
    nearAndTime: (at) => `${near(at)} um ${time(at)} Uhr`,
    runs: (next) => {
      const runs = next.map((at) => `${day(at)} um ${time(at)} Uhr`);
      return runs.length === 0 ? 'an keinem Tag, der noch kommt' : `${runs.join(', dann ')} (${timeZone})`;
    },
  };
}
