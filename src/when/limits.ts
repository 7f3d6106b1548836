import { dayOf } from './day-of.ts';
import { type Piece, type PieceOf, piecesOf } from './grammar/piece.ts';
import type { ReadOptions } from './one-off.ts';
import { Unclear } from './refusal.ts';
import { told } from './told.ts';
import { DAY_MS, zoneOf } from './zone.ts';

/** A repetition without the words for its end, and its last local date. */
interface Limited {
  readonly pieces: readonly Piece[];
  readonly until?: string | undefined;
}

/**
 * Extract what ends a repetition: "until Friday", that day included, and "in December", in one year.
 *
 * @throws Unclear when it may be every December.
 */
export function limited(said: readonly Piece[], options: ReadOptions): Limited {
  const now = zoneOf(options.timeZone).wallAt(options.from.getTime());
  const [end, second] = piecesOf(said, 'until');
  const [within, other] = piecesOf(said, 'within');
  if (second || other || (end && within)) throw new Unclear('more_than_one_day');
  if (end) return { pieces: without(said, end), until: lastDay(end, now) };
  return within ? inMonth(said, within, { now, german: options.german === true }) : { pieces: said };
}

const without = (said: readonly Piece[], ...taken: readonly Piece[]) => said.filter((piece) => !taken.includes(piece));

function lastDay({ day }: PieceOf<'until'>, now: number): string {
  if (day.is === 'unclear') throw new Unclear(day.why);
  const named = dayOf([day], now);
  // "Until Friday", said on a Friday, means the next one.
  const isToday = named.start <= now && now < named.start + DAY_MS;
  const start = isToday && day.is === 'weekday' ? (named.next ?? named.start) : named.start;
  if (start + DAY_MS <= now) throw new Unclear(told('day_passed', { day: dateOf(start) }));
  return dateOf(start);
}

/** "Every Tuesday in December" is in this year or in every year; another word has to decide. */
function inMonth(
  said: readonly Piece[],
  within: PieceOf<'within'>,
  { now, german }: { now: number; german: boolean },
): Limited {
  const { month, year } = within;
  const months: Piece = { is: 'months', months: [month] };
  const yearly = piecesOf(said, 'every').find(({ unit }) => unit === 'year');
  const thisYear = piecesOf(said, 'span').find(({ unit, which }) => unit === 'year' && which === 'this');
  if (yearly) return { pieces: [...without(said, within, yearly), months] };
  const today = new Date(now);
  const coming = today.getUTCFullYear() + (month - 1 < today.getUTCMonth() ? 1 : 0);
  if (year === undefined && !thisYear) {
    const readings = german ? ['dieses Jahr', 'jedes Jahr'] : ['this year', 'every year'];
    throw new Unclear(told('either', { one: readings[0], other: readings[1] }), readings);
  }
  if ((year ?? today.getUTCFullYear()) !== coming) throw new Unclear('which_year_meant_not_certain');
  const pieces = [...without(said, within, ...(thisYear ? [thisYear] : [])), months];
  return { pieces, until: dateOf(Date.UTC(coming, month, 0)) };
}

function dateOf(wall: number): string {
  return new Date(wall).toISOString().slice(0, 10);
}

const OF_TIMES = new Set<Piece['is']>(['clocks', 'part']);

/**
 * "Mondays at 8 and Fridays at 10": days and their times alternate, one group for each. The days may come before or
 * after the times.
 *
 * @returns undefined when all times apply to all days.
 */
export function byDay(pieces: readonly Piece[]): (readonly Piece[])[] | undefined {
  const [first] = pieces;
  const days = pieces.filter(({ is }) => is === 'weekdays');
  const isKnown = pieces.every(({ is }) => is === 'weekdays' || OF_TIMES.has(is));
  if (!first || days.length < 2 || !isKnown) return undefined;
  const daysLead = first.is === 'weekdays';
  const groups: Piece[][] = [];
  let former = !daysLead;
  for (const piece of pieces) {
    const isDays = piece.is === 'weekdays';
    if (isDays === daysLead && isDays !== former) groups.push([]);
    former = isDays;
    groups.at(-1)?.push(piece);
  }
  const isWhole = (group: readonly Piece[]) =>
    group.filter(({ is }) => is === 'weekdays').length === 1 && group.some(({ is }) => OF_TIMES.has(is));
  return groups.every(isWhole) ? groups : undefined;
}
