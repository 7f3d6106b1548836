import { parse } from 'chrono-node/en';
import { AssistantError } from '../base/errors.ts';
import { DEFAULT_TIME, takeTimes } from './day-times.ts';
import { COUNT, notUnderstood, readCount, regex, Words } from './words.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, showWall, zoneOf } from './zone.ts';

/** One moment, and what was assumed to arrive at it. */
export interface Moment {
  readonly at: Date;
  readonly warnings: readonly string[];
}

const ISO = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d(?:\.\d{1,3})?)?\s?(Z|[+-]\d\d:?\d\d)?$/iu;

/**
 * Read a single moment: an ISO time, an elapsed time, or a date and time in English.
 *
 * @throws AssistantError `bad_time` when it is not understood or lies in the past.
 */
export function readMoment(said: string, timeZone: string, from: Date): Moment {
  const moment = readIso(said, timeZone) ?? readElapsed(said, from) ?? readEnglish(said, timeZone, from);
  if (moment.at > from) return moment;
  throw new AssistantError('bad_time', `"${said}" is in the past (${showWall(moment.at, timeZone)}, ${timeZone}).`, {
    hint: `It is ${showWall(from, timeZone)} now; give a later time.`,
  });
}

function readIso(said: string, timeZone: string): Moment | undefined {
  const [, date, minutes, seconds = ':00', offset] = ISO.exec(said) ?? [];
  if (date === undefined) return undefined;
  const wall = Date.parse(`${date}T${minutes}${seconds}Z`);
  if (Number.isNaN(wall) || !new Date(wall).toISOString().startsWith(date)) throw notUnderstood(said);
  if (offset === undefined) return wallMoment(wall, timeZone);
  const at = Date.parse(`${date}T${minutes}${seconds}${offset.replace(/^([+-]\d\d)(\d\d)$/u, '$1:$2').toUpperCase()}`);
  if (Number.isNaN(at)) throw notUnderstood(said);
  return { at: new Date(at), warnings: [] };
}

const ELAPSED_UNIT = '(s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?)';
const ONE_ELAPSED = new RegExp(`(?:(${COUNT}) ?)?\\b${ELAPSED_UNIT}\\b|(\\d+(?:\\.\\d+)?)${ELAPSED_UNIT}\\b`, 'giu');
const ELAPSED = /^(?:in|after) |\bfrom now$|^\d+ ?(?:[smh]|secs?|seconds?|mins?|minutes?|hrs?|hours?)$/iu;

/** `in 20 minutes`, `in an hour and a half`, `in 1h30m`: real time, whatever the clocks do. */
function readElapsed(said: string, from: Date): Moment | undefined {
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
  return { at: new Date(Math.ceil((from.getTime() + ms) / SECOND_MS) * SECOND_MS), warnings: [] };
}

function unitMs(unit: string | undefined): number {
  const letter = unit?.charAt(0).toLowerCase();
  return letter === 'h' ? HOUR_MS : letter === 'm' ? MINUTE_MS : SECOND_MS;
}

function readEnglish(said: string, timeZone: string, from: Date): Moment {
  const words = new Words(said.replace(/\b(\d{4}-\d\d-\d\d)T(?=\d)/u, '$1 '));
  normalise(words, new Date(zoneOf(timeZone).wallAt(from.getTime())));
  const { times, assumed } = takeTimes(words);
  if (times.length > 1) throw notUnderstood(said, 'more than one time');
  const warnings = assumed ? [`no hour was given: ${assumed} is taken as ${times[0]?.hour}:00`] : [];
  const day = readDay(words, said, zoneOf(timeZone).wallAt(from.getTime()));
  const keepsTime = times[0] === undefined && day.keepsTime;
  if (times[0] === undefined && !keepsTime) warnings.push('no time was given: 09:00 is taken');
  const time = times[0] ?? DEFAULT_TIME;
  const wall = keepsTime ? day.wall : startOfDay(day.wall) + time.hour * HOUR_MS + time.minute * MINUTE_MS;
  const moment = wallMoment(wall, timeZone, warnings);
  if (moment.at > from || day.repeatsMs === 0) return moment;
  return wallMoment(wall + day.repeatsMs, timeZone, warnings);
}

/** Wordings that chrono does not know, as ones that it does. */
function normalise(words: Words, today: Date): void {
  words.replace(/ (?:the )?day after tomorrow(?=\s)/u, ' in 2 days');
  words.replace(/ in a fortnight(?=\s)/u, ' in 2 weeks');
  words.replace(/ (?:a|one) week from today(?=\s)/u, ' in 1 week');
  words.replace(/ christmas eve(?=\s)/u, ' 24 december');
  words.replace(/ christmas(?: day)?(?=\s)/u, ' 25 december');
  words.replace(/ new year'?s eve(?=\s)/u, ' 31 december');
  const business = words.take(regex(` (?:in )(${COUNT}) (?:business|working|work) days?(?=\\s)`, 'u'));
  if (business) words.replace(/^/u, ` ${isoDate(addBusinessDays(today, readCount(business[1])))}`);
  const date = words.take(
    / on the (\d{1,2})(?:st|nd|rd|th)(?=\s)(?! (?:of|day))(?! (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))/u,
  );
  if (date) words.replace(/^/u, ` ${isoDate(nextDate(today, Number(date[1])))}`);
}

function addBusinessDays(from: Date, count: number): Date {
  const day = new Date(from);
  for (let left = count; left > 0; ) {
    day.setUTCDate(day.getUTCDate() + 1);
    if (day.getUTCDay() % 6 !== 0) left--;
  }
  return day;
}

/** The next day of a month with this number, today included when nothing else fits. */
function nextDate(today: Date, date: number): Date {
  for (let ahead = 0; ahead < 12; ahead++) {
    const day = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + ahead, date));
    if (day.getUTCDate() === date && day.getTime() > today.getTime() - DAY_MS) return day;
  }
  return today;
}

function isoDate(day: Date): string {
  return day.toISOString().slice(0, 10);
}

interface Day {
  /** Wall time; only its date counts unless `keepsTime`. */
  readonly wall: number;
  /** `in 2 weeks` keeps the time of day. */
  readonly keepsTime: boolean;
  /** How far on the next one of the same name lies, when this one has passed; 0 for a date. */
  readonly repeatsMs: number;
}

const BACKWARD = /\b(?:last|ago|yesterday|previous)\b/u;

function readDay(words: Words, said: string, nowWall: number): Day {
  const text = words.rest
    .replace(/ (?:on|at|the|please|,)(?=\s)/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
  if (text === '') return { wall: nowWall, keepsTime: false, repeatsMs: DAY_MS };
  if (text === 'today') return { wall: nowWall, keepsTime: false, repeatsMs: 0 };
  // The reference is the wall read as UTC, so that the process's own zone has no say.
  const found = parse(text, { instant: new Date(nowWall), timezone: 0 }, { forwardDate: !BACKWARD.test(text) });
  const [first] = found;
  if (!first || found.length > 1 || first.end || first.text.length < text.length)
    throw notUnderstood(said, leftOver(text, first?.text));
  const get = (part: 'year' | 'month' | 'day' | 'hour' | 'minute') => first.start.get(part) ?? 0;
  const wall = Date.UTC(get('year'), get('month') - 1, get('day'), get('hour'), get('minute'));
  const weekday = first.start.isCertain('weekday') && !/\bin\b|\bnext\b|\d/u.test(text);
  return { wall, keepsTime: /^in /u.test(text), repeatsMs: weekday ? 7 * DAY_MS : 0 };
}

function leftOver(text: string, understood: string | undefined): string {
  return understood === undefined ? text : text.replace(understood, '').trim() || text;
}

function startOfDay(wall: number): number {
  return Math.floor(wall / DAY_MS) * DAY_MS;
}

function wallMoment(wall: number, timeZone: string, warnings: readonly string[] = []): Moment {
  const zone = zoneOf(timeZone);
  const at = zone.instantAt(wall);
  if (zone.wallAt(at) === wall) return { at: new Date(at), warnings };
  const moved = `that time does not exist in ${timeZone} (the clocks go forward): ${showWall(new Date(at), timeZone)} is taken`;
  return { at: new Date(at), warnings: [...warnings, moved] };
}
