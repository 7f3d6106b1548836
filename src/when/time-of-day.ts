import type { Clock, Part } from './grammar/piece.ts';
import { Unclear } from './refusal.ts';
import { told } from './told.ts';

/** How to read hours without am or pm. */
export interface Manner {
  /**
   * The words come from a conversation: "at 5" is the next five o'clock and "tomorrow at 5" the afternoon one.
   * Otherwise hours are those of a 24-hour clock.
   */
  readonly spoken?: boolean | undefined;
  /** It is about getting up: hours are in the morning. */
  readonly waking?: boolean | undefined;
  /** German speakers say "um 5" for both morning and afternoon, and use the 24-hour clock with minutes. */
  readonly german?: boolean | undefined;
}

/** The time that each part of the day stands for without an hour, in minutes of the day. */
export const USUAL: Readonly<Record<Part, number>> = { morning: 540, afternoon: 900, evening: 1140, night: 1260 };
/** The default for a day without a time. */
export const DEFAULT_MINUTE = 540;

const HOUR = 60;
const NOON = 12 * HOUR;
const DAY = 24 * HOUR;
/** The range of each part of the day, in minutes; the night continues after midnight. */
const SPAN: Readonly<Record<Part, readonly [number, number]>> = {
  morning: [HOUR, NOON - 1],
  afternoon: [NOON, 19 * HOUR],
  evening: [16 * HOUR, DAY],
  night: [18 * HOUR, DAY + 6 * HOUR],
};
/** "Tomorrow at 6" is in the afternoon, "tomorrow at 7" in the morning. */
const LATEST_AFTERNOON = 6 * HOUR + 59;
/** Nobody means these hours unless they say so. */
const SMALL_HOURS = 6 * HOUR;
/** Before dawn, an hour as near as this is the next one. */
const SOON = 3 * HOUR;
/** Nobody gets up before. */
const EARLIEST_RISE = 4 * HOUR;

/**
 * The hour in its part of the day: `7 in the evening` is 19:00, `1 at night` is 25:00, an hour of the next day.
 *
 * @throws Unclear when the part does not have such an hour.
 */
export function inPart(clock: Clock, part: Part): number {
  const minute = clock.midnight ? DAY : clock.minute;
  const readings = clock.either ? [minute % NOON, (minute % NOON) + NOON] : [minute];
  const [from, to] = SPAN[part];
  const found = [...readings, ...readings.map((reading) => reading + DAY)].filter(
    (reading) => reading >= from && reading <= to,
  );
  if (found[0] === undefined || found.length > 1)
    throw new Unclear(told('not_in_part', { time: showMinute(minute), part: told(`in_${part}`) }));
  return found[0];
}

/**
 * The minute of a named day, or of every day.
 *
 * @throws Unclear when morning and afternoon are equally likely.
 */
export function onNamedDay(clock: Clock, manner: Manner, repeated = false): number {
  if (clock.midnight && !repeated) throw new Unclear('midnight_is_twofold');
  if (!manner.spoken || !clock.either) return clock.minute;
  if (rises(clock, manner)) return clock.minute;
  if (clock.asked) throw eitherHalf(clock.minute);
  if (clock.minute > LATEST_AFTERNOON) return clock.minute;
  if (manner.german && clock.digital) return clock.minute;
  if (manner.german || clock.digital || repeated) throw eitherHalf(clock.minute);
  return clock.minute + NOON;
}

/**
 * The next time that a clock shows this, when no day was named; in minutes from the beginning of today.
 *
 * @param now minutes of today, with a fraction.
 */
export function nextShown(clock: Clock, now: number, manner: Manner): number {
  if (clock.midnight) return DAY;
  const next = (minute: number) => (minute > now ? minute : minute + DAY);
  if (!manner.spoken || !clock.either) return next(clock.minute);
  if (rises(clock, manner)) return next(clock.minute);
  if (clock.asked) throw eitherHalf(clock.minute);
  const half = clock.minute % NOON;
  const onFace = [half, half + NOON, half + DAY].find((minute) => minute > now) ?? half + DAY;
  if (onFace >= DAY && onFace < DAY + SMALL_HOURS) throw eitherHalf(half);
  if (onFace < SMALL_HOURS && onFace - now > SOON) throw eitherHalf(half);
  if (manner.german && onFace !== next(clock.minute)) throw eitherHalf(half);
  return onFace;
}

/** The next time today that a clock shows this; in the past if there is no such time left. */
export function laterToday(clock: Clock, now: number, manner: Manner): number {
  if (clock.midnight) return DAY;
  if (!manner.spoken || !clock.either) return clock.minute;
  if (clock.minute > now) {
    const sure = clock.minute > LATEST_AFTERNOON || (manner.german && clock.digital);
    if (!rises(clock, manner) && (clock.asked || !sure)) throw eitherHalf(clock.minute);
    return clock.minute;
  }
  const later = (clock.minute % NOON) + NOON;
  return later > now ? later : clock.minute;
}

/** People get up in the morning. */
function rises({ minute }: Clock, { waking }: Manner): boolean {
  return waking === true && minute >= EARLIEST_RISE && minute < NOON;
}

function eitherHalf(minute: number): Unclear {
  const readings = [showMinute(minute % NOON), showMinute((minute % NOON) + NOON)];
  return new Unclear(told('either', { one: readings[0], other: readings[1] }), readings);
}

/** `09:05` */
export function showMinute(minute: number): string {
  const two = (n: number) => String(n).padStart(2, '0');
  return `${two(Math.floor(minute / HOUR) % 24)}:${two(minute % HOUR)}`;
}
