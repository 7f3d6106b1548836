import { AssistantError } from '../base/errors.ts';
import { NUMBER_WORDS } from '../base/number-words.ts';
import { regex, type Words } from './words.ts';

/** A time of day. */
export interface TimeOfDay {
  readonly hour: number;
  readonly minute: number;
  /** An hour from 1 to 12 as spoken, without am or pm or a leading zero: people may mean either half of the day. */
  readonly eitherHalf?: boolean | undefined;
}

/** What was said about the time of day. */
export interface TakenTimes {
  readonly times: readonly TimeOfDay[];
  /** How many separate places named times: `at 9 and 17` is one, `monday at 9, friday at 17` two. */
  readonly groups: number;
  /** A part of the day without an hour: the hour was chosen for the person. */
  readonly assumed?: string | undefined;
}

/** What the words for parts of the day mean when no hour is given. */
const PARTS: ReadonlyMap<string, TimeOfDay> = new Map([
  ['morning', { hour: 9, minute: 0 }],
  ['noon', { hour: 12, minute: 0 }],
  ['midday', { hour: 12, minute: 0 }],
  ['midnight', { hour: 0, minute: 0 }],
  ['afternoon', { hour: 15, minute: 0 }],
  ['evening', { hour: 19, minute: 0 }],
  ['night', { hour: 21, minute: 0 }],
]);
const EXACT_PARTS: ReadonlySet<string> = new Set(['noon', 'midday', 'midnight']);
const LATE_PARTS: ReadonlySet<string> = new Set(['afternoon', 'evening', 'night']);

/** For a day without a time of day. */
export const DEFAULT_TIME: TimeOfDay = { hour: 9, minute: 0 };

/** The hours in words, one to twelve. */
const HOURS = [...NUMBER_WORDS.keys()].slice(1, 13);
/** ` pm`, `a.m.`; its group is the half of the day. */
const HALF = String.raw`(?: ?(a\.?m|p\.?m)\b\.?)`;
const HALF_NO_GROUP = HALF.replace('(a', '(?:a');
/** Any number that may be a time behind "at": `9`, `9:30`, `18h30`, `7 pm`, `8 o'clock`. */
const CLOCK = String.raw`\d{1,2}(?:[:.h]\d{2})?${HALF_NO_GROUP}?(?: ?(?:o'clock|uhr|h)\b)?`;
/** A number that is a time without "at", because something says so: minutes, am or pm, o'clock. */
const MARKED = String.raw`\d{1,2}(?:[:.h]\d{2}${HALF_NO_GROUP}?|${HALF_NO_GROUP}| ?(?:o'clock|uhr|h)\b)`;
/** Further times in one list: `, 12 and 17`. */
const MORE = `(?:(?: ,| and| &| or)+ (?:at )?${CLOCK})*`;
const AT = new RegExp(String.raw`(?<=\s)(?:at|@) ?(${CLOCK}${MORE})(?=\s)`, 'u');
const BARE = new RegExp(String.raw`(?<=\s)(${MARKED}${MORE})(?=\s)`, 'u');
const ONE = new RegExp(String.raw`^(\d{1,2})(?:[:.h](\d{2}))?${HALF}?`, 'u');
/** `half past five`, `a quarter to nine pm`. "Half five" is half past, as in British English. */
const SPELLED = new RegExp(
  String.raw`(?: at)? (half past|half|a?\s?quarter past|a?\s?quarter to) (\d{1,2}|[a-z]+)${HALF}?(?=\s)`,
  'u',
);
const PART =
  /(?: (?:in|at|of|during))?(?: the| this)? (morning|noon|midday|afternoon|evening|tonight|night|midnight)s?(?=\s)/u;

/**
 * Take the times of day out of the words: `at 9`, `9:30pm`, `18.30`, `half past five`, `noon`, `at 9, 12 and 17`,
 * `7 in the evening`.
 *
 * @throws AssistantError `bad_time` for an hour or minute that no clock shows.
 */
export function takeTimes(words: Words): TakenTimes {
  words.replace(regex(`(?<= at )(${HOURS.join('|')})(?=\\s)`, 'gu'), (hour) => String(NUMBER_WORDS.get(hour)));
  const spelled = words.takeAll(SPELLED).map(readSpelled);
  const groups = [...words.takeAll(AT), ...words.takeAll(BARE)].map((match) => readGroup(match[1] ?? ''));
  const part = words.take(PART)?.[1];
  if (part === 'tonight') words.replace(/^/u, ' today');
  return withPart([...spelled, ...groups.flat()], spelled.length + groups.length, part?.replace('tonight', 'night'));
}

/** "7 in the evening" moves the hour; "in the evening" alone stands for its usual hour. */
function withPart(times: readonly TimeOfDay[], groups: number, part: string | undefined): TakenTimes {
  if (part === undefined) return { times, groups };
  const inPart = LATE_PARTS.has(part) ? afternoon : (time: TimeOfDay) => time;
  if (times.length > 0) return { times: times.map((time) => ({ ...inPart(time), eitherHalf: false })), groups };
  const usual = PARTS.get(part) ?? DEFAULT_TIME;
  return { times: [usual], groups: 1, assumed: EXACT_PARTS.has(part) ? undefined : part };
}

function afternoon(time: TimeOfDay): TimeOfDay {
  return time.hour >= 1 && time.hour < 12 ? { ...time, hour: time.hour + 12 } : time;
}

/** `half past five`, `quarter to nine`. */
function readSpelled([text = '', kind = '', spoken = '', half]: RegExpExecArray): TimeOfDay {
  const said = /^\d/u.test(spoken) ? Number(spoken) : (NUMBER_WORDS.get(spoken) ?? 24);
  if (said > 23) throw badClock(text);
  const hour = toHour(said, half);
  const eitherHalf = half === undefined && said <= 12;
  if (kind.endsWith('to')) return { hour: (hour + 23) % 24, minute: 45, eitherHalf };
  return { hour, minute: kind.includes('quarter') ? 15 : 30, eitherHalf };
}

/** `9, 12 and 5pm`: an am or pm at the end does not reach back, as each hour is usually said in full. */
function readGroup(text: string): TimeOfDay[] {
  return text.split(/(?: ,| and| &| or)+ (?:at )?/u).map(readClock);
}

/** `24:00` is midnight; `13pm` and `0am` are on no clock. */
function readClock(text: string): TimeOfDay {
  const [, hour = '', minute = '0', half] = ONE.exec(text) ?? [];
  const time = { hour: Number(hour), minute: Number(minute) };
  const pastMidnight = time.hour === 24 && time.minute === 0;
  if ((time.hour > 23 && !pastMidnight) || time.minute > 59 || (half && (time.hour > 12 || time.hour === 0)))
    throw badClock(text);
  const eitherHalf = half === undefined && /^(?:[1-9]|1[0-2])(?!\d)/u.test(text) && !/\d ?(?:h|uhr)\b/u.test(text);
  return { hour: toHour(time.hour % 24, half), minute: time.minute, eitherHalf };
}

/** The hour of the 24-hour clock: 12 am is 0, 12 pm is 12. */
function toHour(hour: number, half: string | undefined): number {
  if (half?.startsWith('p')) return hour === 12 ? 12 : hour + 12;
  if (half?.startsWith('a')) return hour === 12 ? 0 : hour;
  return hour;
}

function badClock(text: string): AssistantError {
  return new AssistantError('bad_time', `"${text.trim()}" is not a time of day.`, {
    hint: 'Say 9:30, 21:30 or 9:30pm.',
  });
}
