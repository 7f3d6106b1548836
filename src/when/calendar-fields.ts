import { regex, type Words } from './words.ts';

/** By their number in cron. */
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
export const DAY = '(?:sun|mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?)(?:day)?s?';
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH = [
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?',
  '|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)',
].join('');
export const ORDINALS: Readonly<Record<string, number>> = { first: 1, second: 2, third: 3, fourth: 4, fifth: 5 };
export const ORDINAL = 'first|second|third|fourth|fifth|last|\\d{1,2}(?:st|nd|rd|th)';
const OF_MONTH = ' (?:of|in) (?:the|each|every|a) month';
export const WORKDAY = '(?:week|work|working |business )days?';

/** The dates of a recurrence as cron fields; absent means any. */
export interface Days {
  readonly date?: string | undefined;
  readonly month?: string | undefined;
  readonly week?: string | undefined;
  readonly named: number;
  /** Nothing was said about days. */
  readonly plain: boolean;
  readonly warnings: readonly string[];
}

/** Most specific first: `the second tuesday of the month` would otherwise be taken as every Tuesday. */
export function takeDays(words: Words): Days {
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
