import { parse } from 'chrono-node/en';
import { AssistantError } from '../base/errors.ts';
import { NUMBER_WORDS } from '../base/number-words.ts';
import { startOfDay } from './calendar.ts';
import { spellHolidays } from './holidays.ts';
import { nextDayOfMonth, type OneOff, readOneOff } from './one-off.ts';
import { understand } from './understand.ts';
import { zoneOf } from './zone.ts';

/**
 * A time or repetition that a sentence speaks of: its words, and the sentence without them.
 *
 * - `once`: it happens `at` an instant, which may have passed.
 * - `day`: a day without a time of day; only the date of `at` counts.
 * - `repeats`: `words` are for `understand`.
 * - `unclear`: the words look like a time, but are not one that `understand` takes.
 */
export type FoundTime = { readonly words: string; readonly rest: string } & (
  | { readonly kind: 'once' | 'day'; readonly at: Date }
  | { readonly kind: 'repeats' | 'unclear' }
);

/** Where and when a sentence is spoken. */
export interface Spoken {
  readonly timeZone: string;
  readonly now: Date;
}

/**
 * Find the time in a sentence such as "remind me tomorrow at 8 to call Anna". Its words are read as `understand` reads
 * them, so what is said about the time and what is scheduled are the same.
 */
export function findTime(sentence: string, spoken: Spoken): FoundTime | undefined {
  const repeating = findRepeating(sentence.replace(/\bthe first(?= of (?:every|each|the) month)/iu, 'the 1st'), spoken);
  if (repeating) return repeating;
  const text = respell(sentence, spoken);
  const spans = timeSpans(text, spoken);
  const best = spans.find(({ reading }) => reading?.namesTime) ?? spans.find(({ reading }) => reading) ?? spans[0];
  if (!best) return undefined;
  const { words, reading } = best;
  const rest = without(text, best);
  if (!reading) return { kind: 'unclear', words, rest };
  return { kind: reading.namesTime ? 'once' : 'day', at: reading.at, words, rest };
}

/** What a question about dates refers to. @returns the start of the day where no time of day is named. */
export function findDate(question: string, spoken: Spoken): { at: Date; namesTime: boolean } | undefined {
  const readings = timeSpans(respell(spellHolidays(question), spoken), spoken).flatMap(({ reading }) => reading ?? []);
  const best = readings.find(({ namesTime }) => namesTime) ?? readings[0];
  if (!best) return undefined;
  return best.namesTime ? best : { at: startOfDay(best.at, spoken.timeZone), namesTime: false };
}

const EVERY = '(?:every|each)';
const DAY = '(?:mon|tues|wednes|thurs|fri|satur|sun)day';
/** A time of day as far as its words go, `9`, `9:30 am`, `noon`; whether it exists is for `understand` to say. */
const CLOCK = String.raw`(?:\d{1,2}(?::\d{2})?\s*(?:am|pm|a\.m\.|p\.m\.|o'clock)?|noon|midnight)(?![\w:])`;
const AT = String.raw`(?:\s+(?:at|from|around)?\s*${CLOCK})`;
const UNITS = [
  'seconds?|minutes?|mins?|hours?|days?|weekdays?|working days?|weekends?|weeks?|months?|years?',
  '|mornings?|evenings?|afternoons?|nights?',
].join('');
/** What is repeated, behind "every": `2 hours`, `other day`, `monday and thursday`. */
const SPAN = [
  String.raw`(?:other\s+|second\s+)?(?:\d+\s+|two\s+|three\s+)?`,
  String.raw`(?:${UNITS}|${DAY}s?)(?:(?:,\s*|\s+and\s+|,\s*and\s+)${DAY}s?)*`,
].join('');

/**
 * Where a sentence names a repetition; the first that matches wins. In this order: `on the 15th of every month at 9`,
 * `the last friday of the month`, `at 8 every day`, `every other day at 8`, `daily at 9am`, `weekdays at 7`.
 */
const REPETITIONS: readonly RegExp[] = [
  String.raw`\b(?:on\s+)?the\s+\d{1,2}(?:st|nd|rd|th)\s+(?:day\s+)?of\s+(?:${EVERY}|the)\s+month${AT}?`,
  [
    String.raw`\b(?:on\s+)?the\s+(?:first|second|third|fourth|last)\s+(?:${DAY}|day|weekday)`,
    String.raw`\s+of\s+(?:${EVERY}|the)\s+month${AT}?`,
  ].join(''),
  String.raw`\bat\s+[\w:]+(?:\s*[ap]m)?\s+${EVERY}\s+${SPAN}`,
  String.raw`\b(?:on\s+)?${EVERY}\s+${SPAN}(?:\s+on\s+${DAY}s?)?${AT}?(?:\s+on\s+${DAY}s?)?`,
  String.raw`\b(?:hourly|daily|weekly|monthly|nightly|yearly)\b(?:\s+on\s+${DAY}s?)?${AT}?`,
  String.raw`\b(?:on\s+)?(?:weekdays|weekends|${DAY}s)\b${AT}?`,
].map((source) => new RegExp(source, 'iu'));
const LATER_CLOCK = new RegExp(String.raw`\bat\s+(${CLOCK})`, 'iu');

/** The first repetition that `understand` takes, else the first that it refuses. */
function findRepeating(text: string, spoken: Spoken): FoundTime | undefined {
  let refused: FoundTime | undefined;
  for (const repetition of REPETITIONS) {
    const match = repetition.exec(text);
    if (!match) continue;
    const rest = `${text.slice(0, match.index)} ${text.slice(match.index + match[0].length)}`;
    const found = checked(withLaterClock(match[0], rest), spoken);
    if (found.kind === 'repeats') return found;
    refused ??= found;
  }
  return refused;
}

/** "A daily reminder at 9am": the clock may stand apart from the repetition. */
function withLaterClock(found: string, rest: string): { words: string; rest: string } {
  const words = found.replace(/^on\s+(?=every|each)/iu, '').trim();
  const clock = /\d|noon|midnight|hour|minute|second/iu.test(words) ? null : LATER_CLOCK.exec(rest);
  return clock ? { words: `${words} at ${clock[1]}`, rest: rest.replace(clock[0], ' ') } : { words, rest };
}

/** Words that look like a repetition and are refused stay in the result, so that the person can be asked about them. */
function checked(found: { words: string; rest: string }, { timeZone, now }: Spoken): FoundTime {
  const understood = unlessRefused(() => understand(found.words, { timeZone, from: now, count: 1 }));
  return { ...found, kind: understood ? 'repeats' : 'unclear' };
}

/** What chrono does not see as a time, in a spelling that it does. */
const SPELLINGS: readonly (readonly [RegExp, string | ((...groups: string[]) => string)])[] = [
  [/\bhalf past (\w+)/giu, (_all, hour = '') => `${digits(hour)}:30`],
  [/\bquarter past (\w+)/giu, (_all, hour = '') => `${digits(hour)}:15`],
  [/\bquarter to (\w+)/giu, (_all, hour = '') => `${(Number(digits(hour)) + 11) % 12 || 12}:45`],
  [/\b(?:in )?the (morning|afternoon|evening)\b(?= (?:on|of) )/giu, '$1'],
  [/\b(\d{1,2})h(\d{2})\b/giu, '$1:$2'],
  [/\b(\d{1,2}) o'?clock\b/giu, '$1:00'],
  [/\ba couple of\b/giu, '2'],
  [/\ba (?:half|half an) hour\b|\bhalf an? hour\b/giu, '30 minutes'],
  [/\b([a-z]+teen|[a-z]+ty)(?= (?:seconds?|minutes?|mins?|hours?|days?|weeks?|months?)\b)/giu, (word) => digits(word)],
];

/** `twenty` becomes `20`; any other word stays. */
function digits(word: string): string {
  return String(NUMBER_WORDS.get(word.toLowerCase()) ?? word);
}

/** "On the 15th" becomes the date of the next one, counted from the day it is in the zone. */
function respell(text: string, { timeZone, now }: Spoken): string {
  const today = new Date(zoneOf(timeZone).wallAt(now.getTime()));
  const spelled = SPELLINGS.reduce(
    (rest, [pattern, by]) => (typeof by === 'string' ? rest.replace(pattern, by) : rest.replace(pattern, by)),
    text,
  );
  return spelled.replace(
    /\bon the (\d{1,2})(?:st|nd|rd|th)\b(?! of)/giu,
    (_all, day: string) => `on ${nextDayOfMonth(today, Number(day))}`,
  );
}

/** A part of a sentence that speaks of a time. */
interface TimeSpan {
  readonly index: number;
  readonly words: string;
  /** What the words mean; undefined where our reader refuses them. */
  readonly reading: OneOff | undefined;
}

/** Where a sentence speaks of times is for chrono to see; what they mean is for our own reader to say. */
function timeSpans(text: string, { timeZone, now }: Spoken): TimeSpan[] {
  const instant = new Date(zoneOf(timeZone).wallAt(now.getTime()));
  return parse(text, { instant, timezone: 0 }, { forwardDate: true }).map(({ index, text: words }) => ({
    index,
    words,
    reading: unlessRefused(() => readOneOff(words.trim(), { timeZone, from: now, spoken: true })),
  }));
}

/** Only refusals count as "no time"; anything else is a fault of ours and is thrown on. */
function unlessRefused<Reading>(read: () => Reading): Reading | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof AssistantError) return undefined;
    throw error;
  }
}

/** The text without this part of it, and without a preposition in front of it. */
function without(text: string, { index, words }: TimeSpan): string {
  const before = text.slice(0, index).replace(/\b(?:at|on|by|in|for|from|around|before|this)\s*$/iu, '');
  return `${before.trim()} ${text.slice(index + words.length).trim()}`.trim();
}
