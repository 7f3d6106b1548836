import { findTime, type Spoken } from '../when/find.ts';
import { anyTimeUnit } from '../words/units.ts';

/** A length of time: "half an hour", "zwei Tage". */
export interface Span {
  readonly words: string;
  readonly ms: number;
  /** Of whole days, which keep the time of day. */
  readonly days?: number;
}

/** "Freitag" and "15 Uhr" name none. */
const UNIT = new RegExp(`(?<![\\p{L}'’])${anyTimeUnit}(?!\\p{L})`, 'iu');
const DAY_MS = 86_400_000;

/**
 * The length that words name.
 *
 * @param mayLeave whether they may say so much besides; nothing unless told.
 */
export function spanIn(
  words: string,
  { timeZone }: Spoken,
  mayLeave = (rest: string): boolean => rest === '',
): Span | undefined {
  if (!UNIT.test(words)) return undefined;
  // At noon no length of hours reaches into another day, and no clock changes.
  const now = new Date('2026-01-05T12:00:00Z');
  const [found] = [words, `in ${words}`].flatMap((way) => {
    const time = findTime(way, { timeZone, now });
    return (time?.kind === 'once' || time?.kind === 'day') && mayLeave(time.rest) ? [time] : [];
  });
  const ms = found ? found.at.getTime() - now.getTime() : 0;
  return found && ms > 0 ? { words, ms, ...(found.kind === 'day' && { days: Math.round(ms / DAY_MS) }) } : undefined;
}
