import { localDate, sayTime } from './calendar.ts';
import { findTime, type Spoken } from './find.ts';
import { readSentence } from './grammar/read.ts';
import { isRecurring } from './recurring.ts';

const FIRST = /^(?:the |das |die |der )?(?:first|former|earlier|erste|frühere?|fruehere?)(?: one)?$/iu;
const SECOND = /^(?:the |das |die |der )?(?:second|latter|later|last|zweite|spätere?|spaetere?|letzte)(?: one)?$/iu;
const BEFORE_NOON = /^(?:(?:in the|am|in der) )?(?:a\.?m\.?|morning|morgens?|früh|frueh|vormittags?)$/iu;
const AFTER_NOON = /^(?:(?:in the|am) )?(?:p\.?m\.?|afternoon|evening|nachmittags?|abends?)$/iu;
/** A time as the question shows it, hours first: of 05:00 and 17:00, "5:00" is the one that is written so. */
const AS_SHOWN = /^(?:at |um )?(?<hour>\d{1,2})[:.](?<minute>\d\d)(?: uhr)?$/iu;
/** As unclear as the sentence was. */
const STILL_UNCLEAR = /^(?:at |um )?\d{1,2}(?: o['’]?clock)?$/iu;
const EVERY = /^(?:in )?(?:every|each|yearly|jedes|jährlich|jaehrlich|immer)\b/iu;
const ONLY = /^(?:only|just|nur|this|the coming|dieses|diesen)\b/iu;

/**
 * The sentence with the one of its two readings that an answer picks: "every day at 5" and "in the afternoon" are
 * "every day at 17:00". Everything else that it says of the time stays.
 *
 * @returns undefined where the sentence has no two readings, or the answer is something else.
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

/** "18" is 18:15 of 06:15 and 18:15; of 06:00 and 18:00, "6" stays as unclear as it was. */
export function withMinutes(answer: string, times: readonly string[]): string {
  const exact = times.filter((time) => !time.endsWith(':00'));
  return exact.find((time) => Number.parseInt(time, 10) === Number(answer)) ?? answer;
}

/**
 * The sentence is about something that repeats, and the answer names only a day or a time of day of it: by itself the
 * answer would make it a single time.
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

/** Which of the two the answer is, said as its place, as a half of the day, or as the time or the date itself. */
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
