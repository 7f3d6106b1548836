import { type ParsedResult, parse } from 'chrono-node/en';

/** A point in time found in a text. */
export interface Moment {
  readonly date: Date;
  /** The words it was read from, and the text without them. */
  readonly words: string;
  readonly rest: string;
  /** False for "on Friday": a day without an hour. */
  readonly hasTime: boolean;
}

/** What chrono does not understand, said in a way that it does. */
const SPELLINGS: readonly (readonly [RegExp, string | ((...groups: string[]) => string)])[] = [
  [/\bhalf past (\w+)/giu, (_all, hour = '') => `${hourOf(hour)}:30`],
  [/\bquarter past (\w+)/giu, (_all, hour = '') => `${hourOf(hour)}:15`],
  [/\bquarter to (\w+)/giu, (_all, hour = '') => `${Number(hourOf(hour)) - 1}:45`],
  [/\b(?:in )?the (morning|afternoon|evening)\b(?= (?:on|of) )/giu, '$1'],
  [/\b(\d{1,2})h(\d{2})\b/giu, '$1:$2'],
  [/\b(\d{1,2}) o'?clock\b/giu, '$1:00'],
  [/\bon the (\d{1,2})(?:st|nd|rd|th)\b(?! of)/giu, (_all, day = '') => `on day ${day}`],
  [/\ba couple of\b/giu, '2'],
  [/\ba (?:half|half an) hour\b|\bhalf an? hour\b/giu, '30 minutes'],
];

const HOURS = ['', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];
const hourOf = (word: string) => {
  const index = HOURS.indexOf(word.toLowerCase());
  return index > 0 ? String(index) : word;
};

/** The hour that a part of the day stands for when none is said. */
const PARTS_OF_DAY: readonly (readonly [RegExp, number])[] = [
  [/\bmorning\b/iu, 9],
  [/\bnoon\b|\blunch ?time\b/iu, 12],
  [/\bafternoon\b/iu, 15],
  [/\bevening\b/iu, 19],
  [/\bto?night\b/iu, 21],
  [/\bmidnight\b/iu, 0],
];

/** The first time that a text speaks of, looking ahead unless it says otherwise. */
export function findMoment(text: string, now: Date): Moment | undefined {
  const spelled = respell(text, now);
  const forwardDate = !/\b(?:last|ago|yesterday|previous|was)\b/iu.test(spelled);
  const found = parse(spelled, now, { forwardDate });
  const best = found.find(({ start }) => start.isCertain('hour')) ?? found[0];
  if (!best) return undefined;
  return settle(best, { spelled, now });
}

function respell(text: string, now: Date): string {
  let spelled = text;
  for (const [pattern, replacement] of SPELLINGS) {
    spelled =
      typeof replacement === 'string' ? spelled.replace(pattern, replacement) : spelled.replace(pattern, replacement);
  }
  return spelled.replace(
    /\bon day (\d{1,2})\b/giu,
    (_all, day: string) => `on ${isoDay(nextDayOfMonth(Number(day), now))}`,
  );
}

function settle(found: ParsedResult, { spelled, now }: { spelled: string; now: Date }): Moment {
  const date = found.start.date();
  const exact = found.start.isCertain('hour') || found.start.isCertain('minute');
  const part = PARTS_OF_DAY.find(([words]) => words.test(found.text));
  if (!exact && part) {
    date.setHours(part[1], 0, 0, 0);
    if (part[1] === 0) date.setDate(date.getDate() + (date <= now ? 1 : 0));
  }
  if (exact && !found.start.isCertain('meridiem')) settleHalfOfDay(found, { date, now });
  const before = spelled.slice(0, found.index).replace(/\b(?:at|on|by|in|for|from|around|before|this)\s*$/iu, '');
  const after = spelled.slice(found.index + found.text.length);
  const rest = `${before.trim()} ${after.trim()}`.trim();
  return { date, words: found.text.trim(), rest, hasTime: exact || part !== undefined };
}

/** "At 5" is the next five o'clock; "tomorrow at 5" the afternoon one, "tomorrow at 8" the morning one. */
function settleHalfOfDay(found: ParsedResult, { date, now }: { date: Date; now: Date }): void {
  const hour = found.start.get('hour') ?? 0;
  if (hour === 0 || hour > 12 || /\b0\d:/u.test(found.text) || /\b(?:morning|noon|am)\b/iu.test(found.text)) return;
  const saysDay = found.start.isCertain('day') || found.start.isCertain('weekday');
  if (saysDay) {
    if (hour <= 6) date.setHours(hour + 12);
    return;
  }
  const twelveHoursMs = 12 * 3_600_000;
  const start = new Date(now);
  start.setHours(hour % 12, found.start.get('minute') ?? 0, found.start.get('second') ?? 0, 0);
  let next = start.getTime();
  while (next <= now.getTime()) next += twelveHoursMs;
  date.setTime(next);
}

function nextDayOfMonth(day: number, now: Date): Date {
  const date = new Date(now.getFullYear(), now.getMonth(), day, 12);
  for (let tries = 0; tries < 12 && (date < now || date.getDate() !== day); tries++) {
    date.setFullYear(date.getFullYear(), date.getMonth() + 1, day);
  }
  return date;
}

function isoDay(date: Date): string {
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

const two = (value: number) => String(value).padStart(2, '0');

/** "Saturday 21 November 2026". */
export function sayDay(date: Date): string {
  return date
    .toLocaleDateString('en-GB', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
    .replace(',', '');
}

/** "09:05", with seconds only when there are any. */
export function sayTime(date: Date): string {
  const seconds = date.getSeconds() === 0 ? '' : `:${two(date.getSeconds())}`;
  return `${two(date.getHours())}:${two(date.getMinutes())}${seconds}`;
}

/** "today at 17:00", "tomorrow at 09:00", "on Friday 27 November 2026 at 09:00". */
export function sayMoment(date: Date, now: Date): string {
  const days = daysBetween(now, date);
  const day = days === 0 ? 'today' : days === 1 ? 'tomorrow' : `on ${sayDay(date)}`;
  return `${day} at ${sayTime(date)}`;
}

/** Whole calendar days from one date to another, in local time. */
export function daysBetween(from: Date, to: Date): number {
  const day = (date: Date) => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
  return Math.round((day(to) - day(from)) / 86_400_000);
}
