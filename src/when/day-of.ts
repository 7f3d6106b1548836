import { isElapsed } from './grammar/amounts.ts';
import { type Amount, type Piece, type PieceOf, piecesOf } from './grammar/piece.ts';
import { Unclear } from './refusal.ts';
import { told } from './told.ts';
import { DAY_MS } from './zone.ts';

/** The day that the words name; times are wall times, see `Zone`. */
export interface Day {
  /** Its beginning. */
  readonly start: number;
  /** Whether anything was said about the day. */
  readonly named: boolean;
  /** Today by name; "on friday" said on a Friday may be another one. */
  readonly today: boolean;
  /** The exact moment: `in 2 weeks` keeps the time of day. */
  readonly moment?: number | undefined;
  /** The next one of the same name, for when the time has passed on this one. */
  readonly next?: number | undefined;
}

/** Kinds of pieces that name a day, and which of them may stand together. */
const KINDS = ['relative', 'weekday', 'date', 'nth', 'span', 'in'] as const;
const TOGETHER = new Set([
  ...['', 'relative', 'weekday', 'date', 'nth', 'in'],
  ...['relative+weekday', 'relative+date', 'weekday+date', 'weekday+span', 'date+span', 'weekday+in', 'relative+in'],
]);

/**
 * The one day that the pieces name.
 *
 * @param now wall time.
 * @throws Unclear for none, several, or two that do not agree.
 */
export function dayOf(pieces: readonly Piece[], now: number): Day {
  const present = KINDS.filter((kind) => pieces.some(({ is }) => is === kind));
  if (KINDS.some((kind) => piecesOf(pieces, kind).length > 1)) throw new Unclear('more_than_one_day');
  if (present.length === 1 && present[0] === 'span') throw new Unclear('which_day_of_it');
  if (!TOGETHER.has(present.join('+'))) throw new Unclear('more_than_one_day');
  const today = startOfDay(now);
  const day = named(pieces, today, now);
  const shift = piecesOf(pieces, 'shift')[0];
  if (!shift || isElapsed(shift.amount)) return day;
  if (!day.named) throw new Unclear('from_which_day_not_said');
  return { ...day, start: moved(day.start, shift.amount, shift.sign), today: false, next: undefined };
}

function named(pieces: readonly Piece[], today: number, now: number): Day {
  const base = { named: true, today: false };
  const [relative] = piecesOf(pieces, 'relative');
  const [weekday] = piecesOf(pieces, 'weekday');
  const [date] = piecesOf(pieces, 'date');
  const [nth] = piecesOf(pieces, 'nth');
  const [ahead] = piecesOf(pieces, 'in');
  if (date) return agreeing({ ...base, ...dateOf(date, today, piecesOf(pieces, 'span')[0]) }, pieces, today);
  if (nth) return { ...base, start: nthOf(nth, today) };
  if (relative) {
    const start = today + relative.days * DAY_MS;
    const later = ahead ? moved(start, ahead.amount, ahead.sign) : start;
    return agreeing({ ...base, start: later, today: later === today }, pieces, today);
  }
  if (weekday) return weekdayOf(weekday, pieces, today);
  if (!ahead) return { ...base, start: today, named: false };
  const moment = moved(now, ahead.amount, ahead.sign);
  return { ...base, start: startOfDay(moment), moment };
}

/** "Monday 1 December" has to be a Monday. */
function agreeing(day: Day, pieces: readonly Piece[], today: number): Day {
  const weekday = piecesOf(pieces, 'weekday')[0];
  const relative = piecesOf(pieces, 'relative')[0];
  const is = new Date(day.start).getUTCDay();
  const shown = new Date(day.start).toISOString().slice(0, 10);
  if (weekday && weekday.day !== is)
    throw new Unclear(told('other_weekday', { day: shown, is: { weekday: is }, not: { weekday: weekday.day } }));
  const elsewhere =
    relative && pieces.some((piece) => piece.is === 'date') && day.start !== today + relative.days * DAY_MS;
  if (elsewhere) throw new Unclear(told('other_day', { day: shown }));
  return day;
}

/** The weeks of "next" and "this" begin on Monday. */
function weekdayOf(weekday: PieceOf<'weekday'>, pieces: readonly Piece[], today: number): Day {
  const base = { named: true, today: false };
  const monday = today - ((new Date(today).getUTCDay() + 6) % 7) * DAY_MS;
  const inWeek = monday + ((weekday.day + 6) % 7) * DAY_MS;
  const coming = inWeek >= today ? inWeek : inWeek + 7 * DAY_MS;
  const span = piecesOf(pieces, 'span')[0];
  if (span) return { ...base, start: inSpan(span, inWeek, weekday) };
  const ahead = piecesOf(pieces, 'in')[0];
  if (ahead) {
    if (pieces.indexOf(ahead) < pieces.indexOf(weekday)) throw new Unclear('which_week_meant_not_certain');
    const start = moved(coming, ahead.amount, ahead.sign);
    // "Donnerstag in acht Tagen" is a week after it for some, and a Friday for nobody.
    if (new Date(start).getUTCDay() !== weekday.day) throw new Unclear('which_day_meant_not_certain');
    return { ...base, start };
  }
  if (weekday.which === undefined) return { ...base, start: coming, next: coming + 7 * DAY_MS };
  return { ...base, start: whichOne(weekday.which, { inWeek, coming, today }) };
}

function inSpan(span: PieceOf<'span'>, inWeek: number, weekday: PieceOf<'weekday'>): number {
  const weekend = span.unit === 'weekend' && (weekday.day === 0 || weekday.day === 6);
  if ((span.unit !== 'week' && !weekend) || weekday.which) throw new Unclear('which_day_meant_not_certain');
  return inWeek + { this: 0, next: 7, last: -7 }[span.which] * DAY_MS;
}

function whichOne(
  which: 'this' | 'next' | 'coming' | 'last' | 'week after',
  { inWeek, coming, today }: { inWeek: number; coming: number; today: number },
): number {
  if (which === 'this') return inWeek;
  if (which === 'last') return inWeek < today ? inWeek : inWeek - 7 * DAY_MS;
  if (which === 'coming') return coming === today ? coming + 7 * DAY_MS : coming;
  if (which === 'week after') {
    if (coming === today) throw new Unclear('one_week_or_two');
    return coming + 7 * DAY_MS;
  }
  const days = [inWeek, inWeek + 7 * DAY_MS].map((day) => new Date(day).toISOString().slice(0, 10));
  if (inWeek > today) throw new Unclear(told('either', { one: days[0], other: days[1] }), days);
  return inWeek + 7 * DAY_MS;
}

/** A date without a month or year is the next one; months that lack the day are skipped. */
function dateOf(
  date: PieceOf<'date'>,
  today: number,
  span?: PieceOf<'span'>,
): { start: number; next?: number; today: boolean } {
  const now = new Date(today);
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  const ahead = { this: 0, next: 1, last: -1 }[span?.which ?? 'this'];
  if (span && span.unit !== (date.month === undefined ? 'month' : 'year')) throw new Unclear('which_day_not_certain');
  const candidates =
    date.month === undefined
      ? Array.from({ length: 13 }, (_, step) => Date.UTC(year, month + step + (span ? ahead : 0), date.day))
      : Array.from({ length: 9 }, (_, step) =>
          Date.UTC((date.year ?? year + (span ? ahead : 0)) + step, (date.month ?? 1) - 1, date.day),
        );
  const exact = span || date.year !== undefined;
  const found = (exact ? candidates.slice(0, 1) : candidates).filter(
    (wall) => new Date(wall).getUTCDate() === date.day && (exact || wall >= today),
  );
  if (found[0] === undefined) throw new Unclear('no_such_date');
  const again = date.month === undefined && !exact ? found[1] : undefined;
  return { start: found[0], today: false, ...(again === undefined ? {} : { next: again }) };
}

/** `the last friday of december`, `the third thursday in january 2027`, `the first monday of next month`. */
function nthOf(nth: PieceOf<'nth'>, today: number): number {
  if (nth.nths.length > 1) throw new Unclear('more_than_one_day');
  const now = new Date(today);
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  const inMonth = (y: number, m: number) => nthInMonth(nth, y, m);
  if (nth.of !== 'named') return inMonth(year, month + (nth.of === 'next' ? 1 : 0));
  const of = (nth.month ?? 1) - 1;
  if (nth.year !== undefined) return inMonth(nth.year, of);
  const thisYear = inMonth(year, of);
  return thisYear >= today ? thisYear : inMonth(year + 1, of);
}

function nthInMonth({ nths, day }: PieceOf<'nth'>, year: number, month: number): number {
  const count = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const days = Array.from({ length: count }, (_, index) => Date.UTC(year, month, index + 1)).filter((wall) => {
    const weekday = new Date(wall).getUTCDay();
    return day === 'day' || (day === 'workday' ? weekday % 6 !== 0 : weekday === day);
  });
  const found = days.at((nths[0] ?? 1) === -1 ? -1 : (nths[0] ?? 1) - 1);
  if (found === undefined) throw new Unclear('no_such_day_in_month');
  return found;
}

/** Along the calendar. In a month that lacks the day, the result is its last day. */
function moved(wall: number, { ms, days, months, workdays }: Amount, sign: 1 | -1): number {
  const date = new Date(wall);
  const day = date.getUTCDate();
  if (months !== 0) {
    date.setUTCDate(1);
    date.setUTCMonth(date.getUTCMonth() + sign * months);
    const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
    date.setUTCDate(Math.min(day, last));
  }
  date.setUTCDate(date.getUTCDate() + sign * days);
  for (let left = workdays; left > 0; ) {
    date.setUTCDate(date.getUTCDate() + sign);
    if (date.getUTCDay() % 6 !== 0) left--;
  }
  return date.getTime() + sign * ms;
}

/** The beginning of the day of a wall time. */
function startOfDay(wall: number): number {
  return Math.floor(wall / DAY_MS) * DAY_MS;
}
