import { DAY_MS, MINUTE_MS } from '../when/zone.ts';

/**
 * An oracle that shares nothing with the code but the rules of Node's own time zone data: it knows no cron library and
 * no arithmetic with offsets, it looks at every minute and asks what the clock on the wall shows.
 */
export class Wall {
  readonly #format: Intl.DateTimeFormat;

  constructor(timeZone: string) {
    this.#format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  }

  /** `2026-03-29 02:30:00` as the wall shows it. */
  wall(instant: number): string {
    return this.#format.format(instant);
  }

  offsetMinutes(instant: number): number {
    return (Date.parse(`${this.wall(instant).replace(' ', 'T')}Z`) - instant) / MINUTE_MS;
  }

  /** Instants, to the minute, at which the offset changes. */
  changes(from: number, to: number): number[] {
    const found: number[] = [];
    for (let start = from; start < to; start += DAY_MS) {
      if (this.offsetMinutes(start) === this.offsetMinutes(start + DAY_MS)) continue;
      let [low, high] = [start, start + DAY_MS];
      while (high - low > MINUTE_MS) {
        const middle = low + Math.floor((high - low) / 2 / MINUTE_MS) * MINUTE_MS;
        if (this.offsetMinutes(middle) === this.offsetMinutes(low)) low = middle;
        else high = middle;
      }
      found.push(high);
    }
    return found;
  }

  /** What the wall shows at every minute of a span. */
  minutes(span: Span): Minute[] {
    const minutes: Minute[] = [];
    for (let instant = span.from; instant <= span.to; instant += MINUTE_MS) {
      const [date = '', time = ''] = this.wall(instant).split(' ');
      minutes.push({ instant, date, time: time.slice(0, 5) });
    }
    return minutes;
  }
}

export interface Minute {
  readonly instant: number;
  readonly date: string;
  /** `02:30` */
  readonly time: string;
}

export interface Span {
  readonly from: number;
  readonly to: number;
}
