import { Cron } from 'croner';
import { AssistantError, messageOf } from '../base/errors.ts';
import { DAY_MS, HOUR_MS, type Zone, zoneOf } from './zone.ts';

/**
 * A cron expression as we store it: one or more patterns of five or six fields joined by ` | `, optionally limited to
 * every n-th day, week or month counted from a date, and by a last date:
 * `0 9 * * 2; every 2 weeks from 2026-11-24; until 2026-12-31`.
 */
export interface CronExpression {
  readonly patterns: readonly string[];
  readonly stride?: Stride | undefined;
  /** The last local date, `YYYY-MM-DD`, on which it may run. */
  readonly until?: string | undefined;
}

/** Limits a pattern to every n-th day, week or month, which cron itself cannot say. */
export interface Stride {
  readonly n: number;
  readonly unit: StrideUnit;
  /** A local date, `YYYY-MM-DD`, from which the days, weeks or months are counted. */
  readonly from: string;
}

export type StrideUnit = 'day' | 'week' | 'month';

const UNTIL = /^until (\d{4}-\d\d-\d\d)$/u;
const STRIDE = /^every (\d+) (day|week|month)s from (\d{4}-\d\d-\d\d)$/u;
/** How many runs excluded by the stride are skipped before the search gives up. */
const MAX_SKIPPED = 2000;
/**
 * A wall-clock time that a clock change skips runs later than written, by a day at most (Samoa lost 30 December 2011),
 * so the search starts that much earlier.
 */
const WALK_BACK_MS = DAY_MS + HOUR_MS;
const FEBRUARY = 1;

/** The text that is stored; `readExpression` reads it back. */
export function showExpression({ patterns, stride, until }: CronExpression): string {
  const every = stride && `every ${stride.n} ${stride.unit}s from ${stride.from}`;
  const end = until && `until ${until}`;
  return [patterns.join(' | '), every, end].filter((part) => part !== undefined).join('; ');
}

/** The same expression with another day to count from, if it counts from one. */
export function countedFrom(expression: string, day: string): string {
  return expression.replace(/(?<= from )\d{4}-\d\d-\d\d/u, day);
}

/** @throws AssistantError `bad_time` naming the field that is wrong. */
export function readExpression(text: string): CronExpression {
  const [times = '', ...limits] = text.split('; ');
  const patterns = times.split(' | ').map((pattern) => pattern.trim());
  for (const pattern of patterns) checkPattern(pattern);
  const limit = (form: RegExp) => limits.map((each) => form.exec(each)).find((found) => found !== null) ?? [];
  const [, n, unit, from] = limit(STRIDE);
  const [, until] = limit(UNTIL);
  return { patterns, stride: from ? { n: Number(n), unit: unit as StrideUnit, from } : undefined, until };
}

/**
 * The first run strictly after `after`; undefined when there is none in the next years.
 *
 * Fixed times of day are searched on the wall clock and then turned into instants, so each day of a clock change has
 * exactly one run of them; other patterns are left to croner.
 */
export function nextCron(expression: CronExpression, zone: Zone, after: Date): Date | undefined {
  const found = expression.patterns
    .map((pattern) => nextOfPattern(pattern, { zone, after: after.getTime(), stride: expression.stride }))
    .filter((instant) => instant !== undefined);
  const next = Math.min(...found);
  return found.length === 0 || isOver(next, expression, zone) ? undefined : new Date(next);
}

/** Whether an instant is later than the last date on which the expression may run. */
function isOver(instant: number, { until }: CronExpression, zone: Zone): boolean {
  return until !== undefined && zone.wallAt(instant) >= Date.parse(`${until}T00:00:00Z`) + DAY_MS;
}

/**
 * Whether hour, minute and second are numbers or lists of numbers, so that the pattern names times of day. `5-5` counts
 * as the number 5, as it does for croner.
 */
export function isFixed(pattern: string): boolean {
  const fields = pattern.split(/\s+/u);
  const time = fields.slice(0, fields.length === 6 ? 3 : 2);
  return time.every((field) => field.split(',').every((part) => /^(\d+)(?:-\1)?$/u.test(part)));
}

/** Times are in milliseconds. */
interface Search {
  readonly zone: Zone;
  readonly after: number;
  readonly stride?: Stride | undefined;
}

/** The next run of one pattern. Fixed times are walked in UTC, which has no clock changes ("on paper"). */
function nextOfPattern(pattern: string, search: Search): number | undefined {
  if (!isFixed(pattern)) return nextOfCroner(pattern, search.zone, search.after);
  const paper = zoneOf('UTC');
  let wall = search.zone.wallAt(search.after) - WALK_BACK_MS;
  for (let tries = 0; tries < MAX_SKIPPED; tries++) {
    const next = nextOfCroner(pattern, paper, wall);
    if (next === undefined) return undefined;
    wall = next;
    if (search.stride && !onStride(new Date(wall), search.stride)) continue;
    const instant = search.zone.instantAt(wall);
    if (instant > search.after) return instant;
  }
  return undefined;
}

/**
 * croner reads 31 February as 3 March and continues from there, so it misses what lies between. A search that starts in
 * February is therefore repeated from the last instant of that month.
 */
function nextOfCroner(pattern: string, zone: Zone, after: number): number | undefined {
  const cron = cronFor(pattern, zone.name);
  const found = cron.nextRun(new Date(after))?.getTime();
  const wall = new Date(zone.wallAt(after));
  if (found === undefined || wall.getUTCMonth() !== FEBRUARY) return found;
  const march = zone.instantAt(Date.UTC(wall.getUTCFullYear(), FEBRUARY + 1, 1));
  return found < march ? found : cron.nextRun(new Date(march - 1))?.getTime();
}

/** Whether a date is one of every n-th counted from the stride's start; weeks and months count as a whole. */
function onStride(wall: Date, { n, unit, from }: Stride): boolean {
  const start = new Date(`${from}T00:00:00Z`);
  const steps =
    unit === 'month'
      ? months(wall) - months(start)
      : Math.floor((wall.getTime() - startOf(start, unit)) / LENGTH[unit]);
  return steps >= 0 && steps % n === 0;
}

/** In milliseconds of wall time, where every day has 24 hours. */
const LENGTH = { day: DAY_MS, week: 7 * DAY_MS };

/** Weeks begin on Monday. */
function startOf(date: Date, unit: 'day' | 'week'): number {
  return date.getTime() - (unit === 'week' ? ((date.getUTCDay() + 6) % 7) * DAY_MS : 0);
}

/** Since the year 0, so that their difference counts across years. */
function months(date: Date): number {
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** Parsed patterns; many schedules share theirs, and parsing costs more than searching. */
const parsed = new Map<string, Cron>();
const MAX_PARSED = 2000;

function cronFor(pattern: string, timezone: string): Cron {
  const key = `${timezone} ${pattern}`;
  const found = parsed.get(key);
  if (found) return found;
  const cron = new Cron(pattern, { timezone, paused: true });
  if (parsed.size >= MAX_PARSED) parsed.clear();
  parsed.set(key, cron);
  return cron;
}

/** As in Vixie cron; see crontab(5). `@reboot` is left out: it names no time. */
const NICKNAMES: ReadonlyMap<string, string> = new Map([
  ['@hourly', '0 * * * *'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@weekly', '0 0 * * 0'],
  ['@monthly', '0 0 1 * *'],
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
]);

/** `@daily` and its like as plain patterns; anything else as it is, single-spaced. */
export function expandNickname(text: string): string {
  if (!text.startsWith('@')) return text.trim().replace(/\s+/gu, ' ');
  const pattern = NICKNAMES.get(text.toLowerCase());
  if (pattern) return pattern;
  throw badCron(text, 'there is no such nickname', `Use one of ${[...NICKNAMES.keys()].join(', ')}.`);
}

/** Is the text meant to be a cron pattern? Whether it is valid is another question. */
export function looksLikeCron(text: string): boolean {
  const [pattern = '', ...limits] = text.split('; ');
  if (limits.length > 0)
    return limits.every((limit) => STRIDE.test(limit) || UNTIL.test(limit)) && looksLikeCron(pattern);
  if (text.startsWith('@') || (/^[\d\s*/,?-]+$/u.test(text) && /\*/u.test(text))) return true;
  const fields = text.split(/\s+/u);
  if (fields.length < 5 || fields.length > 7) return false;
  return (
    /^[\d*?]/u.test(fields[0] ?? '') &&
    fields.every((field) => /^(?:[\d*?][\w*,/#?-]*|[a-z]{3}(?:[-,#/][\w#,-]+)?|lw?)$/iu.test(field))
  );
}

/** The number of fields is checked here: five, or six with seconds first. croner checks the rest. */
function checkPattern(pattern: string): void {
  const fields = pattern.split(/\s+/u).length;
  if (fields !== 5 && fields !== 6) {
    throw badCron(
      pattern,
      `it has ${fields} fields`,
      'Use five fields (minute hour day month weekday) or six (second first).',
    );
  }
  try {
    cronFor(pattern, 'UTC');
  } catch (error) {
    const problem = messageOf(error)
      .replace(/^CronPattern: /u, '')
      .replace(/\.$/u, '');
    throw badCron(
      pattern,
      problem,
      'Fields: minute 0-59, hour 0-23, day 1-31, month 1-12, weekday 0-7; steps are written */15.',
    );
  }
}

function badCron(pattern: string, problem: string, hint: string): AssistantError {
  return new AssistantError('bad_time', `"${pattern}" is not a cron expression: ${problem}.`, { hint });
}

/** @throws AssistantError `bad_time` when the dates of the expression never come, like 31 February. */
export function checkPossible(expression: CronExpression, timeZone: string, from: Date): Date {
  const next = nextCron(expression, zoneOf(timeZone), from);
  if (next) return next;
  if (expression.until !== undefined && nextCron({ ...expression, until: undefined }, zoneOf(timeZone), from))
    throw new AssistantError('bad_time', `"${showExpression(expression)}" does not come before it ends.`, {
      hint: 'Give a later end.',
    });
  throw new AssistantError('bad_time', `"${showExpression(expression)}" never comes: no such date exists.`, {
    hint: 'Check day and month; 31 February and the like do not exist.',
  });
}
