import { DAY_MS, HOUR_MS, MINUTE_MS, zoneOf } from './zone.ts';

/** A clock change in a zone. */
export interface ClockChange {
  readonly at: Date;
  /** By how many hours the clocks go forward; negative when they go back. */
  readonly hours: number;
  /** What the clocks showed until then, held as UTC. */
  readonly before: Date;
}

/** Zones with clock changes have them every year. */
const DAYS_AHEAD = 400;

/** The clock changes within about a year from an instant, in order; empty without summer time. */
export function clockChanges(timeZone: string, from: Date): ClockChange[] {
  const zone = zoneOf(timeZone);
  const offset = (instant: number) => zone.wallAt(instant) - instant;
  const changes: ClockChange[] = [];
  const start = Math.floor(from.getTime() / MINUTE_MS) * MINUTE_MS;
  for (let day = 0; day < DAYS_AHEAD; day++) {
    let low = start + day * DAY_MS;
    let high = low + DAY_MS;
    const moved = offset(high) - offset(low);
    if (moved === 0) continue;
    while (high - low > MINUTE_MS) {
      const middle = Math.floor((low + high) / 2 / MINUTE_MS) * MINUTE_MS;
      if (offset(middle) === offset(low)) low = middle;
      else high = middle;
    }
    changes.push({ at: new Date(high), hours: moved / HOUR_MS, before: new Date(zone.wallAt(high) - moved) });
  }
  return changes;
}
