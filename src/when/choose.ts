import { localDate, sayTime } from './calendar.ts';
import { findTime, type Spoken } from './find.ts';
import { readSentence } from './grammar/read.ts';

const FIRST = /^(?:the |das |die |der )?(?:first|former|earlier|erste|frühere?|fruehere?)(?: one)?$/iu;
const SECOND = /^(?:the |das |die |der )?(?:second|latter|later|last|zweite|spätere?|spaetere?|letzte)(?: one)?$/iu;
const BEFORE_NOON = /^(?:(?:in the|am|in der) )?(?:a\.?m\.?|morning|morgens?|früh|frueh|vormittags?)$/iu;
const AFTER_NOON = /^(?:(?:in the|am) )?(?:p\.?m\.?|afternoon|evening|nachmittags?|abends?)$/iu;

/**
 * The sentence with the one of its two readings that an answer picks: "every day at 5" and "in the afternoon" are
 * "every day at 17:00". Everything else that it says of the time stays.
 *
 * @returns undefined where the sentence has no two readings, or the answer is something else.
 */
export function withChoice(text: string, answer: string, spoken: Spoken): string | undefined {
  const found = findTime(text, spoken);
  if (found?.kind !== 'unclear' || found.between.length !== 2) return undefined;
  const reading = picked(found.between, answer.trim().replace(/[.!]+$/u, ''), spoken);
  if (reading === undefined) return undefined;
  const { places, lexicon } = readSentence(text);
  const isClock = reading.includes(':');
  const unclear = places.filter(({ piece }) =>
    isClock ? piece.is === 'clocks' && piece.clocks.length === 1 : piece.is === 'weekday',
  );
  const [place] = unclear;
  if (!place || unclear.length > 1) return undefined;
  const lead = lexicon.language === 'de' ? { clock: 'um', day: 'am' } : { clock: 'at', day: 'on' };
  const said = `${lead[isClock ? 'clock' : 'day']} ${reading}`;
  const whole = `${text.slice(0, place.start)}${said}${text.slice(place.end)}`;
  return findTime(whole, spoken)?.kind === 'unclear' ? undefined : whole;
}

/** Which of the two the answer is, said as its place, as a half of the day, or as the time or the date itself. */
function picked([first, second]: readonly string[], answer: string, spoken: Spoken): string | undefined {
  const isClock = first?.includes(':') ?? false;
  if (FIRST.test(answer) || (isClock && BEFORE_NOON.test(answer))) return first;
  if (SECOND.test(answer) || (isClock && AFTER_NOON.test(answer))) return second;
  const found = findTime(answer, spoken);
  if (found?.rest !== '' || (found.kind !== 'once' && found.kind !== 'day')) return undefined;
  const own = readSentence(answer).pieces.map(({ is }) => is);
  const isOnly = (kinds: readonly string[]) => own.every((is) => kinds.includes(is));
  const shown = isClock
    ? isOnly(['clocks', 'part']) && sayTime(found.at, spoken.timeZone)
    : isOnly(['date', 'instant', 'weekday', 'relative']) && localDate(found.at, spoken.timeZone);
  return [first, second].find((reading) => reading === shown);
}
