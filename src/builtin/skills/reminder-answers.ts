import { pattern } from '../../base/pattern.ts';
import { isPartOfRepetition, withChoice } from '../../when/choose.ts';
import { type FoundTime, findTime } from '../../when/find.ts';
import { withoutTime } from '../../when/without-time.ts';
import { ENDS_WITH_DAY, type UserRequest } from '../request.ts';

/** "Nee, doch lieber am 10." */
const INSTEAD = pattern(
  'iu',
  '^(?:(?:nein|nee|nö|ne|ach|ah|oh|hm+|doch|lieber|besser|eher|dann|ok|okay|ja|gut|sagen wir|mach mal|no|actually',
  String.raw`|rather|better|let's say)\b[,.]? +)+`,
);

/** What was understood of the request. */
interface Said {
  readonly found: FoundTime | undefined;
  readonly task: string;
}

/** "10 in the morning" is ten o'clock, and so is "10" where the hour alone is asked for. */
const HOUR_OF_A_DAY = /^\d{1,2}(?= (?:in the|at night|tonight|tomorrow|on)\b)/iu;
const HOUR = /^\d{1,2}(?=$| (?:in the|at night|tonight|tomorrow|on)\b)/iu;

/** "10am is fine", "Friday works for me". */
const FINE = pattern(
  'iu',
  String.raw`,? (?:is|would be|will be|sounds|seems) (?:fine|good|great|ok|okay|perfect|best|better)\b.*$`,
  '|,? works(?: for me| best)?$',
);

/** The request with the answer to "when?" in it; the words that were no time to come go when a better one is given. */
export function completed(request: UserRequest, { found, task }: Said, said: string) {
  const answer = said
    .replace(FINE, '')
    .replace(INSTEAD, '')
    .replace(found && found.kind !== 'day' ? HOUR_OF_A_DAY : HOUR, `${request.in('at', 'um')} $&`);
  const chosen = withChoice(request.text, answer, request);
  if (chosen !== undefined) return chosen;
  const whole = findTime(request.text, request);
  const corrected = whole?.kind === 'unclear' ? whole.corrected : undefined;
  if (corrected && /^(?:yes|yep|yeah|right|correct|ja|genau|stimmt)\b/iu.test(answer)) return corrected;
  // "Not sure" is no word of a task that is known.
  const when = findTime(answer, request);
  // Nor is a figure that is no part of the time.
  if (task !== '' && (!when || /\d/u.test(when.rest))) return request.text;
  const hasChoice = whole?.kind === 'unclear' && whole.between.length > 0;
  if (hasChoice && isPartOfRepetition(request.text, answer)) return request.text;
  if (whole?.kind === 'unclear' && completes(request, answer)) return `${stem(request)} ${answer}`;
  // Another day than the one that is known takes its place.
  const isOther = found?.kind === 'day' && findTime(`${stem(request)} ${answer}`, request)?.kind === 'unclear';
  const replaced = found?.kind === 'unclear' || found?.kind === 'once' || isOther;
  return `${replaced ? withoutTime(stem(request)) : stem(request)} ${answer}`;
}

/** "Two days before it is due": by an event that is not known, so the answer is the whole time. */
const OF_AN_EVENT = /\b(?:hours?|days?|weeks?|night|evening) before (?:it|its|the|my|our|we|i|he|she|they)\b/iu;

/** "Twice a day" and "at 8 and 20": nothing has to be replaced, for together they are one time, or part of one. */
function completes(request: UserRequest, answer: string): boolean {
  if (OF_AN_EVENT.test(request.text) && findTime(answer, request)?.rest === '') return false;
  const together = findTime(`${stem(request)} ${answer}`, request);
  return (together !== undefined && together.kind !== 'unclear') || isPartOfRepetition(request.text, answer);
}

/** The request without the mark at its end. */
export const stem = ({ text }: UserRequest) =>
  ENDS_WITH_DAY.test(text) ? text.trim() : text.trim().replace(/[.!?\s]+$/u, '');
