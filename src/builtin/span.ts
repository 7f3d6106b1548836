import { addToDate } from '../when/calendar.ts';
import { findTime, type Spoken } from '../when/find.ts';

/** A length of time: "half an hour", "zwei Tage". */
export interface Span {
  readonly words: string;
  readonly ms: number;
  /** Of whole days, which keep the time of day. */
  readonly days?: number;
}

/** "Freitag" and "15 Uhr" name none. */
const UNIT = /min|sek|sec|std|stunde|hour|woche|week|monat|month|(?<!\p{L})(?:hr|tag|day)/iu;
const DAYS = /(?:tag|day|woche|week|monat|month)/iu;
const DAY_MS = 86_400_000;

/** The length that words name and nothing else. */
export function spanIn(words: string, { timeZone }: Spoken): Span | undefined {
  if (!UNIT.test(words)) return undefined;
  // At noon no length of hours reaches into another day, and no clock changes.
  const now = new Date('2026-01-05T12:00:00Z');
  const ways = [words, `in ${words}`].map((way) => findTime(way, { timeZone, now }));
  const found = ways.find((each) => each?.rest === '' && (each.kind === 'once' || each.kind === 'day'));
  if (!found || (found.kind !== 'once' && found.kind !== 'day')) return undefined;
  const ms = found.at.getTime() - now.getTime();
  if (ms <= 0) return undefined;
  return { words, ms, ...(DAYS.test(words) && { days: Math.round(ms / DAY_MS) }) };
}

/** The instant that lies so long before another. */
export function spanBefore(at: Date, { ms, days }: Span, timeZone: string): Date {
  return days === undefined ? new Date(at.getTime() - ms) : addToDate(at, -days, { unit: 'day', timeZone });
}
