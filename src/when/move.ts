import type { AssistantError } from '../base/errors.ts';
import { pattern } from '../base/pattern.ts';
import { anyWeekday } from '../words/weekdays.ts';
import { addToDate, localDate, sayTime } from './calendar.ts';
import { countedFrom, readExpression, showExpression } from './cron.ts';
import { findTime } from './find.ts';
import { readSentence } from './grammar/read.ts';
import { notUnderstood, Unclear } from './refusal.ts';
import { readSpoken, type SpokenOptions } from './spoken.ts';
import { refusal, told } from './told.ts';
import { describe, LONGEST_CHARS, type UnderstandOptions, type Understood, understand } from './understand.ts';
import { orUnclear, readTime } from './words.ts';
import { DAY_MS, MINUTE_MS, showWall, zoneOf } from './zone.ts';

export interface MoveOptions extends UnderstandOptions {
  /** When it would run; undefined for a repetition. */
  readonly current: Date | undefined;
  /** The repetition as the person said it, and as it is stored. */
  readonly repeating?: { readonly said: string; readonly expression: string } | undefined;
}

/** The new time, and the words to store for it. */
export type Moved = Understood & { readonly anchor: Date; readonly said: string };

/** `an hour later`, `30 Minuten früher`, `by two days`: relative to its present time. */
const LATER = /^(?:back )?(?:(?:by|um) )?(.+?) (later|earlier|sooner|später|spaeter|früher|frueher)$/iu;
/** `three days earlier at 7pm` */
const LATER_AT = /^(.+ (?:later|earlier|sooner|später|spaeter|früher|frueher)),? (?:at|um) (.+)$/iu;
const BY = /^back by (.+)$/iu;
const EARLIER = /^(?:earlier|sooner|fr)/iu;
const GERMAN = /^(?:sp|fr)/iu;
/** "To 3pm", "auf 15 Uhr". */
const TO = /^(?:to|auf)\s+(?=\S)/iu;
/** "Make it 5": an hour without a preposition. */
const HOUR_ALONE = /^(?:to |auf )?(1?\d|2[0-3])$/iu;
/** Written as on a 24-hour clock, which for many people, though not for all, settles the half of the day. */
const WRITTEN = /\d[:.]\d\d|\buhr\b/iu;

/**
 * Understand what a person says about when to move something to. What is not said stays as it is: a time of day alone
 * keeps the day, or the days of a repetition; a day alone keeps the time of day.
 *
 * @throws AssistantError `bad_time` as `understand` does, and when the day would have to be guessed.
 */
export function understandMove(words: string, options: MoveOptions): Moved {
  const said = words.trim().replace(HOUR_ALONE, 'at $1');
  const otherwise = atOtherTime(said, options) ?? onOtherDay(said, options);
  return otherwise ?? { ...understoodMove(said, options), said };
}

function understoodMove(said: string, options: MoveOptions): Omit<Moved, 'said'> {
  const text = said.trim().replace(/\s+/gu, ' ').replace(TO, '');
  const { current, ...plain } = options;
  if (text.length > LONGEST_CHARS) return understand(text, plain);
  const at = shiftedTo(text, options) ?? relative(text, options) ?? spoken(text, options);
  if (at === undefined) return understand(text, plain);
  if (at <= options.from) throw passed(said, at, options);
  return understand(at.toISOString(), plain);
}

/** `three days earlier at 7pm`. */
function shiftedTo(text: string, options: MoveOptions): Date | undefined {
  const [, shift, time] = LATER_AT.exec(text) ?? [];
  const current = shift === undefined ? undefined : relative(shift, options);
  return current && time !== undefined && isTimeOfDay(time) ? spoken(time, { ...options, current }) : undefined;
}

/** `an hour later`. */
function relative(text: string, { current, timeZone }: MoveOptions): Date | undefined {
  const [, amount = BY.exec(text)?.[1], direction = 'later'] = LATER.exec(text) ?? [];
  if (amount === undefined || current === undefined) return undefined;
  const earlier = GERMAN.test(direction) ? `vor ${amount}` : `${amount} ago`;
  const meaning = readTime(EARLIER.test(direction) ? earlier : `in ${amount}`, { timeZone, from: current });
  if (meaning.kind !== 'once') throw notUnderstood(text);
  return meaning.once.at;
}

/** A single time: a time of day keeps the present day, and a day keeps the present time of day. */
function spoken(text: string, { current, timeZone, from }: MoveOptions): Date | undefined {
  const keepsDay = current && isTimeOfDay(text);
  const found = readSpoken(keepsDay ? `${localDate(current, timeZone)} ${text}` : text, { timeZone, now: from });
  if (found?.kind === 'once') return keepsDay ? inNearerHalf(text, found.at, { current, timeZone, from }) : found.at;
  return found?.kind === 'day' && current ? atTimeOf(current, found.at, timeZone) : undefined;
}

/**
 * "At 8" for something at 19:00 is an hour later, not in the morning: the nearer half of the day is taken.
 *
 * @throws AssistantError `bad_time`, with a question, when the nearer one is far away as well.
 */
function inNearerHalf(text: string, at: Date, { current = at, timeZone, from }: MoveOptions): Date {
  const zone = zoneOf(timeZone);
  const wall = zone.wallAt(at.getTime());
  const other = new Date(zone.instantAt(wall + (wall % DAY_MS < DAY_MS / 2 ? DAY_MS / 2 : -DAY_MS / 2)));
  const far = (time: Date) => Math.abs(time.getTime() - current.getTime());
  if (saysHalf(text) || other <= from || far(at) <= far(other)) return at;
  if (at <= from || (far(other) <= NEAR_MINUTES * 60_000 && !WRITTEN.test(text))) return other;
  const times = [at, other].map((time) => sayTime(time, timeZone).slice(0, 5)).toSorted();
  throw notUnderstood(text, told('either', { one: times[0], other: times[1] }));
}

const isTimeOfDay = (text: string) => {
  const kinds = readSentence(text).pieces.map(({ is }) => is);
  return kinds.length > 0 && kinds.every((is) => is === 'clocks' || is === 'part');
};

/**
 * "To 8", "half an hour later" for something every weekday at 7:15: the same days at the new time.
 *
 * @returns undefined when more than a time of day was said, when a shift would lead to another day, or when it has
 *   several times of day or none.
 */
function atOtherTime(said: string, { repeating, timeZone, from }: MoveOptions): Moved | undefined {
  const text = said.trim().replace(/\s+/gu, ' ').replace(TO, '');
  if (!repeating || text.length > LONGEST_CHARS) return undefined;
  const former = readExpression(repeating.expression);
  const [pattern = '', ...others] = former.patterns;
  if (others.length > 0 || !/^\d+ \d+ /u.test(pattern)) return undefined;
  const [oldMinute = 0, oldHour = 0] = pattern.split(' ').map(Number);
  const time = otherTimeOfDay(text, oldHour * 60 + oldMinute, { timeZone, from });
  if (time === undefined) return undefined;
  const [hour, minute] = time.split(':').map(Number);
  const days = pattern.split(' ').slice(2).join(' ');
  const expression = showExpression({ ...former, patterns: [`${minute} ${hour} ${days}`] });
  return exactly(expression, inItsPlace(time, repeating.said), { timeZone, from });
}

/** The new time as `HH:MM`, given the present minute of the day: "8pm", "an hour later". */
function otherTimeOfDay(text: string, former: number, { timeZone, from }: UnderstandOptions): string | undefined {
  const tomorrow = localDate(addToDate(from, 1, { unit: 'day', timeZone }), timeZone);
  if (isTimeOfDay(text)) return timeMeant(`${tomorrow} ${text}`, former, { timeZone, now: from });
  // Computed on a day in UTC, which has no clock changes.
  const midnight = new Date(`${tomorrow}T00:00:00Z`);
  const current = new Date(midnight.getTime() + former * MINUTE_MS);
  const at = relative(text, { current, timeZone: 'UTC', from });
  return at && localDate(at, 'UTC') === tomorrow ? sayTime(at, 'UTC').slice(0, 5) : undefined;
}

/** The weekdays in the words of a repetition. */
const WEEKDAY = pattern('iu', String.raw`\b${anyWeekday}\b`);

/**
 * "To Wednesday" for something every Thursday at 7: the same time on the new day.
 *
 * @returns undefined when more than a weekday was said, or when it does not repeat on a single weekday.
 */
function onOtherDay(said: string, { repeating, timeZone, from }: MoveOptions): Moved | undefined {
  const text = said
    .trim()
    .replace(TO, '')
    .replace(/^(?:every|jeden) /iu, '');
  if (!repeating || !new RegExp(`^(?:${WEEKDAY.source})$`, 'iu').test(text)) return undefined;
  const former = readExpression(repeating.expression);
  const [, time, day] = /^(\d+ \d+) \* \* (\d)$/u.exec(former.patterns[0] ?? '') ?? [];
  const [piece] = readSentence(text.replace(/s$/u, '')).pieces;
  const other = piece?.is === 'weekday' ? String(piece.day) : undefined;
  if (former.patterns.length > 1 || day === undefined || other === undefined) return undefined;
  const expression = showExpression({ ...former, patterns: [`${time} * * ${other}`] });
  return exactly(expression, repeating.said.replace(WEEKDAY, text), { timeZone, from });
}

/** A repetition to store, in these words if they mean the same except for the day to count from. */
function exactly(expression: string, words: string | undefined, options: UnderstandOptions): Moved {
  const meant = understand(expression, options);
  const inWords = words === undefined ? undefined : orUnclear(() => understand(words, options));
  const isSame =
    inWords && !(inWords instanceof Unclear) && countedFrom(inWords.expression, '') === countedFrom(expression, '');
  const said = isSame && words !== undefined ? words : expression;
  return { ...meant, said, description: describe(said, meant) };
}

/** Whether the words say which half of the day is meant. */
const HALF_OF_DAY = pattern(
  'iu',
  // "8pm" has no word boundary before its "pm".
  String.raw`(?:\b|(?<=\d))(?:[ap]\.?m|noon|midnight|morning|afternoon|evening|night|tonight|mittags?|morgens?`,
  '|abends?|nachts?|früh',
  String.raw`|vormittags?|nachmittags?|mitternacht)\b|\b(?:0\d|1[3-9]|2[0-3])[:.h ]|\b(?:1[3-9]|2[0-3])\b`,
);

/** The minutes of "9:15" are not an hour. */
const saysHalf = (text: string) => HALF_OF_DAY.test(text.replace(/([:.])\d\d/gu, '$1'));

/** Beyond this distance, taking the nearer of two readings would be a guess. */
const NEAR_MINUTES = 3 * 60;

/**
 * The time of day that words mean, given the present one: for "half past six" the nearer of `06:30` and `18:30`, if it
 * is near or is also the reading of the words by themselves.
 */
function timeMeant(text: string, formerMinute: number, spoken: SpokenOptions): string | undefined {
  const found = findTime(text, spoken);
  if (found?.rest !== '') return undefined;
  const alone = found.kind === 'once' ? sayTime(found.at, spoken.timeZone).slice(0, 5) : undefined;
  if (alone !== undefined && saysHalf(text.slice(text.indexOf(' ')))) return alone;
  const between = found.kind === 'unclear' ? found.between.filter(isClock) : [];
  const times = alone === undefined ? between : [alone, otherHalf(alone)];
  const [first, second] = times
    .map((time) => ({ time, far: minutesApart(time, formerMinute) }))
    .toSorted((a, b) => a.far - b.far);
  if (!first || first.far === second?.far) return undefined;
  return first.far <= NEAR_MINUTES || first.time === alone ? first.time : undefined;
}

const isClock = (text: string) => /^\d\d:\d\d$/u.test(text);

function otherHalf(time: string): string {
  return `${String((Number(time.slice(0, 2)) + 12) % 24).padStart(2, '0')}${time.slice(2)}`;
}

/** Distance around the clock: 23:30 is near 00:30. */
function minutesApart(time: string, minuteOfDay: number): number {
  const apart = Math.abs(Number(time.slice(0, 2)) * 60 + Number(time.slice(3)) - minuteOfDay);
  return Math.min(apart, 24 * 60 - apart);
}

/** The words of a repetition with a new time of day, whether or not they contained one before. */
function inItsPlace(time: string, said: string): string | undefined {
  const { places, lexicon } = readSentence(said);
  const [place, ...others] = places.filter(({ piece }) => piece.is === 'clocks');
  if (others.length > 0) return undefined;
  if (!place) return `${said} ${lexicon.language === 'de' ? 'um' : 'at'} ${time}`;
  const clock = said.slice(place.start, place.end);
  const lead = /^(?:at|um|@)\s+/iu.exec(clock)?.[0] ?? '';
  return `${said.slice(0, place.start)}${lead}${time}${said.slice(place.end)}`;
}

/** The time of day of one instant on the day of another. */
function atTimeOf(time: Date, day: Date, timeZone: string): Date {
  const zone = zoneOf(timeZone);
  const midnight = (at: Date) => Date.parse(`${localDate(at, timeZone)}T00:00:00Z`);
  return new Date(zone.instantAt(midnight(day) + zone.wallAt(time.getTime()) - midnight(time)));
}

function passed(said: string, at: Date, { timeZone, from }: MoveOptions): AssistantError {
  const hint = `It is ${showWall(from, timeZone)} now; say the day as well.`;
  return refusal('bad_time', told('move_passed', { said, at: { at: at.toISOString(), zone: timeZone } }), {
    hint,
    advises: true,
  });
}
