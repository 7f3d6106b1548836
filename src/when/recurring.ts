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

/** By their number in cron. */
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const DAY = '(?:sun|mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?)(?:day)?s?';
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH = [
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?',
  '|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)',
].join('');
const ORDINALS: Readonly<Record<string, number>> = { first: 1, second: 2, third: 3, fourth: 4, fifth: 5 };
const ORDINAL = 'first|second|third|fourth|fifth|last|\\d{1,2}(?:st|nd|rd|th)';
const OF_MONTH = ' (?:of|in) (?:the|each|every|a) month';
const WORKDAY = '(?:week|work|working |business )days?';

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

/** The dates of a recurrence as cron fields; absent means any. */
interface Days {
  readonly date?: string | undefined;
  readonly month?: string | undefined;
  readonly week?: string | undefined;
  readonly named: number;
  /** Nothing was said about days. */
  readonly plain: boolean;
  readonly warnings: readonly string[];
}

/** Most specific first: `the second tuesday of the month` would otherwise be taken as every Tuesday. */
function takeDays(words: Words): Days {
  const warnings: string[] = [];
  const nth = takeNthWeekdays(words);
  const dates = nth ? undefined : takeDates(words);
  const week = nth ?? takeWeekdays(words, warnings);
  const months = takeMonths(words);
  const named = (week?.split(',').length ?? 0) + (dates?.split(',').length ?? 0);
  return { date: dates, month: months, week, named, plain: !week && !dates && !months, warnings };
}

/** `the second tuesday of the month`, `first and third monday of every month`. */
function takeNthWeekdays(words: Words): string | undefined {
  const month = `(?:${OF_MONTH}| monthly|(?: (?:of|in) (?=${MONTH}\\b)))`;
  const one = regex(
    ` (?:on )?(?:every |each )?(?:the )?((?:${ORDINAL})(?:(?: ,| and)+ (?:the )?(?:${ORDINAL}))*) (${DAY})${month}`,
    'u',
  );
  const after = regex(` (?:every|each) month on the (${ORDINAL}) (${DAY})(?=\\s)`, 'u');
  const match = words.take(one) ?? words.take(after);
  if (!match) return undefined;
  const day = dayNumber(match[2] ?? '');
  return (match[1] ?? '')
    .split(/(?: ,| and)+ (?:the )?/u)
    .map((ordinal) => `${day}#${ordinal === 'last' ? 'L' : ordinalNumber(ordinal)}`)
    .join(',');
}

/** `second` and `2nd` are 2. */
function ordinalNumber(word: string): number {
  return ORDINALS[word] ?? Number.parseInt(word, 10);
}

/** Dates of the month: `on the 1st and 15th`, `last day of the month`, `first weekday of the month`. */
function takeDates(words: Words): string | undefined {
  const end =
    words.take(
      regex(
        [
          ` (?:on )?(?:every |each )?(?:the )?(first|last) (day|${WORKDAY})`,
          `(?:${OF_MONTH}|(?= monthly| (?:every|each) month))`,
        ].join(''),
        'u',
      ),
    ) ??
    words.take(regex(` (?:on )?(?:the )?(last|first) (day|${WORKDAY}) of (?=${MONTH}\\b)`, 'u')) ??
    words.take(/ (?:at )?(?:the )?(end) of (?:the|each|every) (month)(?=\s)/u);
  if (end) {
    words.take(/ (?:every|each) month(?=\s)/u);
    // croner's marks: L is the last day of the month, 1W and LW its first and last weekday.
    if (end[2] === 'day' || end[2] === 'month') return end[1] === 'first' ? '1' : 'L';
    return end[1] === 'first' ? '1W' : 'LW';
  }
  const date = '(?:the )?(?:\\d{1,2}(?:st|nd|rd|th))(?: day)?';
  const listed = words.take(
    regex(` (?:on |every |each )*(${date}(?:(?: ,| and)+ ${date})*)(?:${OF_MONTH}| of(?= ))?(?=\\s)`, 'u'),
  );
  if (listed) return numbers(listed[1]);
  const beside =
    words.take(regex(`(?<= ${MONTH}) (\\d{1,2})(?=\\s)`, 'u')) ?? words.take(regex(` (\\d{1,2})(?= ${MONTH}\\s)`, 'u'));
  return beside ? numbers(beside[1]) : undefined;
}

function numbers(text: string | undefined): string {
  return (text ?? '').match(/\d+/gu)?.join(',') ?? '1';
}

/** `on weekdays`, `monday to friday`, `every second tuesday` as a cron field; Sunday is 0. */
function takeWeekdays(words: Words, warnings: string[]): string | undefined {
  const except = words.take(regex(` (?:except|but not) (?:on )?(${DAY})(?=\\s)`, 'u'))?.[1];
  if (words.take(regex(` (?:on |every |each )*${WORKDAY}(?=\\s)`, 'u'))) return '1-5';
  if (words.take(/ (?:on |every |each |the )*week-?ends?(?=\s)/u)) return '0,6';
  const range = words.take(regex(` (?:from )?(${DAY}) ?(?:to|through|until|till|-|–) ?(${DAY})(?=\\s)`, 'u'));
  if (range) return daysFromTo(dayNumber(range[1] ?? ''), dayNumber(range[2] ?? ''));
  if (except !== undefined) return [0, 1, 2, 3, 4, 5, 6].filter((day) => day !== dayNumber(except)).join(',');
  const ordinal = words.take(regex(` (?:every|each) (second|third|fourth|other) (?=${DAY}\\s)`, 'u'))?.[1];
  if (ordinal) words.replace(/^/u, ` every ${ordinal === 'other' ? 2 : ordinalNumber(ordinal)} weeks`);
  if (ordinal && ordinal !== 'other')
    warnings.push(`read as every ${ordinalNumber(ordinal)} weeks; for one a month say "the ${ordinal} … of the month"`);
  const days = words
    .takeAll(regex(` (?:on |every |each |and |, )*(${DAY})(?=\\s)`, 'u'))
    .map((match) => dayNumber(match[1] ?? ''));
  return days.length === 0 ? undefined : [...new Set(days)].sort().join(',');
}

/** Around the weekend, too: `friday to monday` is `0,1,5,6`. */
function daysFromTo(from: number, to: number): string {
  const count = ((to - from + 7) % 7) + 1;
  return Array.from({ length: count }, (_, index) => (from + index) % 7)
    .sort()
    .join(',');
}

function dayNumber(word: string): number {
  return DAYS.indexOf(word.slice(0, 3));
}

/** Named months, or the first months of the quarters, as a cron field. */
function takeMonths(words: Words): string | undefined {
  if (words.take(/ (?:quarterly|(?:every|each) quarter)(?=\s)/u)) return '1,4,7,10';
  const found = words.takeAll(regex(` (?:in |of |on |every |each |and |, )*(${MONTH})(?=\\s)`, 'u'));
  const months = found.map((match) => MONTHS.indexOf((match[1] ?? '').slice(0, 3)) + 1);
  return months.length === 0 ? undefined : [...new Set(months)].sort((a, b) => a - b).join(',');
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
