import { sayDay, sayTime } from './calendar.ts';

/** `Friday 27 November 2026 at 09:00 (Europe/Oslo)`: weekday, date, time and zone, so that a mistake is seen. */
export function sayRun(at: Date, timeZone: string): string {
  return `${sayDay(at, timeZone)} at ${sayTime(at, timeZone)} (${timeZone})`;
}

/**
 * The runs that a reminder will have, for its confirmation: all that are given, the zone once.
 *
 * @param next one for what happens once; the next three for what comes again.
 */
export function sayRuns(next: readonly Date[], timeZone: string): string {
  const runs = next.map((at) => `${sayDay(at, timeZone)} at ${sayTime(at, timeZone)}`);
  return runs.length === 0 ? 'no run lies ahead' : `${runs.join(', then ')} (${timeZone})`;
}
