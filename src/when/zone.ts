import { AssistantError } from '../base/errors.ts';
import { nearest } from '../base/text.ts';
import { shortWeekday } from '../words/weekdays.ts';

export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** What the formatter below prints: `11/20/2026, 09:05:00`. */
const FIELDS = /^(\d+)\/(\d+)\/(\d+), (\d+):(\d+):(\d+)$/u;

/**
 * One IANA time zone. Wall-clock time ("wall" for short) is what a clock in the zone shows; it is represented by the
 * milliseconds at which a clock in UTC shows the same, so that calendar arithmetic is plain arithmetic.
 *
 * A Temporal polyfill would add 13 to 30 ms to each start and read the wall clock three times slower, and it moves a
 * skipped 02:30 to 03:30, whereas schedules promise the first instant that exists, 03:00.
 */
export class Zone {
  readonly name: string;
  readonly #format: Intl.DateTimeFormat;

  constructor(name: string) {
    this.name = name;
    this.#format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  }

  /** The wall-clock time at an instant, both in milliseconds. */
  wallAt(instantMs: number): number {
    const [, month, day, year, hour, minute, second] = FIELDS.exec(this.#format.format(instantMs)) ?? [];
    const wall = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
    return wall + (((instantMs % SECOND_MS) + SECOND_MS) % SECOND_MS);
  }

  /**
   * The instant at which the wall clock shows `wallMs`: the first of two when the clocks go back over it, the first
   * instant after the gap when they go forward over it.
   */
  instantAt(wallMs: number): number {
    // If there is a clock change within a day of the time, there are two offsets to try.
    const offsets = new Set([this.#offset(wallMs - DAY_MS), this.#offset(wallMs), this.#offset(wallMs + DAY_MS)]);
    const candidates = [...offsets].map((offset) => wallMs - offset).sort((a, b) => a - b);
    const exact = candidates.find((instant) => this.wallAt(instant) === wallMs);
    return exact ?? this.#firstAfterGap(wallMs, candidates);
  }

  /** Wall time minus UTC, in milliseconds: positive east of Greenwich. */
  #offset(instantMs: number): number {
    return this.wallAt(instantMs) - instantMs;
  }

  /** The clock jumps over `wallMs` between the outermost candidates: bisect to the jump. */
  #firstAfterGap(wallMs: number, candidates: readonly number[]): number {
    let low = Math.min(...candidates) - SECOND_MS;
    let high = Math.max(...candidates);
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (this.wallAt(middle) >= wallMs) high = middle;
      else low = middle;
    }
    return high;
  }
}

/** Zones are cached: making a formatter costs more than a thousand readings, and most schedules share a zone. */
const known = new Map<string, Zone>();

/** @throws AssistantError `bad_time` for a name that is not an IANA zone, offsets like `+02:00` included. */
export function zoneOf(name: string): Zone {
  const found = known.get(name);
  if (found) return found;
  if (!isZone(name)) throw unknownZone(name);
  const zone = new Zone(name);
  known.set(name, zone);
  return zone;
}

/** Offsets such as `+02:00`, which Intl accepts, are refused because they have no clock changes. */
function isZone(name: string): boolean {
  if (/^[+-]?\d|^$/u.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

function unknownZone(name: string): AssistantError {
  const guess = nearest(name, Intl.supportedValuesOf('timeZone'));
  return new AssistantError('bad_time', `"${name}" is not a time zone.`, {
    hint: guess ? `Did you mean ${guess}?` : 'Use an IANA name such as Europe/Oslo or America/New_York.',
  });
}

/** `Fri 2026-11-20 09:00` as a clock in the zone shows it; seconds only when they are not zero. */
export function showWall(instant: Date, timeZone: string): string {
  const wall = new Date(zoneOf(timeZone).wallAt(instant.getTime()));
  const [date = '', time = ''] = wall.toISOString().split('T');
  return `${shortWeekday(wall.getUTCDay())} ${date} ${time.slice(0, wall.getUTCSeconds() === 0 ? 5 : 8)}`;
}

/** The IANA name of the machine's zone, which is the owner's unless a setting names another. */
export function machineZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** The version of the time zone rules (IANA tzdata) that this Node brings, such as `2026c`. */
export function zoneData(): string {
  return process.versions.tz ?? 'none';
}
