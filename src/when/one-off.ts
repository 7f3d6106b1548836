import { type Day, dayOf } from './day-of.ts';
import { isElapsed } from './grammar/amounts.ts';
import { type Clock, type Part, type Piece, piecesOf } from './grammar/piece.ts';
import { notUnderstood, Unclear } from './refusal.ts';
import { DEFAULT_MINUTE, inPart, laterToday, type Manner, nextShown, onNamedDay, USUAL } from './time-of-day.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS, showWall, zoneOf } from './zone.ts';

/** The instant that words stand for, and what was assumed to arrive at it. */
export interface OneOff {
  readonly at: Date;
  /** False when the words name a day without a time: `at` is then at 09:00, or at the present time of day. */
  readonly namesTime: boolean;
  readonly warnings: readonly string[];
}

export interface ReadOptions extends Manner {
  readonly timeZone: string;
  /** Now: what `tomorrow` and `in 20 minutes` count from. */
  readonly from: Date;
}

/** `2026-12-24T18:00:00Z`, `2026-12-24 18:00`, `2026-12-24T18:00+01:00`. */
const ISO = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d(?:\.\d{1,3})?)?\s?(Z|[+-]\d\d:?\d\d)?$/iu;
const BEFORE_DAWN = 5 * 60;

/** ISO 8601; without an offset it is wall-clock time in the zone. */
export function readIso(said: string, timeZone: string): OneOff | undefined {
  const [, date, minutes, seconds = ':00', offset] = ISO.exec(said) ?? [];
  if (date === undefined) return undefined;
  const wall = Date.parse(`${date}T${minutes}${seconds}Z`);
  if (Number.isNaN(wall) || !new Date(wall).toISOString().startsWith(date)) throw notUnderstood(said);
  if (offset === undefined) return { ...fromWall(wall, timeZone), namesTime: true };
  const at = Date.parse(`${date}T${minutes}${seconds}${offset.replace(/^([+-]\d\d)(\d\d)$/u, '$1:$2').toUpperCase()}`);
  if (Number.isNaN(at)) throw notUnderstood(said);
  return { at: new Date(at), namesTime: true, warnings: [] };
}

/**
 * The instant that all the pieces together stand for, whether it lies ahead or not.
 *
 * @throws Unclear when they contradict each other or can be combined in more than one way.
 */
export function resolveOnce(given: readonly Piece[], options: ReadOptions): OneOff {
  const instant = piecesOf(given, 'instant')[0];
  if (instant?.text.includes('T') || instant?.text.includes('t')) return alone(instant.text, given, options);
  const pieces = given.map((piece) => (piece.is === 'instant' ? dateIn(piece.text) : piece));
  for (const { why } of piecesOf(pieces, 'unclear')) throw new Unclear(why);
  if (pieces.some(({ is }) => is === 'until')) throw new Unclear('how_often_within_not_said');
  if (pieces.some(({ is }) => is === 'within')) throw new Unclear('which_day_month_not_said');
  if (pieces.some(({ is }) => is === 'window')) throw new Unclear('span_of_time');
  const elapsed = piecesOf(pieces, 'in').find(({ amount }) => isElapsed(amount));
  if (elapsed) return afterAmount(pieces, elapsed.amount.ms * elapsed.sign, options);
  const now = zoneOf(options.timeZone).wallAt(options.from.getTime());
  return atTime(pieces, dayOf(pieces, now), now, options);
}

function alone(text: string, pieces: readonly Piece[], { timeZone }: ReadOptions): OneOff {
  const read = readIso(text, timeZone);
  if (pieces.length > 1 || !read) throw new Unclear('more_than_one_time');
  return read;
}

/** `2026-12-24` as a piece; its existence is checked here. */
function dateIn(text: string): Piece {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
  const exists = new Date(Date.UTC(year, month - 1, day)).toISOString().startsWith(text);
  return exists ? { is: 'date', day, month, year } : { is: 'unclear', why: 'no_such_date' };
}

/** `in an hour and a half`: elapsed time, whatever the clocks do. */
function afterAmount(pieces: readonly Piece[], ms: number, { from }: ReadOptions): OneOff {
  if (pieces.length > 1) throw new Unclear('more_than_one_time');
  if (ms === 0) throw new Unclear('now');
  // Rounded up to the second, so that it is never early.
  const at = instant(Math.ceil((from.getTime() + ms) / SECOND_MS) * SECOND_MS);
  return { at, namesTime: true, warnings: [] };
}

/** Years have four digits here. */
const [EARLIEST_MS, LATEST_MS] = [Date.parse('1000-01-02'), Date.parse('9999-12-31')];

/** "In 9999999999999 days" is not a valid date. */
export function isWithinReach(ms: number): boolean {
  return ms >= EARLIEST_MS && ms < LATEST_MS;
}

function instant(ms: number): Date {
  if (isWithinReach(ms)) return new Date(ms);
  throw new Unclear('too_far_away');
}

function atTime(pieces: readonly Piece[], day: Day, now: number, options: ReadOptions): OneOff {
  const { clock, part } = oneClock(pieces);
  const shift = shiftOf(pieces, clock);
  if (!clock && part === undefined) return withoutTime(day, now, options);
  const minute = clock ? minuteOf(clock, part, { day, now, options }) : USUAL[part ?? 'morning'];
  const warnings = clock ? [] : [`no hour was given: ${part} is taken as ${USUAL[part ?? 'morning'] / 60}:00`];
  const at = (start: number) => fromWall(start + minute * MINUTE_MS, options.timeZone, warnings);
  const first = at(day.start);
  const passed = first.at.getTime() + shift <= options.from.getTime();
  const found = passed ? later(day, at, first) : first;
  return { ...found, at: instant(found.at.getTime() + shift), namesTime: true };
}

/** A weekday whose time has passed today means next week; a time of day without a day means tomorrow. */
function later(day: Day, at: (start: number) => Omit<OneOff, 'namesTime'>, first: Omit<OneOff, 'namesTime'>) {
  if (day.next !== undefined) return at(day.next);
  return day.named ? first : at(day.start + DAY_MS);
}

/** At most one time of day, and one part of the day. */
function oneClock(pieces: readonly Piece[]): { clock?: Clock | undefined; part?: Part | undefined } {
  const clocks = piecesOf(pieces, 'clocks').flatMap((piece) => piece.clocks);
  if (clocks.length > 1) throw new Unclear('more_than_one_time');
  if (pieces.some(({ is }) => is === 'minutes')) throw new Unclear('hour_not_said');
  const parts = new Set(piecesOf(pieces, 'part').map(({ part }) => part));
  if (parts.size > 1) throw new Unclear('more_than_one_part_of_day');
  return { clock: clocks[0], part: [...parts][0] };
}

/** `an hour before`: what follows has to be a time of day, and `a week from` a day. */
function shiftOf(pieces: readonly Piece[], clock: Clock | undefined): number {
  const shifts = piecesOf(pieces, 'shift');
  if (shifts.length > 1) throw new Unclear('more_than_one_time');
  const [shift] = shifts;
  if (!shift) return 0;
  const anchor = pieces[pieces.indexOf(shift) + 1]?.is;
  const elapsed = isElapsed(shift.amount);
  if (!anchor || (elapsed && (!clock || anchor !== 'clocks'))) throw new Unclear('before_or_after_what');
  if (!elapsed && anchor === 'clocks') throw new Unclear('before_or_after_what');
  return elapsed ? shift.amount.ms * shift.sign : 0;
}

/** The minute counted from the beginning of the day; past midnight it belongs to the next day. */
function minuteOf(
  clock: Clock,
  part: Part | undefined,
  { day, now, options }: { day: Day; now: number; options: ReadOptions },
): number {
  const minuteNow = (now - Math.floor(now / DAY_MS) * DAY_MS) / MINUTE_MS;
  if (part !== undefined) {
    const minute = inPart(clock, part);
    if (minute >= 1440 && day.named && !day.today) throw new Unclear('which_night_meant_not_certain');
    return minute > 1440 && minuteNow < BEFORE_DAWN && minute - 1440 > minuteNow ? minute - 1440 : minute;
  }
  if (!day.named) return nextShown(clock, minuteNow, options);
  return day.today ? laterToday(clock, minuteNow, options) : onNamedDay(clock, options);
}

/** `in 2 days` keeps the time of day; any other day defaults to 09:00, which the person has to be told. */
function withoutTime(day: Day, now: number, { timeZone }: ReadOptions): OneOff {
  if (!day.named) throw new Unclear('names_no_time');
  if (day.moment !== undefined) return { ...fromWall(day.moment, timeZone), namesTime: false };
  const wall = day.start + DEFAULT_MINUTE * MINUTE_MS;
  const start = wall <= now && day.next !== undefined ? day.next + DEFAULT_MINUTE * MINUTE_MS : wall;
  return { ...fromWall(start, timeZone, ['no time was given: 09:00 is taken']), namesTime: false };
}

/** The instant of a wall time, with a warning if the clocks skip that time; see `Zone.instantAt`. */
function fromWall(wall: number, timeZone: string, warnings: readonly string[] = []): Omit<OneOff, 'namesTime'> {
  const zone = zoneOf(timeZone);
  const at = zone.instantAt(instant(wall).getTime());
  if (zone.wallAt(at) === wall) return { at: new Date(at), warnings };
  const taken = showWall(new Date(at), timeZone);
  const moved = `that time does not exist in ${timeZone} (the clocks go forward): ${taken} is taken`;
  return { at: new Date(at), warnings: [...warnings, moved] };
}
