import { nextCron, readExpression } from '../when/cron.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS, zoneOf } from '../when/zone.ts';
import { type Span, Wall } from './wall.ts';

const DAY_MINUTES = 1440;

/**
 * What the wall of a zone shows at every minute of a span, as minutes since 1970 of that reading. Between two changes of
 * the offset a clock only counts on; where the changes are is asked of the zone's rules.
 */
class WallTable {
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
class PlainPattern {
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

/** Instants are taken from the first two years; what they are followed by may come in the third to fifth. */
const ASKED: Span = { from: Date.UTC(2026, 0, 1), to: Date.UTC(2028, 0, 1) };
const LOOKED_AT: Span = { from: Date.UTC(2025, 11, 30), to: Date.UTC(2031, 0, 1) };

export interface Compared {
  readonly triples: number;
  /** Triples whose instant lies within a day and a half of a clock change. */
  readonly nearChanges: number;
  readonly wrong: readonly string[];
}

/**
 * Compare our next run with that of an oracle for random patterns and instants in one zone. Where it has clock changes
 * half of the instants lie around one. A second, random instant before the next run has to give the same one.
 */
export function compareRandomTimes(timeZone: string, count: number, random: () => number): Compared {
  const table = new WallTable(timeZone, LOOKED_AT);
  const zone = zoneOf(timeZone);
  const changes = table.changes.filter((change) => change > ASKED.from && change < ASKED.to);
  const wrong: string[] = [];
  let nearChanges = 0;
  for (let n = 0; n < count; n++) {
    const near = changes.length > 0 && random() < 0.5 ? pick(changes, random) : undefined;
    const pattern = randomPattern(random, near === undefined ? undefined : hourOf(zone.wallAt(near)));
    const after = Math.floor(
      near === undefined ? ASKED.from + random() * (ASKED.to - ASKED.from) : near + (random() - 0.5) * 3 * DAY_MS,
    );
    if (near !== undefined) nearChanges++;
    const expected = table.next(new PlainPattern(pattern), after);
    const expression = readExpression(pattern);
    const next = (from: number) => nextCron(expression, zone, new Date(from))?.getTime();
    const found = next(after);
    const again = next(after + Math.floor(random() * ((found ?? after) - after)));
    if (found !== expected || again !== found)
      wrong.push(
        `${timeZone} ${pattern} after ${show(after)}: ${show(found)}, then ${show(again)}, instead of ${show(expected)}`,
      );
  }
  return { triples: count, nearChanges, wrong };
}

function show(instant: number | undefined): string {
  return instant === undefined ? 'never' : new Date(instant).toISOString();
}

function hourOf(wallMs: number): number {
  return new Date(wallMs).getUTCHours();
}

/** @param around an hour that the times of day are likely to be near. */
function randomPattern(random: () => number, around: number | undefined): string {
  const below = (end: number) => Math.floor(random() * end);
  const hour = () => (around !== undefined && random() < 0.7 ? (around + 23 + below(3)) % 24 : below(24));
  const minute = () => (random() < 0.5 ? below(4) * 15 : below(60));
  const list = (one: () => number) => [...new Set([one(), ...(random() < 0.3 ? [one()] : [])])].join(',');
  const range = (one: () => number, max: number) => {
    const first = one();
    return `${first}-${Math.min(max, first + below(5))}`;
  };
  const times = pick(
    [
      () => `${list(minute)} ${list(hour)}`,
      () => `${list(minute)} ${list(hour)}`,
      () => `*/${1 + below(30)} ${list(hour)}`,
      () => `${list(minute)} *`,
      () => `${list(minute)} */${1 + below(12)}`,
      () => `${list(minute)} ${range(hour, 23)}`,
      () => `${range(minute, 59)} ${pick(['*', String(hour())], random)}`,
      () => `*/${1 + below(30)} ${range(hour, 23)}`,
    ],
    random,
  )();
  const seconds = pick(['', '', '', '', '0 ', `${below(60)} `, `${below(30)},${30 + below(30)} `, '*/20 '], random);
  return `${seconds}${times} ${randomDays(random)}`;
}

function randomDays(random: () => number): string {
  const below = (end: number) => Math.floor(random() * end);
  const weekday = () => below(7);
  return pick(
    [
      () => '* * *',
      () => '* * *',
      () => '* * *',
      () => '* * 1-5',
      () => `* * ${weekday()},${weekday()}`,
      () => `* * ${below(8)}`,
      () => `${1 + below(28)} * *`,
      () => `${1 + below(31)},${1 + below(31)} * *`,
      () => 'L * *',
      () => `1-${2 + below(6)} */3 *`,
      () => `${1 + below(28)} ${1 + below(12)} *`,
      () => `* ${1 + below(6)}-${7 + below(6)} *`,
      () => `* * ${weekday()}#${1 + below(5)}`,
      () => `* * ${weekday()}#L`,
      () => `${1 + below(31)} * ${weekday()}`,
      () => (random() < 0.2 ? '29 2 *' : '31 */2 *'),
    ],
    random,
  )();
}

function pick<T>(list: readonly T[], random: () => number): T {
  return list[Math.floor(random() * list.length)] as T;
}
