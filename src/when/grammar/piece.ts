import type { Why } from '../refusal.ts';
/** A length of time: elapsed (`ms`), or along the calendar. */
export interface Amount {
  readonly ms: number;
  readonly days: number;
  readonly months: number;
  readonly workdays: number;
}

export const NO_AMOUNT: Amount = { ms: 0, days: 0, months: 0, workdays: 0 };

/** Calendar units and shorter ones. */
export type Unit =
  | 'second'
  | 'minute'
  | 'hour'
  | 'day'
  | 'week'
  | 'month'
  | 'quarter'
  | 'year'
  | 'workday'
  | 'weekend'
  | 'night';

export type Part = 'morning' | 'afternoon' | 'evening' | 'night';

/** A time of day. */
export interface Clock {
  /** Minute of the day, 0 to 1440. */
  readonly minute: number;
  /** An hour from 1 to 12 without am or pm: it may be in either half of the day. */
  readonly either: boolean;
  /** Said as "midnight", which belongs to two days. */
  readonly midnight?: boolean | undefined;
  /** Written with minutes, as in `6:45`. */
  readonly digital?: boolean | undefined;
  /** Nothing around it but a part of the day says which half of the day is meant. */
  readonly asked?: boolean | undefined;
}

/** Which weekday in a month: `2` the second, `-1` the last. */
export type Which = 'this' | 'next' | 'coming' | 'last' | 'week after' | undefined;

/** The meaning of consecutive words of time that one rule read. */
export type Piece =
  | { readonly is: 'clocks'; readonly clocks: readonly Clock[] }
  | { readonly is: 'part'; readonly part: Part }
  | { readonly is: 'instant'; readonly text: string }
  | { readonly is: 'relative'; readonly days: number; readonly night?: boolean }
  | { readonly is: 'weekday'; readonly day: number; readonly which: Which }
  | {
      readonly is: 'date';
      readonly day: number;
      readonly month?: number | undefined;
      readonly year?: number | undefined;
    }
  | { readonly is: 'span'; readonly unit: Unit; readonly which: 'this' | 'next' | 'last' }
  | { readonly is: 'in'; readonly amount: Amount; readonly sign: 1 | -1 }
  | { readonly is: 'shift'; readonly amount: Amount; readonly sign: 1 | -1 }
  | {
      readonly is: 'every';
      readonly n: number;
      readonly unit: Unit;
      readonly onTheHour?: boolean;
      readonly times?: number;
    }
  | { readonly is: 'every-part'; readonly part: Part }
  | { readonly is: 'weekdays'; readonly days: readonly number[]; readonly stride: number }
  | {
      readonly is: 'nth';
      readonly nths: readonly number[];
      readonly day: number | 'day' | 'workday';
      readonly month?: number | undefined;
      readonly year?: number | undefined;
      readonly of: 'month' | 'this' | 'next' | 'named';
    }
  | { readonly is: 'monthly'; readonly days: readonly number[] }
  | { readonly is: 'yearly'; readonly day: number; readonly month: number }
  | { readonly is: 'months'; readonly months: readonly number[] }
  | { readonly is: 'within'; readonly month: number; readonly year?: number | undefined }
  | { readonly is: 'until'; readonly day: Piece }
  | { readonly is: 'minutes'; readonly minute: number }
  | { readonly is: 'window'; readonly from: number; readonly to: number }
  | { readonly is: 'except'; readonly days: readonly number[] }
  | { readonly is: 'unclear'; readonly why: Why };

export type PieceOf<Is extends Piece['is']> = Extract<Piece, { is: Is }>;

/** A part of the sentence that refers to time. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** A piece and its words. */
export interface Place extends Stretch {
  readonly piece: Piece;
}

/** Pieces of one kind. */
export function piecesOf<Is extends Piece['is']>(pieces: readonly Piece[], is: Is): PieceOf<Is>[] {
  return pieces.filter((piece): piece is PieceOf<Is> => piece.is === is);
}

/** Pieces that refer to more than one time. */
export const REPEATING: ReadonlySet<Piece['is']> = new Set<Piece['is']>([
  ...(['every', 'every-part', 'weekdays', 'monthly', 'yearly', 'months', 'except'] as const),
]);
