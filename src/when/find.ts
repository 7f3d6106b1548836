import { parse } from 'chrono-node/en';
import { pattern } from '../base/pattern.ts';
import { MONTHS } from '../words/months.ts';
import { numberWord } from '../words/numbers.ts';
import { fold } from '../words/spelling.ts';
import { fromWallClock, localDate, startOfDay } from './calendar.ts';
import { lex } from './grammar/lex.ts';
import { readSentence, type Sentence } from './grammar/read.ts';
import { spellHolidays } from './holidays.ts';
import { isWithinReach, type OneOff } from './one-off.ts';
import type { Recurrence } from './recurring.ts';
import { Unclear } from './refusal.ts';
import { say, told } from './told.ts';
import { understand } from './understand.ts';
import { type Meaning, meaningOf, orUnclear, readTime } from './words.ts';
import { showWall, zoneOf } from './zone.ts';

/**
 * A time or repetition that a sentence mentions: its words, and the sentence without them.
 *
 * - `once`: an instant, `at`, which may have passed.
 * - `day`: a day without a time of day; only the date of `at` counts.
 * - `repeats`: `words` are input for `understand`.
 * - `unclear`: the words of time have no single meaning together; `question` asks for it.
 */
export type FoundTime = { readonly words: string; readonly rest: string } & (
  | { readonly kind: 'once' | 'day'; readonly at: Date }
  | { readonly kind: 'repeats' }
  | {
      readonly kind: 'unclear';
      readonly question: string;
      /** What has to be cleared up, to be put after another question; empty if it cannot be named. */
      readonly why: string;
      /** The sentence with its misspelt word corrected, for when the person says yes. */
      readonly corrected?: string | undefined;
      /** The readings, if there are exactly two. */
      readonly between: readonly string[];
    }
);

/** Where and when a sentence is spoken. */
export interface Spoken {
  readonly timeZone: string;
  readonly now: Date;
  /** It is about getting up: hours are in the morning. */
  readonly waking?: boolean | undefined;
}

/** A sentence, or a reminder, about getting up. */
export const WAKING = /\b(?:wake|alarm|get up|weck\w*|aufsteh\w*|aufwach\w*)\b/iu;

/**
 * Find the time in a sentence such as "remind me tomorrow to call Anna at 8". Its words are read as `understand` reads
 * them, so what is reported about the time is what will be scheduled.
 *
 * A time is returned only if every word of time in the sentence is part of it, and none is left in `rest`.
 */
export function findTime(text: string, spoken: Spoken): FoundTime | undefined {
  const sentence = readSentence(text);
  if (sentence.stretches.length === 0 && !sentence.typo && sentence.unused.length === 0) return undefined;
  const corrected = withoutDenied(text, sentence);
  const meant = corrected === undefined ? undefined : findTime(corrected, spoken);
  if (meant?.kind === 'once') return meant;
  const found = { words: wordsOf(text, sentence), rest: restOf(text, sentence) };
  const { now, timeZone } = spoken;
  const waking = spoken.waking ?? WAKING.test(text);
  const meaning = orUnclear(() => {
    if (sentence.stretches.some(({ start }) => NEGATED.test(text.slice(Math.max(0, start - NEGATED_CHARS), start))))
      throw new Unclear('only_when_not');
    if (NEARLY.test(text)) throw new Unclear('names_no_exact_time');
    if (isHourLeft(text, sentence)) throw new Unclear('hour_not_said');
    return checked(meaningOf(sentence, { timeZone, from: now, spoken: true, waking }), found.words, spoken);
  });
  if (meaning instanceof Unclear) {
    const { typo } = sentence;
    const corrected = typo && text.replace(typo.written, typo.meant);
    const why = whyOf(meaning, sentence);
    const german = sentence.lexicon.language === 'de';
    const question = typo ? why : `${german ? 'Wann genau?' : 'When exactly?'} ${why}`.trim();
    return { ...found, kind: 'unclear', question, why, corrected, between: meaning.between };
  }
  if (meaning.kind === 'repeats') return { ...found, kind: 'repeats' };
  const { at, namesTime } = meaning.once;
  return { ...found, kind: namesTime ? 'once' : 'day', at };
}

/** "Not on Fridays": what follows is not a time that the person asked for. */
const NEGATED = pattern(
  'iu',
  String.raw`(?<!\S)(?:(?:not|never) (?:on |at |in |before |after |until )?|any ?time `,
  '|(?<!(?:vergiss|mich|uns) )nicht (?:am |um ',
  '|an |vor |nach ))$',
);
const NEGATED_CHARS = 30;
/** Behind the time that is meant. */
const DENIED = /(?:,|\s(?:and|but|und|aber))\s*(?:not|nicht) (?:on |at |in |am |um |an )?$/iu;

/** "At 10, not at 9" without the time that is not meant. */
function withoutDenied(text: string, { stretches }: Sentence): string | undefined {
  let [kept, from] = ['', 0];
  for (const { start, end } of stretches.slice(1)) {
    const [not] = DENIED.exec(text.slice(Math.max(from, start - NEGATED_CHARS), start)) ?? [];
    if (not === undefined) continue;
    kept += text.slice(from, start - not.length);
    from = end;
  }
  return from === 0 ? undefined : kept + text.slice(from);
}

const HOUR = `${numberWord('en', 1, 12)}|${numberWord('de', 1, 12)}`;
/** "Kurz nach acht" is a few minutes later than eight. */
const NEARLY = pattern(
  'iu',
  String.raw`(?<!\S)(?:(?:kurz|knapp) (?:vor|nach)|(?:just|shortly) (?:before|after))`,
  String.raw` (?:\d|mittag|mitternacht|halb|noon|midnight|half|${HOUR})\b`,
);

/** "8 tonight": a number before words that name no hour may be the hour. */
function isHourLeft(text: string, { stretches: [first, ...others] }: Sentence): boolean {
  if (
    !first ||
    others.length > 0 ||
    !/^(?:tonight|this (?:morning|afternoon|evening)|heute abend)$/iu.test(text.slice(first.start, first.end).trim())
  )
    return false;
  return /(?<![\p{L}\d.,:/-])\d{1,2}\s$/u.test(text.slice(0, first.start));
}

/** The words are what is saved, so `understand` has to read from them what the sentence says. */
function checked(meaning: Meaning, words: string, { timeZone, now }: Spoken): Meaning {
  if (meaning.kind === 'repeats') {
    const again = readTime(words, { timeZone, from: now });
    understand(words, { timeZone, from: now, count: 1 });
    const same = again.kind === 'repeats' && sameRuns(again.recurrence, meaning.recurrence);
    if (!same) throw new Unclear(told('two_readings', { words }));
    return meaning;
  }
  const { at, namesTime } = meaning.once;
  const today = startOfDay(now, timeZone);
  if (!namesTime && at < today) throw new Unclear(told('day_passed', { day: showWall(at, timeZone).slice(0, 14) }));
  return meaning;
}

function sameRuns(a: Recurrence, b: Recurrence): boolean {
  if (a.kind === 'cron' && b.kind === 'cron')
    return a.patterns.join() === b.patterns.join() && a.stride?.n === b.stride?.n && a.until === b.until;
  return a.kind === 'every' && b.kind === 'every' && a.seconds === b.seconds;
}

/** What is not clear, as one short sentence in the language of what was said. */
function whyOf({ message, told: why }: Unclear, { lexicon, typo }: Sentence): string {
  const german = lexicon.language === 'de';
  if (typo) return german ? `Meinst du „${typo.meant}“ statt „${typo.written}“?` : `Did you mean "${typo.meant}"?`;
  const said = german ? say(why, 'de') : message;
  return said === undefined ? '' : `${capital(said.replace(/\.$/u, ''))}.`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** All that the person said about the time, joined. */
function wordsOf(text: string, { stretches, typo, unused }: Sentence): string {
  const words = stretches.map(({ start, end }) => text.slice(start, end)).join(' ');
  return words || typo?.written || (unused[0] ?? '');
}

/** What may come before a time. */
export const PREPOSITION = {
  en: /(?<!\S)(?:at|on|by|in|for|from|around|always)\s*$/iu,
  de: /(?<!\S)(?:um|am|an|in|für|ab|zum|immer|jeweils|stets)\s*$/iu,
};

/** The sentence without its words of time and without a preposition before them. */
function restOf(text: string, { stretches, lexicon }: Sentence): string {
  let rest = '';
  let from = 0;
  for (const { start, end } of stretches) {
    rest += `${text.slice(from, start).replace(PREPOSITION[lexicon.language], '').trim()} `;
    from = end;
  }
  return `${rest}${text.slice(from).trim()}`.trim().replace(/\s+/gu, ' ');
}

/** A day or an instant. */
export interface ExactTime {
  readonly at: Date;
  readonly namesTime: boolean;
  /** The two times of day that it may mean, as `08:30`: then `at` is the first of them, on this day. */
  readonly between?: readonly string[];
}

/**
 * What makes a day of a number: "30. November" is spelt alike in both languages, "9 in the morning" is a time of day.
 */
const FRAMES: readonly (readonly [RegExp, string])[] = [
  [/^\d{1,2}\.(?!\d)/u, 'am '],
  [/^\d{1,2} in /u, 'at '],
];

/** A text that is one day or one instant and nothing else, past days and holidays included. */
export function exactTime(words: string, { timeZone, now }: Spoken): ExactTime | undefined {
  const [, frame = ''] = FRAMES.find(([form]) => form.test(words)) ?? [];
  const spelled = `${frame}${spellHolidays(words, { timeZone, now })}`;
  return exactly(spelled, { timeZone, now }) ?? exactly(inGerman(spelled), { timeZone, now });
}

/** "10 Tage vor 25 december": a holiday is spelt in English. */
function inGerman(text: string): string {
  return text.replace(ENGLISH_DATE, (_, day: string, name: string) => {
    const at = MONTHS.en.findIndex((each) => each.names.includes(name));
    return `dem ${day}. ${MONTHS.de[at]?.name ?? name}`;
  });
}

const ENGLISH_DATE = new RegExp(`(\\d{1,2}) (${MONTHS.en.map(({ names }) => names[0]).join('|')})`, 'u');

function exactly(text: string, { timeZone, now }: Spoken): ExactTime | undefined {
  // A quick no: most texts have other words.
  if (!lex(text).tokens.every(({ senses }) => senses.length > 0)) return undefined;
  const sentence = readSentence(text);
  if (sentence.pieces.length === 0 || sentence.others.length > 0) return undefined;
  const meaning = orUnclear(() => meaningOf(sentence, { timeZone, from: now, spoken: true }));
  if (meaning instanceof Unclear) {
    const first = meaning.between.find((each) => /^\d\d:\d\d$/u.test(each));
    const at = first === undefined ? undefined : fromWallClock(`${localDate(now, timeZone)}T${first}:00Z`, timeZone);
    return at && { at, namesTime: true, between: meaning.between };
  }
  if (meaning.kind === 'repeats') return undefined;
  const { at, namesTime } = meaning.once;
  return { at: namesTime ? at : startOfDay(at, timeZone), namesTime };
}

/** What a question about dates refers to. @returns the start of the day where no time of day is named. */
export function findDate(question: string, { timeZone, now }: Spoken): { at: Date; namesTime: boolean } | undefined {
  const text = spellHolidays(question, { timeZone, now });
  const sentence = readSentence(text);
  const own = orUnclear(() => meaningOf(sentence, { timeZone, from: now, spoken: true }));
  const once = !(own instanceof Unclear) && own.kind === 'once' ? own.once : withChrono(text, { timeZone, now });
  if (!once) return undefined;
  return once.namesTime ? { at: once.at, namesTime: true } : { at: startOfDay(once.at, timeZone), namesTime: false };
}

/** With one of these chrono must not move a date into the future. */
const BACKWARD = /\b(?:last|ago|yesterday|previous)\b/u;

/**
 * Questions are not saved, so they may be read more freely than schedules: chrono knows date formats that the grammar
 * does not. The reference is wall time read as UTC, so that the process's own zone does not matter.
 */
function withChrono(text: string, { timeZone, now }: Spoken): Omit<OneOff, 'warnings'> | undefined {
  const zone = zoneOf(timeZone);
  const instant = new Date(zone.wallAt(now.getTime()));
  const [first] = parse(
    fold(text).replace(/\b(\d{1,2})\.(?=\s+\p{L})/gu, '$1'),
    { instant, timezone: 0 },
    { forwardDate: !BACKWARD.test(text) },
  );
  if (!first) return undefined;
  const get = (part: 'year' | 'month' | 'day' | 'hour' | 'minute') => first.start.get(part) ?? 0;
  const wall = Date.UTC(get('year'), get('month') - 1, get('day'), get('hour'), get('minute'));
  if (!isWithinReach(wall)) return undefined;
  return { at: new Date(zone.instantAt(wall)), namesTime: first.start.isCertain('hour') };
}
