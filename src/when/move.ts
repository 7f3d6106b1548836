import { AssistantError } from '../base/errors.ts';
import { localDate } from './calendar.ts';
import { readSentence } from './grammar/read.ts';
import { notUnderstood } from './refusal.ts';
import { readSpoken } from './spoken.ts';
import { LONGEST_CHARS, type UnderstandOptions, type Understood, understand } from './understand.ts';
import { readTime } from './words.ts';
import { showWall, zoneOf } from './zone.ts';

export interface MoveOptions extends UnderstandOptions {
  /** When it would come; undefined for what comes again and again. */
  readonly current: Date | undefined;
}

/** `an hour later`, `30 Minuten früher`, `by two days`: from the time that it has. */
const LATER = /^(?:back )?(?:(?:by|um) )?(.+?) (later|earlier|sooner|später|spaeter|früher|frueher)$/iu;
const BY = /^back by (.+)$/iu;
const EARLIER = /^(?:earlier|sooner|fr)/iu;
const GERMAN = /^(?:sp|fr)/iu;
/** "To 3pm", "auf 15 Uhr". */
const TO = /^(?:to|auf)\s+(?=\S)/iu;

/**
 * Understand to when something is moved, as a person says it. What is not said stays as it is: a time of day alone
 * keeps the day, a day alone keeps the time of day.
 *
 * @throws AssistantError `bad_time` as `understand` does, and when the day would have to be guessed.
 */
export function understandMove(said: string, options: MoveOptions): Understood & { readonly anchor: Date } {
  const text = said.trim().replace(/\s+/gu, ' ').replace(TO, '');
  const { current, ...plain } = options;
  if (text.length > LONGEST_CHARS) return understand(text, plain);
  const at = relative(text, options) ?? spoken(text, options);
  if (at === undefined) return understand(text, plain);
  if (at <= options.from) throw passed(said, at, options);
  return understand(at.toISOString(), plain);
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

/** One time; a time of day is on the day that it has, and a day at the time of day that it has. */
function spoken(text: string, { current, timeZone, from }: MoveOptions): Date | undefined {
  const kinds = readSentence(text).pieces.map(({ is }) => is);
  const keepsDay = current && kinds.length > 0 && kinds.every((is) => is === 'clocks' || is === 'part');
  const found = readSpoken(keepsDay ? `${localDate(current, timeZone)} ${text}` : text, { timeZone, now: from });
  if (found?.kind === 'once') return found.at;
  return found?.kind === 'day' && current ? atTimeOf(current, found.at, timeZone) : undefined;
}

/** The time of day of one instant on the day of another. */
function atTimeOf(time: Date, day: Date, timeZone: string): Date {
  const zone = zoneOf(timeZone);
  const midnight = (at: Date) => Date.parse(`${localDate(at, timeZone)}T00:00:00Z`);
  return new Date(zone.instantAt(midnight(day) + zone.wallAt(time.getTime()) - midnight(time)));
}

function passed(said: string, at: Date, { timeZone, from }: MoveOptions): AssistantError {
  const hint = `It is ${showWall(from, timeZone)} now; say the day as well.`;
  return new AssistantError('bad_time', `"${said}" would be ${showWall(at, timeZone)}, which has passed. ${hint}`, {
    hint,
  });
}
