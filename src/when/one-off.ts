import { parse } from 'chrono-node/en';
import { AssistantError } from '../base/errors.ts';
import { HOLIDAYS } from './holidays.ts';
import { DEFAULT_TIME, type TimeOfDay, takeTimes } from './time-of-day.ts';
import { COUNT, notUnderstood, readCount, regex, Words } from './words.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, showWall, zoneOf } from './zone.ts';

/** One instant that words stand for, and what was assumed to arrive at it. */
export interface OneOff {
  readonly at: Date;
  /** False when the words name a day and no time of day: `at` is then at 09:00, or at the present time of day. */
  readonly namesTime: boolean;
  readonly warnings: readonly string[];
}

export interface ReadOptions {
  readonly timeZone: string;
  /** Now: what `tomorrow` and `in 20 minutes` count from. */
  readonly from: Date;
  /**
   * The words come from a conversation: "at 5" is the next five o'clock and "tomorrow at 5" the afternoon one.
   * Otherwise hours are those of a 24-hour clock.
   */
  readonly spoken?: boolean | undefined;
}

/** `2026-12-24T18:00:00Z`, `2026-12-24 18:00`, `2026-12-24T18:00+01:00`. */
const ISO = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d(?:\.\d{1,3})?)?\s?(Z|[+-]\d\d:?\d\d)?$/iu;

/**
 * Read a single time to come: an ISO time, an elapsed time, or a date and time in English.
 *
 * @throws AssistantError `bad_time` when it is not understood or lies in the past.
 */
export function readComing(said: string, options: ReadOptions): OneOff {
  const { timeZone, from } = options;
  const found = readOneOff(said, options);
  if (found.at > from) return found;
  throw new AssistantError('bad_time', `"${said}" is in the past (${showWall(found.at, timeZone)}, ${timeZone}).`, {
    hint: `It is ${showWall(from, timeZone)} now; give a later time.`,
  });
}

/**
 * The same, whether it lies ahead or not.
 *
 * @throws AssistantError `bad_time` when it is not understood.
 */
export function readOneOff(said: string, options: ReadOptions): OneOff {
  return readIso(said, options.timeZone) ?? readElapsed(said, options.from) ?? readEnglish(said, options);
}

/** ISO 8601; without an offset it is wall-clock time in the zone. */
function readIso(said: string, timeZone: string): OneOff | undefined {
  const [, date, minutes, seconds = ':00', offset] = ISO.exec(said) ?? [];
  if (date === undefined) return undefined;
  const wall = Date.parse(`${date}T${minutes}${seconds}Z`);
  if (Number.isNaN(wall) || !new Date(wall).toISOString().startsWith(date)) throw notUnderstood(said);
  if (offset === undefined) return { ...fromWall(wall, timeZone), namesTime: true };
  const at = Date.parse(`${date}T${minutes}${seconds}${offset.replace(/^([+-]\d\d)(\d\d)$/u, '$1:$2').toUpperCase()}`);
  if (Number.isNaN(at)) throw notUnderstood(said);
  return { at: new Date(at), namesTime: true, warnings: [] };
}

const ELAPSED_UNIT = '(s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?)';
const ONE_ELAPSED = new RegExp(`(?:(${COUNT}) ?)?\\b${ELAPSED_UNIT}\\b|(\\d+(?:\\.\\d+)?)${ELAPSED_UNIT}\\b`, 'giu');
/** `in 20 minutes`, `after an hour`, `2 hours from now`, `20m`. */
const ELAPSED = /^(?:in|after) |\bfrom now$|^\d+ ?(?:[smh]|secs?|seconds?|mins?|minutes?|hrs?|hours?)$/iu;

/** `in 20 minutes`, `in an hour and a half`, `in 1h30m`: real time, whatever the clocks do. */
function readElapsed(said: string, from: Date): OneOff | undefined {
  if (!ELAPSED.test(said)) return undefined;
  const spoken = said
    .toLowerCase()
    .replace(/^(?:in|after) |\bfrom now$/gu, '')
    .trim();
  const halved = spoken.replace(/\b(?:an? )?hour and a half\b/u, '90 minutes').replace(/(\d+)h(\d+)m?\b/u, '$1 h $2 m');
  const parts = [...halved.matchAll(ONE_ELAPSED)];
  const left = halved
    .replace(ONE_ELAPSED, '')
    .replace(/\band\b|,|\ban?\b/gu, '')
    .trim();
  if (parts.length === 0 || left !== '') return undefined;
  const ms = parts.reduce(
    (sum, [, count, unit, tight, tightUnit]) => sum + readCount(tight ?? count) * unitMs(tightUnit ?? unit),
    0,
  );
  if (ms <= 0) throw notUnderstood(said);
  // Rounded up to the second, so that it is never early.
  return { at: new Date(Math.ceil((from.getTime() + ms) / SECOND_MS) * SECOND_MS), namesTime: true, warnings: [] };
}

/** By its first letter: `h`, `m`, else seconds. */
function unitMs(unit: string | undefined): number {
  const letter = unit?.charAt(0).toLowerCase();
  return letter === 'h' ? HOUR_MS : letter === 'm' ? MINUTE_MS : SECOND_MS;
}

/** The time of day is taken out of the words by our own patterns; what is left, the day, is for chrono to read. */
function readEnglish(said: string, { timeZone, from, spoken = false }: ReadOptions): OneOff {
  const now = zoneOf(timeZone).wallAt(from.getTime());
  const words = new Words(said.replace(/\b(\d{4}-\d\d-\d\d)T(?=\d)/u, '$1 '));
  normalise(words, new Date(now));
  const { times, assumed } = takeTimes(words);
  if (times.length > 1) throw notUnderstood(said, 'more than one time');
  const warnings = assumed ? [`no hour was given: ${assumed} is taken as ${times[0]?.hour}:00`] : [];
  const day = readDay(words, said, now);
  const keepsTime = times[0] === undefined && day.keepsTime;
  if (times[0] === undefined && !keepsTime) warnings.push('no time was given: 09:00 is taken');
  const time = times[0] ?? DEFAULT_TIME;
  const namesTime = times.length > 0;
  if (spoken && time.eitherHalf && !day.named) return { ...fromWall(nextOnClockFace(time, now), timeZone), namesTime };
  const hour = spoken && time.eitherHalf && time.hour <= LATEST_AFTERNOON ? time.hour + 12 : time.hour;
  const wall = keepsTime ? day.wall : startOfDay(day.wall) + hour * HOUR_MS + time.minute * MINUTE_MS;
  const found = fromWall(wall, timeZone, warnings);
  const passed = found.at <= from && day.repeatsMs > 0;
  return { ...(passed ? fromWall(wall + day.repeatsMs, timeZone, warnings) : found), namesTime };
}

/** "Tomorrow at 6" is in the afternoon, "tomorrow at 7" in the morning. */
const LATEST_AFTERNOON = 6;

/** The next time that a clock without am and pm shows this. */
function nextOnClockFace({ hour, minute }: TimeOfDay, now: number): number {
  let wall = startOfDay(now) + (hour % 12) * HOUR_MS + minute * MINUTE_MS;
  while (wall <= now) wall += 12 * HOUR_MS;
  return wall;
}

/** Rewrite what chrono does not know in words that it does. */
function normalise(words: Words, today: Date): void {
  words.replace(/ (?:the )?day after tomorrow(?=\s)/u, ' in 2 days');
  words.replace(/ in a fortnight(?=\s)/u, ' in 2 weeks');
  words.replace(/ (?:a|one) week from today(?=\s)/u, ' in 1 week');
  for (const [holiday, date] of HOLIDAYS) words.replace(holiday, date);
  const business = words.take(regex(` (?:in )(${COUNT}) (?:business|working|work) days?(?=\\s)`, 'u'));
  if (business) words.replace(/^/u, ` ${isoDate(addBusinessDays(today, readCount(business[1])))}`);
  const date = words.take(
    / on the (\d{1,2})(?:st|nd|rd|th)(?=\s)(?! (?:of|day))(?! (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))/u,
  );
  if (date) words.replace(/^/u, ` ${nextDayOfMonth(today, Number(date[1]))}`);
}

/** Monday to Friday; public holidays are not known. */
function addBusinessDays(from: Date, count: number): Date {
  const day = new Date(from);
  for (let left = count; left > 0; ) {
    day.setUTCDate(day.getUTCDate() + 1);
    if (day.getUTCDay() % 6 !== 0) left--;
  }
  return day;
}

/**
 * The next date, `YYYY-MM-DD`, with this day of the month; today counts.
 *
 * @param today its UTC fields are the local date.
 */
export function nextDayOfMonth(today: Date, dayOfMonth: number): string {
  for (let ahead = 0; ahead < 12; ahead++) {
    const day = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + ahead, dayOfMonth));
    if (day.getUTCDate() === dayOfMonth && day.getTime() > today.getTime() - DAY_MS) return isoDate(day);
  }
  return isoDate(today);
}

function isoDate(day: Date): string {
  return day.toISOString().slice(0, 10);
}

/** The day that words name, without the time of day. */
interface Day {
  /** Wall time; only its date counts unless `keepsTime`. */
  readonly wall: number;
  /** `in 2 weeks` keeps the time of day. */
  readonly keepsTime: boolean;
  /** How far on the next one of the same name lies, when this one has passed; 0 for a date. */
  readonly repeatsMs: number;
  /** Something was said about the day. */
  readonly named: boolean;
}

/** With one of these chrono must not move a date into the future. */
const BACKWARD = /\b(?:last|ago|yesterday|previous)\b/u;

/** @throws AssistantError `bad_time` unless all that is left of the words is exactly one date. */
function readDay(words: Words, said: string, nowWall: number): Day {
  const text = words.rest
    .replace(/ (?:on|at|the|please|,)(?=\s)/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
  if (text === '') return { wall: nowWall, keepsTime: false, repeatsMs: DAY_MS, named: false };
  if (text === 'today') return { wall: nowWall, keepsTime: false, repeatsMs: 0, named: true };
  // The reference is the wall read as UTC, so that the process's own zone has no say.
  const found = parse(text, { instant: new Date(nowWall), timezone: 0 }, { forwardDate: !BACKWARD.test(text) });
  const [first] = found;
  if (!first || found.length > 1 || first.end || first.text.length < text.length)
    throw notUnderstood(said, leftOver(text, first?.text));
  const get = (part: 'year' | 'month' | 'day' | 'hour' | 'minute') => first.start.get(part) ?? 0;
  const wall = Date.UTC(get('year'), get('month') - 1, get('day'), get('hour'), get('minute'));
  const weekday = first.start.isCertain('weekday') && !BACKWARD.test(text) && !/\bin\b|\bnext\b|\d/u.test(text);
  return { wall, keepsTime: /^in /u.test(text), repeatsMs: weekday ? 7 * DAY_MS : 0, named: true };
}

/** What chrono did not read: the part to name in the error. */
function leftOver(text: string, understood: string | undefined): string {
  return understood === undefined ? text : text.replace(understood, '').trim() || text;
}

function startOfDay(wall: number): number {
  return Math.floor(wall / DAY_MS) * DAY_MS;
}

/** The instant of a wall time, with a warning when the clocks skip that time; see `Zone.instantAt`. */
function fromWall(wall: number, timeZone: string, warnings: readonly string[] = []): Omit<OneOff, 'namesTime'> {
  const zone = zoneOf(timeZone);
  const at = zone.instantAt(wall);
  if (zone.wallAt(at) === wall) return { at: new Date(at), warnings };
  const taken = showWall(new Date(at), timeZone);
  const moved = `that time does not exist in ${timeZone} (the clocks go forward): ${taken} is taken`;
  return { at: new Date(at), warnings: [...warnings, moved] };
}
