import { counted } from '../base/text.ts';
import { monthName } from '../words/months.ts';
import { weekdayName } from '../words/weekdays.ts';
import { DAY_MS, HOUR_MS, zoneOf } from './zone.ts';

export type CalendarUnit = 'day' | 'week' | 'month' | 'year';

/** `2026-11-20`, the calendar date of an instant in a zone. */
export function localDate(at: Date, timeZone: string): string {
  return wallClock(at, timeZone).toISOString().slice(0, 10);
}

/** `2026-11-20 09:05:00`, date and time of an instant in a zone. */
export function localTime(at: Date, timeZone: string): string {
  return wallClock(at, timeZone).toISOString().slice(0, 19).replace('T', ' ');
}

/** The first instant of the calendar day that `at` falls on: not always midnight, where clocks change at midnight. */
export function startOfDay(at: Date, timeZone: string): Date {
  return fromWallClock(`${localDate(at, timeZone)}T00:00:00Z`, timeZone);
}

/** The first instant of the calendar month that `at` falls in. */
export function startOfMonth(at: Date, timeZone: string): Date {
  return fromWallClock(`${localDate(at, timeZone).slice(0, 7)}-01T00:00:00Z`, timeZone);
}

/** `Saturday 21 November 2026`. */
export function sayDay(at: Date, timeZone: string): string {
  return `${sayWeekday(at, timeZone)} ${sayDate(at, timeZone)}`;
}

/** `Saturday`. */
export function sayWeekday(at: Date, timeZone: string): string {
  return weekdayName(wallClock(at, timeZone).getUTCDay());
}

/** `21 November 2026`. */
export function sayDate(at: Date, timeZone: string): string {
  return `${wallClock(at, timeZone).getUTCDate()} ${sayMonth(at, timeZone)}`;
}

/** `November 2026`. */
export function sayMonth(at: Date, timeZone: string): string {
  const local = wallClock(at, timeZone);
  return `${monthName(local.getUTCMonth())} ${local.getUTCFullYear()}`;
}

/** `09:05`; seconds only when they are not zero. */
export function sayTime(at: Date, timeZone: string): string {
  return localTime(at, timeZone).slice(11).replace(/:00$/u, '');
}

/** `today at 17:00`, `tomorrow at 09:00`, `on Friday 27 November 2026 at 09:00`. */
export function sayDayAndTime(at: Date, now: Date, timeZone: string): string {
  return `${sayNearDay(at, now, timeZone)} at ${sayTime(at, timeZone)}`;
}

/** `today`, `tomorrow`, `on Friday 27 November 2026`. */
export function sayNearDay(at: Date, now: Date, timeZone: string): string {
  const days = daysBetween(now, at, timeZone);
  return days === 0 ? 'today' : days === 1 ? 'tomorrow' : `on ${sayDay(at, timeZone)}`;
}

/** Calendar days from one instant to another, negative when `to` comes first; the time of day does not count. */
export function daysBetween(from: Date, to: Date, timeZone: string): number {
  const day = (at: Date) => Math.floor(wallClock(at, timeZone).getTime() / DAY_MS);
  return day(to) - day(from);
}

/** The days from Monday to Friday after one day, up to and including another; holidays count as well. */
export function workdaysBetween(from: Date, to: Date, timeZone: string): number {
  const days = Math.abs(daysBetween(from, to, timeZone));
  const first = wallClock(from < to ? from : to, timeZone).getUTCDay();
  const rest = Array.from({ length: days % 7 }, (_, index) => (first + 1 + index) % 7);
  return Math.floor(days / 7) * 5 + rest.filter((weekday) => weekday % 6 !== 0).length;
}

/** Whole years from one instant to another, as ages are counted. */
export function yearsBetween(from: Date, to: Date, timeZone: string): number {
  const [a, b] = [localDate(from, timeZone), localDate(to, timeZone)];
  const complete = b.slice(5) >= a.slice(5);
  return Number(b.slice(0, 4)) - Number(a.slice(0, 4)) - (complete ? 0 : 1);
}

/** Move along the calendar at the same time of day. In a month that lacks the day, the result is its last day. */
export function addToDate(
  at: Date,
  amount: number,
  { unit, timeZone }: { unit: CalendarUnit; timeZone: string },
): Date {
  const local = wallClock(at, timeZone);
  if (unit === 'day' || unit === 'week') {
    local.setUTCDate(local.getUTCDate() + amount * (unit === 'week' ? 7 : 1));
    return fromWallClock(local, timeZone);
  }
  const day = local.getUTCDate();
  local.setUTCDate(1);
  local.setUTCMonth(local.getUTCMonth() + amount * (unit === 'year' ? 12 : 1));
  local.setUTCDate(Math.min(day, daysInMonth(local.getUTCFullYear(), local.getUTCMonth() + 1)));
  return fromWallClock(local, timeZone);
}

/** @param month 1 to 12. */
export function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** The ISO 8601 week, 1 to 53: weeks start on Monday and belong to the year of their Thursday. */
export function isoWeek(at: Date, timeZone: string): number {
  const thursday = wallClock(at, timeZone);
  thursday.setUTCDate(thursday.getUTCDate() + 4 - (thursday.getUTCDay() || 7));
  const newYear = Date.UTC(thursday.getUTCFullYear(), 0, 1);
  return Math.floor((thursday.getTime() - newYear) / (7 * DAY_MS)) + 1;
}

/** `3 hours and 5 minutes` between two instants, in either order; days are given as hours. */
export function sayHoursBetween(a: Date, b: Date): string {
  const minutes = Math.round(Math.abs(a.getTime() - b.getTime()) / (HOUR_MS / 60));
  const [hours, rest] = [Math.floor(minutes / 60), counted(minutes % 60, 'minute')];
  if (hours === 0) return rest;
  return minutes % 60 === 0 ? counted(hours, 'hour') : `${counted(hours, 'hour')} and ${rest}`;
}

/** A `Date` whose UTC fields read what a clock in the zone shows: never to be used as an instant. */
function wallClock(at: Date, timeZone: string): Date {
  return new Date(zoneOf(timeZone).wallAt(at.getTime()));
}

/** The instant at which clocks in the zone show this: a text with `Z`, or a `Date` by its UTC fields. */
export function fromWallClock(wall: Date | string, timeZone: string): Date {
  return new Date(zoneOf(timeZone).instantAt(new Date(wall).getTime()));
}
