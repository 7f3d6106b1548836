import { Unclear } from './refusal.ts';

const HOUR = 60;
const DAY = 24 * HOUR;

/** The dates of a recurrence as cron fields; absent means any. */
export interface Dates {
  readonly date?: string | undefined;
  readonly month?: string | undefined;
  readonly week?: readonly number[] | undefined;
  /** Weekdays counted within the month, in croner's notation. */
  readonly nth?: string | undefined;
}

/** A span of times of day, in minutes; `to` before `from` is on the next day. */
export interface Hours {
  readonly from: number;
  readonly to: number;
  readonly step: number;
}

/** `every 90 minutes between 9 and 5`: both ends count. Minutes from 1440 on are on the next day. */
export function timesWithin({ from, to, step }: Hours): number[] {
  const end = to < from ? to + DAY : to;
  return Array.from({ length: Math.floor((end - from) / step) + 1 }, (_, index) => from + index * step);
}

/**
 * Cron patterns for times of day on these dates, one for all hours that share their minutes. Times after midnight are
 * on the day after the named one.
 *
 * @param interval the times follow elapsed time when the clocks change, as cron patterns with steps and ranges do.
 */
export function patternsOf(times: readonly number[], dates: Dates, interval = false): string[] {
  const today = times.filter((minute) => minute < DAY);
  const tomorrow = times.filter((minute) => minute >= DAY).map((minute) => minute - DAY);
  const first = grouped(today, interval).map((time) => `${time} ${fields(dates)}`);
  return tomorrow.length === 0
    ? first
    : [...first, ...grouped(tomorrow, interval).map((time) => `${time} ${fields(dayAfter(dates))}`)];
}

/** One pattern for all hours with the same minutes. */
function grouped(times: readonly number[], interval: boolean): string[] {
  const hours = Map.groupBy(
    [...new Set(times)].sort((a, b) => a - b),
    (minute) => Math.floor(minute / HOUR),
  );
  const same = Map.groupBy([...hours], ([, minutes]) => {
    const past = minutes.map((minute) => minute % HOUR);
    return interval ? minuteField(past) : past.join(',');
  });
  return [...same].map(
    ([minutes, list]) =>
      `${minutes} ${hoursOf(
        list.map(([hour]) => hour),
        interval,
      )}`,
  );
}

function minuteField(minutes: readonly number[]): string {
  const step = (minutes[1] ?? 0) - (minutes[0] ?? 0);
  const full = minutes.length > 1 && minutes[0] === 0 && minutes.length * step === HOUR;
  if (!full || minutes.some((minute, index) => minute !== index * step)) return minutes.join(',');
  return step === 1 ? '*' : `*/${step}`;
}

function hoursOf(hours: readonly number[], interval: boolean): string {
  return interval ? hourField(hours) : hours.join(',');
}

/** Three hours or more in a row are a range. */
function hourField(hours: readonly number[]): string {
  const [first = 0] = hours;
  const step = (hours[1] ?? first) - first;
  const even = hours.length > 2 && hours.every((hour, index) => hour === first + index * step);
  if (!even) return hours.join(',');
  const range = hours.length * step === 24 && first === 0 ? '*' : `${first}-${hours.at(-1)}`;
  return step === 1 ? range : `${range}/${step}`;
}

function fields({ date, month, week, nth }: Dates): string {
  return `${date ?? '*'} ${month ?? '*'} ${nth ?? week?.join(',') ?? '*'}`;
}

/** The days after; cron cannot say the day after a date. */
function dayAfter(dates: Dates): Dates {
  if (dates.date !== undefined || dates.nth !== undefined || dates.month !== undefined)
    throw new Unclear('past_midnight_of_date');
  return { ...dates, week: dates.week?.map((day) => (day + 1) % 7).sort() };
}
