import { sayDay, sayTime } from './calendar.ts';

/**
 * The runs that a reminder will have, for its confirmation: `Friday 27 November 2026 at 09:00 (Europe/Oslo)`. Weekday,
 * date, time and zone, so that a mistake is seen.
 *
 * @param next one for what happens once; the next three for what comes again.
 */
export function sayRuns(next: readonly Date[], timeZone: string): string {
  const runs = next.map((at) => `${sayDay(at, timeZone)} at ${sayTime(at, timeZone)}`);
  return runs.length === 0 ? 'no day that lies ahead' : `${runs.join(', then ')} (${timeZone})`;
}
