import type { TextPart } from '../models/message-data.ts';
import { eventsIn, writeEvent } from '../rag/read/calendar-event.ts';
import { DAY_MS } from '../when/zone.ts';
import { weekdayName } from '../words/weekdays.ts';

const DAYS_PER_WEEK = 7;
/** How many days to look ahead: about a century. */
const MOST_DAYS = 40_000;

/** Replaces the first day of each repeated event with its next day. */
export function withNextDays(text: string, today: string): string {
  const next = ({ text: said, event }: TextPart): string => {
    const day = event?.repeats && nextDay(new Date(event.day), event.repeats, today);
    return day ? writeEvent({ ...event, day: day.toISOString().slice(0, 10) }) : said;
  };
  return eventsIn(text).map(next).join('');
}

/** The next day of a rule, today included; undefined where it has ended or is not understood. */
function nextDay(first: Date, said: string, today: string): Date | undefined {
  const rule = new Map(said.split(/, (?=[a-z]+ )/u).map((part) => part.split(' ', 2) as [string, string]));
  const isOn = dayOf(rule, first);
  const from = new Date(`${today}T00:00:00Z`);
  const until = /^(\d{4})(\d\d)(\d\d)/u.exec(rule.get('until') ?? '');
  const last = until ? Date.parse(`${until[1]}-${until[2]}-${until[3]}T00:00:00Z`) : Number.POSITIVE_INFINITY;
  let left = Number(rule.get('count') ?? Number.POSITIVE_INFINITY);
  for (let days = 0; isOn !== undefined && days < MOST_DAYS && left > 0; days++) {
    const day = new Date(first.getTime() + days * DAY_MS);
    if (day.getTime() > last) return undefined;
    if (!isOn(day)) continue;
    if (day >= from) return day;
    left--;
  }
  return undefined;
}

/** Whether a day follows a rule, by its frequency, interval and weekdays. */
function dayOf(rule: ReadonlyMap<string, string>, first: Date): ((day: Date) => boolean) | undefined {
  const known = new Set(['freq', 'interval', 'byday', 'until', 'count', 'wkst', 'bymonth', 'bymonthday']);
  if ([...rule.keys()].some((name) => !known.has(name))) return undefined;
  const every = Number(rule.get('interval') ?? 1);
  const named = rule.get('byday')?.split(',');
  const isNamed = (day: Date) => named?.some((each) => isWeekday(each, day)) ?? false;
  const inMonth = Number(rule.get('bymonthday') ?? first.getUTCDate());
  const ofYear = Number(rule.get('bymonth') ?? first.getUTCMonth() + 1);
  const months = (day: Date) => day.getUTCFullYear() * 12 + day.getUTCMonth();
  const byMonth = (day: Date) => (named ? isNamed(day) : day.getUTCDate() === inMonth);
  const kinds: Readonly<Record<string, (day: Date) => boolean>> = {
    daily: (day) => daysBetween(first, day) % every === 0 && (!named || isNamed(day)),
    weekly: (day) =>
      (weekOf(day) - weekOf(first)) % every === 0 && (named ? isNamed(day) : day.getUTCDay() === first.getUTCDay()),
    monthly: (day) => (months(day) - months(first)) % every === 0 && byMonth(day),
    yearly: (day) =>
      (day.getUTCFullYear() - first.getUTCFullYear()) % every === 0 && day.getUTCMonth() + 1 === ofYear && byMonth(day),
  };
  return kinds[rule.get('freq') ?? ''];
}

function daysBetween(from: Date, to: Date): number {
  return Math.round((to.getTime() - from.getTime()) / DAY_MS);
}

/** Weeks begin on Monday; 1 January 1970 was a Thursday. */
function weekOf(day: Date): number {
  return Math.floor((day.getTime() / DAY_MS + 3) / DAYS_PER_WEEK);
}

/** `tu` on every Tuesday, `1th` on the first Thursday of the month, `-1fr` on the last Friday. */
function isWeekday(said: string, day: Date): boolean {
  const [, count = '', name = ''] = /^([+-]?\d*)([a-z]{2})$/u.exec(said) ?? [];
  if (weekdayName(day.getUTCDay()).slice(0, 2).toLowerCase() !== name) return false;
  if (count === '') return true;
  const days = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 0)).getUTCDate();
  const at = day.getUTCDate();
  return Number(count) > 0
    ? Math.ceil(at / DAYS_PER_WEEK) === Number(count)
    : Math.ceil((days - at + 1) / DAYS_PER_WEEK) === -Number(count);
}
