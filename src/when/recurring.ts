import { DAY, type Days, ORDINAL, ORDINALS, takeDays, WORKDAY } from './calendar-fields.ts';
import type { CronExpression, StrideUnit } from './cron.ts';
import { DEFAULT_TIME, type TakenTimes, type TimeOfDay, takeTimes } from './time-of-day.ts';
import { COUNT, notUnderstood, readCount, regex, Words } from './words.ts';

/** A recurrence said in English, before it has a zone or a first time. */
export type Recurrence =
  | { readonly kind: 'every'; readonly seconds: number }
  | {
      readonly kind: 'cron';
      readonly patterns: readonly string[];
      readonly stride?: { readonly n: number; readonly unit: StrideUnit } | undefined;
      readonly warnings: readonly string[];
    };

/** One of these makes it a repetition: `every`, `weekly`, `fridays`, `last day of the month`, `monday to friday`. */
const MANY = [
  'every|each|hourly|daily|nightly|weekly|biweekly|fortnightly|monthly|quarterly|yearly|annually',
  `|${WORKDAY}|weekends|(?:sun|mon|tues|wednes|thurs|fri|satur)days`,
  `|(?:${ORDINAL}) [\\w ]*\\bof (?:the|each|every) (?:month|year)|${DAY} ?(?:to|through|-) ?${DAY}`,
].join('');

/** Does the text speak of more than one time? "In 3 working days" names a kind of day, but is one time. */
export function isRecurring(text: string): boolean {
  return regex(`\\b(?:${MANY})\\b`, 'iu').test(text) && !/\bin (?:\w+) (?:business|working) days?\b/iu.test(text);
}

/** @throws AssistantError `bad_time` naming the part that is not clear. */
export function readRecurrence(said: string): Recurrence {
  const words = new Words(said);
  const short = takeShortInterval(words);
  if (short) return short;
  if (/^ (?:every|each) $/u.test(words.rest)) throw notUnderstood(said);
  const taken = takeTimes(words);
  const days = takeDays(words);
  const warnings: string[] = [];
  const stride = takeStride(words);
  if (stride.elapsedSeconds !== undefined && taken.times.length === 0 && days.plain) {
    words.expectNothingLeft();
    return { kind: 'every', seconds: stride.elapsedSeconds };
  }
  words.expectNothingLeft();
  if (taken.groups > 1 && days.named > 1) throw notUnderstood(said, 'which time belongs to which day');
  return {
    kind: 'cron',
    patterns: toPatterns(chosenTimes(taken, warnings), completed(days, stride.unit, said)),
    stride: stride.stride,
    warnings: [...warnings, ...days.warnings],
  };
}

/**
 * `every 15 minutes`, `every 2 hours`, `every hour at :30`. It is elapsed time, unless hours or days limit it, as in
 * `every 15 minutes between 9 and 17 on weekdays`: that makes it a cron pattern.
 */
function takeShortInterval(words: Words): Recurrence | undefined {
  words.replace(/ (?:hourly|every hour on the hour|every full hour)(?=\s)/u, ' every hour at :00');
  const onHour = words.take(/ every hour at :?(\d{2})(?: minutes past)?(?=\s)/u);
  if (onHour) return finishShort(words, { minutes: 60, offset: Number(onHour[1]) });
  const match = words.take(
    // Not `every second tuesday`, where "second" counts weeks.
    regex(
      [
        ` (?:every|each) (?:(${COUNT}|other|second) ?)?(s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?)`,
        `(?=\\s)(?! (?:${DAY}|day|week|month|year)\\b)`,
      ].join(''),
      'u',
    ),
  );
  if (!match) return undefined;
  const count = match[1] === 'second' ? 2 : readCount(match[1]);
  const unit = { s: 1, m: 60, h: 3600 }[match[2]?.charAt(0) ?? 's'] ?? 1;
  const seconds = count * unit;
  if (!Number.isInteger(seconds) || seconds < 1) throw notUnderstood(words.said);
  return finishShort(words, { seconds, minutes: seconds / 60 });
}

/**
 * What limits the interval, and the pattern for it. cron restarts its steps at every full hour and at midnight, so only
 * minutes that divide the hour, or whole hours, can be said in it.
 */
function finishShort(words: Words, step: { minutes: number; seconds?: number; offset?: number }): Recurrence {
  const window = takeWindow(words);
  const days = takeDays(words);
  words.expectNothingLeft();
  if (!window && days.plain && step.offset === undefined) return { kind: 'every', seconds: step.seconds ?? 60 };
  const hours = window ?? '*';
  const dates = `${days.date ?? '*'} ${days.month ?? '*'} ${days.week ?? '*'}`;
  if (step.offset !== undefined && step.offset < 60) return cron(`${step.offset} ${hours} ${dates}`);
  if (step.minutes < 60 && 60 % step.minutes === 0) return cron(`*/${step.minutes} ${hours} ${dates}`);
  if (step.minutes % 60 === 0 && step.minutes <= 12 * 60) return cron(`0 ${hours}/${step.minutes / 60} ${dates}`);
  throw notUnderstood(words.said, 'this interval does not fit into whole hours');
}

function cron(pattern: string): Recurrence {
  return { kind: 'cron', patterns: [pattern], warnings: [] };
}

/** `between 9 and 17` as the hours of a cron pattern. Both ends count: the last run is at 17:xx. */
function takeWindow(words: Words): string | undefined {
  const clock = '(\\d{1,2})(?::00)? ?(am|pm)?';
  const match = words.take(regex(` (?:between|from) ${clock} (?:and|to|until|till|-) ${clock}(?=\\s)`, 'u'));
  if (!match) return undefined;
  const [, from, fromHalf, to, toHalf] = match;
  const start = hourOf(from, fromHalf);
  const end = hourOf(to, toHalf);
  if (start > 23 || end > 23 || end <= start) throw notUnderstood(words.said, match[0].trim());
  return `${start}-${end}`;
}

/** `12 am` is 0 and `12 pm` is 12; without a half it is an hour of the 24-hour clock. */
function hourOf(hour: string | undefined, half: string | undefined): number {
  return (Number(hour) % (half ? 12 : 25)) + (half === 'pm' ? 12 : 0);
}

type Unit = 'day' | 'week' | 'month' | 'year';

interface TakenStride {
  readonly unit?: Unit | undefined;
  readonly stride?: { readonly n: number; readonly unit: StrideUnit } | undefined;
  /** `every 3 days` with no time said: elapsed time. */
  readonly elapsedSeconds?: number | undefined;
}

const ADVERBS: Readonly<Record<string, string>> = {
  daily: 'every day',
  nightly: 'every night',
  weekly: 'every week',
  biweekly: 'every 2 weeks',
  fortnightly: 'every 2 weeks',
  monthly: 'every month',
  yearly: 'every year',
  annually: 'every year',
};

/** `every 3 days`, `every other week`: the unit, and how many of it lie between two runs. */
function takeStride(words: Words): TakenStride {
  words.replace(regex(`(?<= )(?:${Object.keys(ADVERBS).join('|')})(?=\\s)`, 'u'), (word) => ADVERBS[word] ?? word);
  words.replace(/ (?:every|each|a) fortnight(?=\s)/u, ' every 2 weeks');
  const match = words.take(
    regex(` (?:every|each|of the|of every) (?:(${COUNT}|other|second|third) )?(day|week|month|year)s?(?=\\s)`, 'u'),
  );
  if (!match) {
    // The "every" of `every monday`, whose day has been taken already.
    words.take(/ (?:every|each)(?=\s)/u);
    return {};
  }
  const unit = match[2] as Unit;
  const n = match[1] === undefined ? 1 : (ORDINALS[match[1]] ?? readCount(match[1]));
  if (!Number.isInteger(n) || n < 1) throw notUnderstood(words.said);
  if (n === 1) return { unit };
  const elapsedSeconds = unit === 'day' ? n * 86_400 : unit === 'week' ? n * 604_800 : undefined;
  return { unit, stride: unit === 'year' ? { n: n * 12, unit: 'month' } : { n, unit }, elapsedSeconds };
}

/** The times that were said, else the usual one with a warning: the person sees what was assumed before it is saved. */
function chosenTimes(taken: TakenTimes, warnings: string[]): readonly TimeOfDay[] {
  if (taken.assumed) warnings.push(`no hour was given: ${taken.assumed} is taken as ${taken.times[0]?.hour}:00`);
  if (taken.times.length > 0) return taken.times;
  warnings.push('no time was given: 09:00 is taken');
  return [DEFAULT_TIME];
}

/** A week, month or year without a day in it begins on its first. */
function completed(days: Days, unit: Unit | undefined, said: string): string {
  const { date, month, week } = days;
  if (date !== undefined && week !== undefined) throw notUnderstood(said, 'both a date and a weekday');
  if (unit === 'week' && !week) return `${date ?? '*'} ${month ?? '*'} 1`;
  if (unit === 'year' || month !== undefined) return `${week ? '*' : (date ?? '1')} ${month ?? '1'} ${week ?? '*'}`;
  if (unit === 'month' && !week) return `${date ?? '1'} * *`;
  return `${date ?? '*'} ${month ?? '*'} ${week ?? '*'}`;
}

/** One pattern for the hours that share a minute. */
function toPatterns(times: readonly TimeOfDay[], dates: string): string[] {
  const hours = new Map<number, number[]>();
  for (const { hour, minute } of times) hours.set(minute, [...(hours.get(minute) ?? []), hour]);
  return [...hours].map(([minute, list]) => `${minute} ${[...new Set(list)].sort((a, b) => a - b).join(',')} ${dates}`);
}

/** The recurrence with its stride counted from the first date it can fall on. */
export function anchored(recurrence: Recurrence & { kind: 'cron' }, firstDate: string): CronExpression {
  const { patterns, stride } = recurrence;
  return { patterns, stride: stride && { ...stride, from: firstDate } };
}
