import type { CronExpression, StrideUnit } from './cron.ts';
import { type Clock, type Part, type Piece, type PieceOf, piecesOf, REPEATING } from './grammar/piece.ts';
import { byDay, limited } from './limits.ts';
import type { ReadOptions } from './one-off.ts';
import { type Dates, type Hours, patternsOf, timesWithin } from './patterns.ts';
import { Unclear } from './refusal.ts';
import { DEFAULT_MINUTE, inPart, type Manner, onNamedDay, showMinute, USUAL } from './time-of-day.ts';
import { told } from './told.ts';

/** A recurrence given in words, before it has a zone or a first time. */
export type Recurrence =
  | { readonly kind: 'every'; readonly seconds: number }
  | {
      readonly kind: 'cron';
      readonly patterns: readonly string[];
      readonly stride?: { readonly n: number; readonly unit: StrideUnit } | undefined;
      /** Its last local date, `YYYY-MM-DD`. */
      readonly until?: string | undefined;
      readonly warnings: readonly string[];
    };

const FIRST_OF_QUARTERS = [1, 4, 7, 10];
const SECONDS = { second: 1, minute: 60, hour: 3600 } as const;
const DAYS = { day: 86_400, week: 604_800 } as const;

/** Do the pieces refer to more than one time? "In 3 working days" names a kind of day but is a single time. */
export function isRecurring(pieces: readonly Piece[]): boolean {
  return pieces.some((piece) => REPEATING.has(piece.is) || (piece.is === 'nth' && piece.of === 'month'));
}

/** @throws Unclear naming the part that is not clear. */
export function resolveRecurring(said: readonly Piece[], options: ReadOptions): Recurrence {
  for (const { why } of piecesOf(said, 'unclear')) throw new Unclear(why);
  const { pieces, until } = limited(said, options);
  const groups = byDay(pieces);
  const recurrence = groups ? together(groups.map((group) => unlimited(group, options))) : unlimited(pieces, options);
  if (until === undefined) return recurrence;
  if (recurrence.kind === 'every') throw new Unclear('only_times_of_day_can_end');
  return { ...recurrence, until };
}

/** A single repetition from all pieces. */
function together(parts: readonly Recurrence[]): Recurrence {
  const crons = parts.filter((part) => part.kind === 'cron');
  if (crons.length < parts.length || crons.some(({ stride }) => stride)) throw new Unclear('more_than_one_repetition');
  return {
    kind: 'cron',
    patterns: crons.flatMap(({ patterns }) => patterns),
    warnings: [...new Set(crons.flatMap(({ warnings }) => warnings))],
  };
}

function unlimited(pieces: readonly Piece[], manner: Manner): Recurrence {
  const single = pieces.find(({ is }) => ['relative', 'in', 'shift', 'span', 'instant'].includes(is));
  if (single) throw new Unclear('again_and_once');
  const named = piecesOf(pieces, 'weekdays').length > 0;
  const strides = piecesOf(pieces, 'every')
    .filter(({ unit }) => unit !== 'workday' && unit !== 'weekend')
    .map((every) => (named ? inWeeks(every) : every));
  if (strides.length > 1) throw new Unclear('more_than_one_repetition');
  const [every] = strides;
  const dates = datesOf(pieces, every);
  if (every && every.unit in SECONDS) return short(pieces, every, dates);
  if (pieces.some(({ is }) => is === 'window' || is === 'minutes')) throw new Unclear('how_often_within_not_said');
  return daily(pieces, { every, dates, manner });
}

/** "Every 14 days on mondays" counts weeks. */
function inWeeks(every: PieceOf<'every'>): PieceOf<'every'> {
  return every.unit === 'day' && every.n > 1 && every.n % 7 === 0 ? { ...every, unit: 'week', n: every.n / 7 } : every;
}

/** `every 15 minutes`, `every 2 hours between 9 and 17 on weekdays`: elapsed time unless limited to hours or days. */
function short(pieces: readonly Piece[], every: PieceOf<'every'>, dates: Dates): Recurrence {
  const [window] = piecesOf(pieces, 'window');
  const [minutes] = piecesOf(pieces, 'minutes');
  if (pieces.some(({ is }) => is === 'clocks' || is === 'part' || is === 'every-part'))
    throw new Unclear('interval_and_time_of_day');
  if (every.times !== undefined) throw new Unclear('how_often_not_clear');
  const seconds = every.n * SECONDS[every.unit as keyof typeof SECONDS];
  const offset = minutes?.minute ?? (every.onTheHour ? 0 : undefined);
  if (seconds < 1 || piecesOf(pieces, 'window').length > 1) throw new Unclear('how_often_not_clear');
  if (offset === undefined && !window && isPlain(dates)) return elapsing(seconds);
  if (seconds % 60 !== 0 || (offset !== undefined && (every.unit !== 'hour' || offset > 59)))
    throw new Unclear('interval_does_not_fit_hours');
  if (!window && 1440 % (seconds / 60) !== 0) throw new Unclear('interval_does_not_fit_day');
  const span: Hours = { from: (window?.from ?? 0) + (offset ?? 0), to: window?.to ?? 1439, step: seconds / 60 };
  return { kind: 'cron', patterns: patternsOf(timesWithin(span), dates, true), warnings: [] };
}

/** A hundred years. */
const LONGEST_SECONDS = 36_525 * 86_400;

function elapsing(seconds: number): Recurrence {
  if (seconds > LONGEST_SECONDS) throw new Unclear('too_far_away');
  return { kind: 'every', seconds };
}

function daily(
  pieces: readonly Piece[],
  { every, dates, manner }: { every: PieceOf<'every'> | undefined; dates: Dates; manner: Manner },
): Recurrence {
  const warnings: string[] = [];
  const times = timesOf(pieces, manner, warnings);
  if (every?.times !== undefined) checkCount(every, times ?? [], dates);
  const n = strideOf(pieces, every);
  const unit = every?.unit ?? 'week';
  if (times === undefined && isPlain(dates) && n > 1 && unit in DAYS && manner.spoken !== true)
    return elapsing(n * DAYS[unit as keyof typeof DAYS]);
  if (times === undefined && isPlain(dates) && n > 1 && unit === 'day') throw new Unclear('time_day_not_said');
  if (times === undefined) warnings.push('no time was given: 09:00 is taken');
  if (n > 1 && !every) warnings.push(`read as every ${n} weeks; for one a month say "the second … of the month"`);
  const isDaily = pieces.some(({ is }) => is === 'every-part');
  const full = completed(dates, every?.unit ?? (isDaily ? 'day' : undefined), { manner, warnings });
  const stride =
    n === 1 ? undefined : unit === 'year' ? { n: n * 12, unit: 'month' as const } : { n, unit: unit as StrideUnit };
  return { kind: 'cron', patterns: patternsOf(times ?? [DEFAULT_MINUTE], full), stride, warnings };
}

/** "Twice a day" needs two times of day, "twice a week" two days. */
function checkCount({ times: wanted, unit }: PieceOf<'every'>, times: readonly number[], { week }: Dates): void {
  if (unit !== 'day' && unit !== 'week') throw new Unclear('how_often_not_clear');
  const days = unit === 'day' ? 1 : (week?.length ?? 0);
  if (unit === 'week' && days === 0) throw new Unclear('which_days_week_not_said');
  if (times.length * days !== wanted) throw new Unclear('times_day_not_said');
}

/** How many days, weeks, months or years lie between two runs. */
function strideOf(pieces: readonly Piece[], every: PieceOf<'every'> | undefined): number {
  const ofDays = Math.max(1, ...piecesOf(pieces, 'weekdays').map(({ stride }) => stride));
  const n = every?.n ?? 1;
  if (!Number.isInteger(n) || n < 1 || (every?.unit === 'quarter' && n > 1)) throw new Unclear('how_often_not_clear');
  const weeks = every === undefined || every.unit === 'week' || (every.unit === 'day' && n === 1);
  if ((ofDays > 1 && every) || (n > 1 && !weeks && piecesOf(pieces, 'weekdays').length > 0))
    throw new Unclear('more_than_one_repetition');
  return ofDays > 1 ? ofDays : n;
}

/** The times of day, if any. With several days, it may be unclear which group of times belongs to which. */
function timesOf(pieces: readonly Piece[], manner: Manner, warnings: string[]): number[] | undefined {
  const groups = piecesOf(pieces, 'clocks');
  const clocks = groups.flatMap((piece) => piece.clocks);
  const parts = new Set([...piecesOf(pieces, 'part'), ...piecesOf(pieces, 'every-part')].map(({ part }) => part));
  const [part] = parts;
  if (parts.size > 1) throw new Unclear('more_than_one_part_of_day');
  const named = pieces.filter(({ is }) => ['weekdays', 'weekday', 'monthly', 'nth'].includes(is)).length;
  if (groups.length > 1 && named > 0) throw new Unclear('which_time_for_which_day');
  if (clocks.length > 0) return clocks.map((clock) => minuteOf(clock, part, { pieces, manner }));
  if (part === undefined) return undefined;
  warnings.push(`no hour was given: ${part} is taken as ${USUAL[part] / 60}:00`);
  return [USUAL[part]];
}

/** A time past midnight is fine every night, but on certain days it is ambiguous which of two days is meant. */
function minuteOf(
  clock: Clock,
  part: Part | undefined,
  { pieces, manner }: { pieces: readonly Piece[]; manner: Manner },
) {
  const everyDay = pieces.every(({ is }) => ['every', 'every-part', 'clocks', 'part'].includes(is));
  const minute = part === undefined ? onNamedDay(clock, manner, everyDay) : inPart(clock, part);
  if (minute >= 1440 && !everyDay) throw new Unclear('which_night_meant_not_certain');
  if (part === undefined && manner.spoken && clock.either && minute !== clock.minute)
    throw new Unclear(told('either_half', { hour: clock.minute / 60 }), [clock.minute, minute].map(showMinute));
  return minute % 1440;
}

/** What is said about the dates. */
function datesOf(pieces: readonly Piece[], every: PieceOf<'every'> | undefined): Dates {
  const week = weekOf(pieces, every);
  const nth = nthOf(pieces);
  const named = piecesOf(pieces, 'months').flatMap(({ months }) => months);
  const month = every?.unit === 'quarter' ? FIRST_OF_QUARTERS : named;
  const yearly = yearlyOf(pieces, every);
  const monthly = monthlyOf(pieces, every);
  if ([monthly, nth.date, yearly?.date].filter((field) => field !== undefined).length > 1)
    throw new Unclear('more_than_one_day');
  const date = monthly ?? nth.date ?? yearly?.date;
  const given = [week, nth.nth, date].filter((field) => field !== undefined);
  if (given.length > 1) throw new Unclear('date_and_weekday');
  return { week, nth: nth.nth, date, month: yearly?.month ?? (month.length > 0 ? month.join(',') : undefined) };
}

/** The weekdays, without the excluded ones. */
function weekOf(pieces: readonly Piece[], every: PieceOf<'every'> | undefined): readonly number[] | undefined {
  const sets = piecesOf(pieces, 'weekdays').map(({ days }) => days);
  const loose = piecesOf(pieces, 'weekday');
  const belongs = every?.unit === 'week' && sets.length === 0 && loose.every(({ which }) => which === undefined);
  if (loose.length > 0 && !belongs) throw new Unclear('which_time_for_which_day');
  if (sets.length > 1) throw new Unclear('more_than_one_set_days');
  const named = sets[0] ?? (loose.length > 0 ? loose.map(({ day }) => day) : undefined);
  const left = new Set(piecesOf(pieces, 'except').flatMap(({ days }) => days));
  const days = (named ?? [0, 1, 2, 3, 4, 5, 6]).filter((day) => !left.has(day));
  if (days.length === 0) throw new Unclear('no_day_left');
  return named === undefined && left.size === 0 ? undefined : [...new Set(days)].sort();
}

/** Weekdays counted in the month, and first or last days; croner writes L for the last and W for working days. */
function nthOf(pieces: readonly Piece[]): { nth?: string; date?: string } {
  const found = piecesOf(pieces, 'nth');
  if (found.length === 0) return {};
  const [{ nths, day, of }] = found as [PieceOf<'nth'>];
  if (found.length > 1 || of !== 'month') throw new Unclear('more_than_one_day');
  if (day === 'workday') {
    if (nths.length > 1 || (nths[0] !== 1 && nths[0] !== -1)) throw new Unclear('only_first_and_last_working_days');
    return { date: nths[0] === 1 ? '1W' : 'LW' };
  }
  if (day === 'day') return { date: nths.map((n) => (n === -1 ? 'L' : n)).join(',') };
  if (nths.some((n) => n > 5)) throw new Unclear('no_month_has_so_many');
  return { nth: nths.map((n) => `${day}#${n === -1 ? 'L' : n}`).join(',') };
}

/** `on the 1st and 15th of every month`. */
function monthlyOf(pieces: readonly Piece[], every: PieceOf<'every'> | undefined): string | undefined {
  const dates = piecesOf(pieces, 'date').filter(({ month }) => month === undefined);
  const days = [...piecesOf(pieces, 'monthly').flatMap((piece) => piece.days), ...dates.map(({ day }) => day)];
  if (days.some((day) => day < 1 || day > 31)) throw new Unclear('no_month_has_day');
  const perMonth = every === undefined || ['month', 'quarter', 'year'].includes(every.unit);
  if (days.length > 0 && !perMonth) throw new Unclear('more_than_one_repetition');
  return days.length > 0 ? [...new Set(days)].sort((a, b) => a - b).join(',') : undefined;
}

function yearlyOf(
  pieces: readonly Piece[],
  every: PieceOf<'every'> | undefined,
): { date: string; month: string } | undefined {
  const dates = piecesOf(pieces, 'date').filter(({ month }) => month !== undefined);
  const found = [...piecesOf(pieces, 'yearly'), ...dates];
  const [first] = found;
  if (!first) return undefined;
  const { day, month } = first;
  const [date] = dates;
  if (found.length > 1 || date?.year !== undefined || (date && every?.unit !== 'year'))
    throw new Unclear('again_and_once');
  return { date: String(day), month: String(month) };
}

/** A week, month or year without a day means its first day; in a conversation the person is asked. */
function completed(
  dates: Dates,
  unit: PieceOf<'every'>['unit'] | undefined,
  { manner, warnings }: { manner: Manner; warnings: string[] },
): Dates {
  const missing = isPlain(dates) && (unit === 'week' || unit === 'month' || unit === 'year');
  if (unit === 'quarter' && manner.spoken && dates.date === undefined) throw new Unclear('which_day_of_it');
  const ofMonth = dates.month !== undefined && dates.date === undefined && !dates.week && !dates.nth;
  if (ofMonth && unit !== 'day' && unit !== 'week' && (unit === undefined || !manner.spoken))
    return { ...dates, date: '1' };
  if (ofMonth && unit === 'year') throw new Unclear('which_day_month_not_said');
  if (!missing && !(ofMonth && unit === 'week')) return dates;
  if (manner.spoken) throw new Unclear(`which_day_${unit}_not_said`);
  warnings.push(`no day was given: the first of the ${unit} is taken`);
  if (unit === 'week') return { ...dates, week: [1] };
  return unit === 'month' ? { ...dates, date: '1' } : { ...dates, date: '1', month: '1' };
}

function isPlain({ date, month, week, nth }: Dates): boolean {
  return [date, month, week, nth].every((field) => field === undefined);
}

/** The recurrence with its stride counted from the first date it can fall on. */
export function anchored(recurrence: Recurrence & { kind: 'cron' }, firstDate: string): CronExpression {
  const { patterns, stride, until } = recurrence;
  return { patterns, stride: stride && { ...stride, from: firstDate }, until };
}
