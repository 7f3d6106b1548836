import { zonedFormat } from '../../when/zoned-format.ts';
import { language, t } from './words.ts';

/** Times are told in the zone of the home, not of the browser. */
const told = { timeZone: 'UTC' };

export function useZone(timeZone: string): void {
  told.timeZone = timeZone;
}

function format(at: string | Date, options: Intl.DateTimeFormatOptions): string {
  const locale = language === 'en' ? 'en-GB' : language;
  return zonedFormat(new Date(at), told.timeZone, { ...options, locale });
}

/** `14:05`. */
export function clock(at: string | Date): string {
  return format(at, { hour: '2-digit', minute: '2-digit' });
}

/** The date there, `26/11/2026`; equal for times of one day. */
function dayKey(at: string | Date): string {
  return format(at, { year: 'numeric', month: '2-digit', day: '2-digit' });
}

/** `Today`, `Tomorrow`, `Friday 27 November`. */
export function day(at: string | Date, now = new Date()): string {
  const DAY_MS = 86_400_000;
  const near = [
    ['yesterday', -DAY_MS],
    ['today', 0],
    ['tomorrow', DAY_MS],
  ] as const;
  const known = near.find(([, ms]) => dayKey(new Date(now.getTime() + ms)) === dayKey(at));
  return known ? t(known[0]) : longDay(at);
}

/** `Friday 27 November`. */
export function longDay(at: string | Date): string {
  return format(at, { weekday: 'long', day: 'numeric', month: 'long' });
}

/** `14:05` today, otherwise with the day. */
export function moment(at: string | Date): string {
  return dayKey(at) === dayKey(new Date())
    ? clock(at)
    : `${format(at, { weekday: 'short', day: 'numeric', month: 'short' })}, ${clock(at)}`;
}

export function bytes(count: number): string {
  const [unit, size] = count < 1_000_000 ? (['kilobyte', 1000] as const) : (['megabyte', 1_000_000] as const);
  return new Intl.NumberFormat(language, { style: 'unit', unit, maximumFractionDigits: 1 }).format(count / size);
}

export function number(value: number): string {
  return new Intl.NumberFormat(language).format(value);
}

export function hourOfDay(): number {
  return Number(format(new Date(), { hour: '2-digit', hourCycle: 'h23' }).replace(/\D/gu, ''));
}
