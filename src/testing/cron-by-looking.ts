import { DAY_MS, MINUTE_MS, SECOND_MS } from '../when/zone.ts';
import { type Span, Wall } from './wall.ts';

const DAY_MINUTES = 1440;

/**
 * What the wall of a zone shows at every minute of a span, as minutes since 1970 of that reading. Between two changes of
 * the offset a clock only counts on; where the changes are is asked of the zone's rules.
 */
export class WallTable {
  readonly changes: readonly number[];
  readonly #from: number;
  readonly #shown: Int32Array;
  /** The latest reading up to each minute. */
  readonly #reached: Int32Array;

  constructor(timeZone: string, span: Span) {
    const wall = new Wall(timeZone);
    const length = Math.floor((span.to - span.from) / MINUTE_MS);
    this.changes = wall.changes(span.from, span.to);
    this.#from = span.from;
    this.#shown = new Int32Array(length);
    this.#reached = new Int32Array(length);
    const starts = [span.from, ...this.changes];
    starts.forEach((start, index) => {
      const first = (start - span.from) / MINUTE_MS;
      const end = ((starts[index + 1] ?? span.to) - span.from) / MINUTE_MS;
      const shown = start / MINUTE_MS + wall.offsetMinutes(start);
      for (let at = first; at < Math.min(end, length); at++) this.#shown[at] = shown + at - first;
    });
    this.#shown.forEach((shown, at) => {
      this.#reached[at] = Math.max(shown, this.#reached[at - 1] ?? shown);
    });
  }

  /** The first time of a pattern after an instant, found by looking at every minute; undefined: not within the span. */
  next(pattern: PlainPattern, after: number): number | undefined {
    for (let at = Math.floor((after - this.#from) / MINUTE_MS); at < this.#shown.length; at++) {
      const found = this.#within(pattern, at).find((instant) => instant > after);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The pattern's times within one minute. */
  #within(pattern: PlainPattern, at: number): readonly number[] {
    const start = this.#from + at * MINUTE_MS;
    const shown = this.#shown[at] ?? 0;
    const exact = () => pattern.seconds.map((second) => start + second * SECOND_MS);
    if (!pattern.fixed) return pattern.matches(shown) ? exact() : [];
    // A reading that was there before does not count again; those that were jumped over are due at the jump's end.
    const times: number[] = [];
    for (let reading = (this.#reached[at - 1] ?? shown) + 1; reading <= shown; reading++) {
      if (pattern.matches(reading)) times.push(...(reading === shown ? exact() : [start]));
    }
    return times.sort((a, b) => a - b);
  }
}

/** A cron pattern read in the plainest way: five or six fields of numbers, ranges, steps, `L`, `n#k` and `n#L`. */
export class PlainPattern {
  readonly seconds: readonly number[];
  /** All fields of the time are numbers. */
  readonly fixed: boolean;
  readonly #times = new Uint8Array(DAY_MINUTES);
  readonly #day: (day: CalendarDay) => boolean;
  readonly #days = new Map<number, boolean>();

  constructor(text: string) {
    const fields = text.split(' ');
    const [second = '', minute = '', hour = '', date = '', month = '', weekday = ''] =
      fields.length === 5 ? ['0', ...fields] : fields;
    this.fixed = [second, minute, hour].every(
      (field) => !/[*/]/u.test(field) && field.split(',').every((part) => numbers(part, 0, 59).size === 1),
    );
    this.seconds = [...numbers(second, 0, 59)].sort((a, b) => a - b);
    for (const h of numbers(hour, 0, 23)) for (const m of numbers(minute, 0, 59)) this.#times[h * 60 + m] = 1;
    this.#day = dayRule(date, numbers(month, 1, 12), weekday);
  }

  /** @param reading minutes since 1970 of what the wall shows. */
  matches(reading: number): boolean {
    if (this.#times[reading % DAY_MINUTES] !== 1) return false;
    const day = Math.floor(reading / DAY_MINUTES);
    const known = this.#days.get(day) ?? this.#day(calendarDay(day));
    this.#days.set(day, known);
    return known;
  }
}

interface CalendarDay {
  readonly date: number;
  readonly month: number;
  readonly weekday: number;
  /** Days from this one to the month's last. */
  readonly left: number;
}

function calendarDay(day: number): CalendarDay {
  const date = new Date(day * DAY_MS);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  return {
    date: date.getUTCDate(),
    month: date.getUTCMonth() + 1,
    weekday: date.getUTCDay(),
    left: last - date.getUTCDate(),
  };
}

/** Date and weekday together mean either. */
function dayRule(date: string, months: ReadonlySet<number>, weekday: string): (day: CalendarDay) => boolean {
  const dates = date.split(',').map(dateRule);
  const weekdays = weekday.split(',').map(weekdayRule);
  const onDate = (day: CalendarDay) => dates.some((rule) => rule(day));
  const onWeekday = (day: CalendarDay) => weekdays.some((rule) => rule(day));
  const either = date !== '*' && weekday !== '*';
  return (day) => months.has(day.month) && (either ? onDate(day) || onWeekday(day) : onDate(day) && onWeekday(day));
}

function dateRule(part: string): (day: CalendarDay) => boolean {
  if (part === 'L') return ({ left }) => left === 0;
  const dates = numbers(part, 1, 31);
  return ({ date }) => dates.has(date);
}

function weekdayRule(part: string): (day: CalendarDay) => boolean {
  const [names = '', which] = part.split('#');
  const weekdays = new Set([...numbers(names, 0, 7)].map((number) => number % 7));
  if (which === 'L') return ({ weekday, left }) => weekdays.has(weekday) && left < 7;
  return ({ weekday, date }) => weekdays.has(weekday) && (which === undefined || Math.ceil(date / 7) === Number(which));
}

function numbers(field: string, min: number, max: number): Set<number> {
  const found = new Set<number>();
  for (const part of field.split(',')) {
    const [range = '', step = '1'] = part.split('/');
    const [first = min, last = first] = range === '*' ? [min, max] : range.split('-').map(Number);
    for (let number = first; number <= last; number += Number(step)) found.add(number);
  }
  return found;
}
