import { addToDate, localDate } from '../when/calendar.ts';
import { type DaySpan, findDays } from '../when/day-span.ts';
import { type FoundTime, findTime, type Spoken } from '../when/find.ts';
import { ANY_QUESTION_WORD, BEGINNINGS } from '../words/question-words.ts';
import type { Language } from '../words/spelling.ts';
import { STOP_WORDS } from '../words/stop-words.ts';
import { withoutCourtesy } from './courtesy.ts';
import type { Fits, Match } from './match.ts';
import { nameOf, typeOf } from './slot-type.ts';
import { isExact, SLOT_TYPES } from './slots.ts';
import { type Token, tokensOf } from './tokens.ts';

/** Nobody asks with more tokens than these: what follows belongs to the last one, as the rest of a long note. */
const MOST_TOKENS = 60;

/** What is longer is a text and nothing that has to be read, such as a time. */
const LONGEST_GAP = 500;

/** When, where and with what a sentence is said. */
export interface Situation extends Spoken {
  /** The name of a text that came with it. */
  readonly handed?: string | undefined;
  /** Of the conversation: for words that two languages share. */
  readonly language?: Language | undefined;
  /** Of things that may be meant, in small letters. */
  readonly names?: readonly string[];
}

/** A sentence as it is compared, and what its stretches can mean. */
export interface View {
  readonly text: string;
  /** With its time and its courtesy. */
  readonly whole: string;
  readonly tokens: readonly Token[];
  /** With which it begins, before its time was taken out. */
  readonly opening: string;
  /** What was taken out. */
  readonly time?: FoundTime;
  /** It has a time, be it taken out or not. */
  readonly hasTime: boolean;
  /** That time is one at which something can be done. */
  readonly hasExactTime: boolean;
  /** The days that stretches of it name. */
  readonly days: DaysIn;
  /** Slots that are filled by what was taken out. */
  readonly given: ReadonlySet<string>;
  readonly fits: Fits;
  /** Gaps that were read, by type and place. */
  readonly known: Map<string, unknown>;
  readonly situation: Situation;
}

/** The sentence with and without its courtesy, as it stands and without its time where it has one. */
export function viewsOf(said: string, situation: Situation): readonly View[] {
  // A long text is taken as it is: nothing in it is read.
  const isLong = tokensOf(said).length > MOST_TOKENS;
  // The mark behind "am 30." hides that its dot belongs to the date.
  const whole = isLong ? said : said.trim().replace(/(?<=\d\.)[?!]+$/u, '');
  const texts = isLong ? [whole] : [...new Set([whole, withoutCourtesy(whole)])];
  const timed = texts.flatMap((text) =>
    (isLong ? [undefined] : timesIn(text, situation)).map((time) => ({ text, time })),
  );
  return timed.flatMap(({ text, time }) => {
    const known = {
      hasTime: time !== undefined,
      hasExactTime:
        time?.kind === 'once' || time?.kind === 'repeats' || (time?.kind === 'unclear' && time.between.length > 1),
      opening: isLong ? '' : (tokensOf(text).find(({ word }) => word !== '')?.word ?? ''),
      ...{ whole, situation },
    };
    const days = isLong ? NO_DAYS : daysFinder(situation, time?.words);
    const all = viewOf({ ...known, text, days });
    return time ? [all, viewOf({ ...known, text: time.rest, days: NO_DAYS, time })] : [all];
  });
}

/** Stands for a name while a time is looked for, and is no word of any language. */
const NAME = 'qxnameqx';

/** The time that a sentence has where a name in it is no part of it, and the one that it has where all may be. */
function timesIn(text: string, situation: Situation): readonly (FoundTime | undefined)[] {
  const time = findTime(text, situation);
  const small = text.toLowerCase();
  const name = time && situation.names?.find((each) => small.includes(each));
  if (name === undefined) return [time];
  const said = text.slice(small.indexOf(name), small.indexOf(name) + name.length);
  const apart = findTime(text.replace(said, NAME), situation);
  if (!apart?.rest.includes(NAME) || (apart.words === time?.words && apart.kind === time.kind)) return [time];
  return [{ ...apart, rest: apart.rest.replace(NAME, said) }, time];
}

const NO_DAYS: DaysIn = () => undefined;

type Parts = Pick<View, 'text' | 'whole' | 'situation' | 'days' | 'time' | 'hasTime' | 'hasExactTime' | 'opening'>;

function viewOf(parts: Parts): View {
  const given = new Set(parts.time ? ['when'] : []);
  const tokens = comparedIn(parts.text);
  const size = tokens.length + 1;
  /** For a gap by its stretch: 0 is not known yet, 1 fits, 2 does not. */
  const fitting = new Map<string, Uint8Array>();
  const fits: Fits = (slot, [from, to], language) => {
    const key = `${language}${slot}`;
    const known = fitting.get(key) ?? new Uint8Array(size * size);
    fitting.set(key, known);
    const at = from * size + to;
    if (known[at] === 0) known[at] = fitsGap(view, slot, { from, to, language }) ? 1 : 2;
    return known[at] === 1;
  };
  const view: View = { ...parts, tokens, given, known: new Map(), fits };
  return view;
}

function comparedIn(text: string): readonly Token[] {
  const all = tokensOf(text);
  const end = all.at(-1)?.end ?? 0;
  return all.slice(0, MOST_TOKENS).map((token, at) => (at === MOST_TOKENS - 1 ? { ...token, end } : token));
}

type DaysIn = (words: string) => DaySpan | undefined;

/** Weeks and months have words of their own; all other days are in the words of time that the sentence has. */
const LONG = /\b(?:week|weekend|month|days|woche|wochenende|monat|tagen?)\b/iu;
/** A preposition and an article in front of the words of time. */
const LEAD_CHARS = 8;

function daysFinder(spoken: Spoken, words: string | undefined): DaysIn {
  const known = new Map<string, DaySpan | undefined>();
  const time = words?.replace(/[.!?]+$/u, '');
  return (given) => {
    const stretched = given.replace(/[.!?]+$/u, '');
    const isTime = time !== undefined && (stretched.endsWith(time) || time.endsWith(stretched));
    const isWhole = isTime && Math.abs(stretched.length - time.length) <= LEAD_CHARS;
    if (!isWhole && !LONG.test(stretched)) return undefined;
    if (!known.has(stretched))
      known.set(
        stretched,
        findDays(isWhole && !LONG.test(stretched) ? (words ?? '') : stretched, spoken, { ahead: true }),
      );
    return known.get(stretched);
  };
}

interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly language: Language;
}

/**
 * The token with which a question begins, be it behind a preposition ("by when"); -1 where none does. What begins so in
 * other words than those of an example is a question of its own, be the word left over or taken in by a gap: "muss ich
 * ... streichen?"
 */
export function askingAt({ tokens, opening }: Pick<View, 'tokens' | 'opening'>, language: Language): number {
  const first = tokens.findIndex(({ word }) => word !== '');
  if (tokens[first]?.word !== opening) return -1;
  if (BEGINNINGS[language].has(opening)) return first;
  return STOP_WORDS[language].has(opening) && ANY_QUESTION_WORD.has(tokens[first + 1]?.word ?? '') ? first + 1 : -1;
}

/** What may fill a gap; any phrase may fill those that are not listed. */
function fitsGap(view: View, slot: string, { from, to, language }: Stretch): boolean {
  const type = typeOf(slot);
  const asking = askingAt(view, language);
  // An exact gap knows what it takes in: "what do I pay for".
  if (from <= asking && asking < to && !isExact(slot)) return false;
  if (type === 'days') return to - from <= 6 && daysIn(view, from, to) !== undefined;
  if (type === 'name')
    return to - from <= 4 && isPhrase(view, { from, to, language }) && !/[\d:;?!]/u.test(stretch(view, from, to));
  const known = SLOT_TYPES[type];
  if (known && !known.any) return readGap(view, type, from, to) !== undefined;
  return isPhrase(view, { from, to, language }) && known?.any?.test(stretch(view, from, to)) !== false;
}

/** What the words mean as that type; read once for each stretch. */
function readGap(view: View, type: string, from: number, to: number): unknown {
  const { read, most = MOST_TOKENS } = SLOT_TYPES[type] ?? {};
  if (!read || to - from > most) return undefined;
  const words = stretch(view, from, to);
  if (words.length > LONGEST_GAP) return undefined;
  const key = `${type} ${from} ${to}`;
  if (!view.known.has(key)) view.known.set(key, read(words, view.situation));
  return view.known.get(key);
}

/** Something of which one can speak: not small words alone, and no mark in front. */
function isPhrase({ tokens }: Pick<View, 'tokens'>, { from, to, language }: Stretch): boolean {
  if (tokens[from]?.word === '' && tokens.slice(from, to).every(({ word }) => word === '')) return false;
  return tokens.slice(from, to).some(({ word }) => word !== '' && !STOP_WORDS[language].has(word));
}

/** The words of these tokens, as they were written. */
export function stretch({ text, tokens }: Pick<View, 'text' | 'tokens'>, from: number, to: number): string {
  return text.slice(tokens[from]?.start ?? 0, tokens[to - 1]?.end ?? 0);
}

function daysIn(view: Pick<View, 'text' | 'tokens' | 'days'>, from: number, to: number): DaySpan | undefined {
  return view.days(stretch(view, from, to));
}

export type Values = Readonly<Record<string, unknown>>;

/**
 * What each slot means, by its name. Besides: `when`, its time as tools take it, and `time`, all that is known of it;
 * `handed`: what came with the request; `said`: all of the sentence; `today`, `weekAhead`.
 */
export function valuesOf({ slots }: Pick<Match, 'slots'>, view: View): Values {
  const { situation, whole } = view;
  const { now, timeZone, handed } = situation;
  const week = localDate(addToDate(now, 6, { unit: 'day', timeZone }), timeZone);
  const values: Record<string, unknown> = { today: localDate(now, timeZone), weekAhead: week, handed, said: whole };
  for (const [slot, [from, to]] of Object.entries(slots)) {
    const type = typeOf(slot);
    const name = nameOf(slot);
    if (type === 'days') {
      const days = daysIn(view, from, to);
      values[`${name}.from`] = days?.from;
      values[`${name}.to`] = days?.to;
    }
    const words = plain(stretch(view, SLOT_TYPES[type] ? from : dictatedFrom(view, from), to));
    const read = SLOT_TYPES[type] && readGap(view, type, from, to);
    values[name] = read ?? (type === 'name' ? words.replace(/['’]s$/u, '') : words);
  }
  return { ...values, ...(view.time && timeValues(view.time, situation)) };
}

/** More words than these do not stand between a colon and what is dictated. */
const MOST_BEHIND = 2;

/** Behind a colon all is dictated: "note: this wine is good" does not begin with the wine. */
function dictatedFrom({ text, tokens }: Pick<View, 'text' | 'tokens'>, from: number): number {
  const colon = tokens.findLastIndex(({ start }, at) => at < from && text[start] === ':');
  return colon >= 0 && from - colon - 1 <= MOST_BEHIND ? colon + 1 : from;
}

function timeValues(time: FoundTime, { timeZone }: Spoken): Values {
  if (time.kind === 'unclear') return { time };
  if (time.kind === 'repeats') return { time, when: time.words };
  const when = time.kind === 'once' ? time.at.toISOString() : time.words;
  return { time, when, 'when.day': localDate(time.at, timeZone) };
}

/** What an answer gives for the slot that was asked for; undefined where it is none of its type. */
export function answerFor(slot: string, answer: string, situation: Situation): Values | undefined {
  const type = typeOf(slot);
  const words = plain(withoutCourtesy(answer));
  if (type === 'when') {
    const time = findTime(words, situation);
    return time && timeValues(time, situation);
  }
  const { read } = SLOT_TYPES[type] ?? {};
  // What is dictated stays as it was said.
  const value = read ? read(words, situation) : plain(answer);
  return value === undefined || value === '' ? undefined : { [nameOf(slot)]: value };
}

/** Without quotes around it, and without the mark that ends the sentence. */
function plain(words: string): string {
  const said = words.replace(/^[\s:,]+/u, '').replace(/(?<![\s?!.,])[\s?!.,]+$/u, '');
  return /^["'“„‘](.+)["'”“’]$/su.exec(said)?.[1] ?? said;
}

/** The input of a call, by its template. */
export function inputOf(template: Readonly<Record<string, unknown>>, values: Values): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(template)
      .map(([key, value]) => [key, filled(value, values)] as const)
      .filter(([, value]) => value !== undefined),
  );
}

function filled(value: unknown, values: Values): unknown {
  if (Array.isArray(value)) return value.map((each) => filled(each, values)).filter((each) => each !== undefined);
  if (typeof value !== 'string') return value;
  const whole = /^\{([^{}]+)\}$/u.exec(value)?.[1];
  if (whole !== undefined) return values[nameOf(whole)];
  return value.replace(/\{([^{}]+)\}/gu, (_, slot: string) => String(values[nameOf(slot)] ?? ''));
}
