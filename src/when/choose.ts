import { localDate, sayTime } from './calendar.ts';
import { findTime, type Spoken } from './find.ts';
import { readSentence } from './grammar/read.ts';
import { isRecurring } from './recurring.ts';

const FIRST = /^(?:the |das |die |der )?(?:first|former|earlier|erste|frühere?|fruehere?)(?: one)?$/iu;
const SECOND = /^(?:the |das |die |der )?(?:second|latter|later|last|zweite|spätere?|spaetere?|letzte)(?: one)?$/iu;
const BEFORE_NOON = /^(?:(?:in the|am|in der) )?(?:a\.?m\.?|morning|morgens?|früh|frueh|vormittags?)$/iu;
const AFTER_NOON = /^(?:(?:in the|am) )?(?:p\.?m\.?|afternoon|evening|nachmittags?|abends?)$/iu;
/** A time as the question shows it, hours first: of 05:00 and 17:00, "5:00" picks the first. */
const AS_SHOWN = /^(?:at |um )?(?<hour>\d{1,2})[:.](?<minute>\d\d)(?: uhr)?$/iu;
/** The answer is as ambiguous as the sentence. */
const STILL_UNCLEAR = /^(?:at |um )?\d{1,2}(?: o['’]?clock)?$/iu;
const EVERY = /^(?:in )?(?:every|each|yearly|jedes|jährlich|jaehrlich|immer)\b/iu;
const ONLY = /^(?:only|just|nur|this|the coming|dieses|diesen)\b/iu;

/**
 * The sentence with the reading that an answer picks out of two: "every day at 5" and "in the afternoon" make "every
 * day at 17:00". Everything else that it says about the time stays.
 *
 * @returns undefined when the sentence does not have two readings, or the answer picks neither.
 */
export function withChoice(text: string, answer: string, spoken: Spoken): string | undefined {
  const found = findTime(text, spoken);
  if (found?.kind !== 'unclear' || found.between.length !== 2) return undefined;
  const reading = picked(found.between, answer.trim().replace(/!+$|(?<!\d)\.+$/u, ''), spoken);
  if (reading === undefined) return undefined;
  const { places, lexicon } = readSentence(text);
  const kind = kindOf(reading);
  const unclear = places.filter(
    ({ piece }) => piece.is === kind && (piece.is !== 'clocks' || piece.clocks.length === 1),
  );
  const [place] = unclear;
  if (!place || unclear.length > 1) return undefined;
  const lead = LEAD[lexicon.language][kind];
  // "In December" stays, and the year follows it.
  const start = kind === 'within' ? `${text.slice(0, place.end)} ` : text.slice(0, place.start);
  const whole = `${start}${lead}${reading}${text.slice(place.end)}`;
  return findTime(whole, spoken)?.kind === 'unclear' ? undefined : whole;
}

/** "18" picks 18:15 out of 06:15 and 18:15; between 06:00 and 18:00, "6" decides nothing. */
export function withMinutes(answer: string, times: readonly string[]): string {
  const exact = times.filter((time) => !time.endsWith(':00'));
  return exact.find((time) => Number.parseInt(time, 10) === Number(answer)) ?? answer;
}

/**
 * The sentence is about something that repeats, and the answer only names a day or a time of day: taken by itself, the
 * answer would turn it into a single time.
 */
export function isPartOfRepetition(text: string, answer: string): boolean {
  const own = readSentence(answer).pieces;
  const ofDay = own.filter(({ is }) => is === 'clocks' || is === 'part');
  const isPart = own.length > 0 && (ofDay.length === 0 || ofDay.length === own.length);
  return isPart && !isRecurring(own) && isRecurring(readSentence(text).pieces);
}

const LEAD = {
  en: { clocks: 'at ', weekday: 'on ', within: '' },
  de: { clocks: 'um ', weekday: 'am ', within: '' },
} as const;

/** The piece that has two readings: `05:00` or `17:00`, `2026-11-21` or `2026-11-28`, `this year` or `every year`. */
function kindOf(reading: string | undefined): 'clocks' | 'weekday' | 'within' {
  if (/^\d\d:\d\d$/u.test(reading ?? '')) return 'clocks';
  return /^\d/u.test(reading ?? '') ? 'weekday' : 'within';
}

/** Which of the two the answer picks: by position, by the half of the day, or by the time or date itself. */
function picked([first, second]: readonly string[], answer: string, spoken: Spoken): string | undefined {
  const kind = kindOf(first);
  const isClock = kind === 'clocks';
  if (kind === 'within') return EVERY.test(answer) ? second : ONLY.test(answer) ? first : undefined;
  if (FIRST.test(answer) || (isClock && BEFORE_NOON.test(answer))) return first;
  if (SECOND.test(answer) || (isClock && AFTER_NOON.test(answer))) return second;
  const written = isClock && AS_SHOWN.exec(answer)?.groups;
  if (written) return [first, second].find((time) => time === `${written.hour?.padStart(2, '0')}:${written.minute}`);
  if (isClock && STILL_UNCLEAR.test(answer)) return undefined;
  const found = findTime(answer, spoken);
  if (found?.rest !== '' || (found.kind !== 'once' && found.kind !== 'day')) return undefined;
  const own = readSentence(answer).pieces.map(({ is }) => is);
  const isOnly = (kinds: readonly string[]) => own.every((is) => kinds.includes(is));
  const shown = isClock
    ? isOnly(['clocks', 'part']) && sayTime(found.at, spoken.timeZone)
    : isOnly(['date', 'instant', 'weekday', 'relative']) && localDate(found.at, spoken.timeZone);
  return [first, second].find((reading) => reading === shown);
}
