import { sayDay, sayTime } from './calendar.ts';

/**
 * The runs that a reminder will have, for its confirmation: `Friday 27 November 2026 at 09:00 (Europe/Oslo)`. It has
 * weekday, date, time and zone, so that a mistake is noticed.
 *
 * @param next one for a single time; the next three for a repetition.
 */
export function sayRuns(next: readonly Date[], timeZone: string): string {
  const runs = next.map((at) => `${sayDay(at, timeZone)} at ${sayTime(at, timeZone)}`);
  return runs.length === 0 ? 'no day that lies ahead' : `${runs.join(', then ')} (${timeZone})`;
}
