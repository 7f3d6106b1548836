import { findMoment, type Moment } from './moment.ts';

/** When something is to happen, as words of the request. */
export interface When {
  readonly words: string;
  /** The request without them. */
  readonly rest: string;
  readonly repeats: boolean;
  /** Only for what happens once. */
  readonly moment?: Moment;
}

const EVERY = '(?:every|each)';
const DAY = '(?:mon|tues|wednes|thurs|fri|satur|sun)day';
const CLOCK = String.raw`(?:\d{1,2}(?::\d{2})?\s*(?:am|pm|a\.m\.|p\.m\.|o'clock)?|noon|midnight)(?![\w:])`;
const AT = String.raw`(?:\s+(?:at|from|around)?\s*${CLOCK})`;
const SPAN = String.raw`(?:other\s+|second\s+)?(?:\d+\s+|two\s+|three\s+)?(?:seconds?|minutes?|mins?|hours?|days?|weekdays?|working days?|weekends?|weeks?|months?|years?|mornings?|evenings?|afternoons?|nights?|${DAY}s?)(?:(?:,\s*|\s+and\s+|,\s*and\s+)${DAY}s?)*`;

const RECURRENCES: readonly RegExp[] = [
  new RegExp(
    String.raw`\b(?:on\s+)?the\s+\d{1,2}(?:st|nd|rd|th)\s+(?:day\s+)?of\s+(?:${EVERY}|the)\s+month${AT}?`,
    'iu',
  ),
  new RegExp(String.raw`\bat\s+[\w:]+(?:\s*[ap]m)?\s+${EVERY}\s+${SPAN}`, 'iu'),
  new RegExp(String.raw`\b(?:on\s+)?${EVERY}\s+${SPAN}(?:\s+on\s+${DAY}s?)?${AT}?(?:\s+on\s+${DAY}s?)?`, 'iu'),
  new RegExp(String.raw`\b(?:hourly|daily|weekly|monthly|nightly|yearly)\b(?:\s+on\s+${DAY}s?)?${AT}?`, 'iu'),
  new RegExp(String.raw`\b(?:on\s+)?(?:weekdays|weekends|${DAY}s)\b${AT}?`, 'iu'),
];
const LATER_CLOCK = new RegExp(String.raw`\bat\s+(${CLOCK})`, 'iu');

/** "Every morning" says no hour; these are the usual ones. */
const USUAL_HOURS: readonly (readonly [RegExp, string])[] = [
  [/\bmornings?$/iu, '9:00'],
  [/\bafternoons?$/iu, '15:00'],
  [/\bevenings?$/iu, '19:00'],
  [/\bnights?$/iu, '21:00'],
];

/** The first time or repetition that a text speaks of. */
export function findWhen(raw: string, now: Date): When | undefined {
  const text = raw.replace(/\bthe first(?= of (?:every|each|the) month)/iu, 'the 1st');
  for (const recurrence of RECURRENCES) {
    const match = recurrence.exec(text);
    if (match) return repeating(match[0], `${text.slice(0, match.index)} ${text.slice(match.index + match[0].length)}`);
  }
  const moment = findMoment(text, now);
  return moment && { words: moment.words, rest: moment.rest, repeats: false, moment };
}

/** "A daily reminder at 9am": the clock may stand apart from the repetition. */
function repeating(found: string, rest: string): When {
  const words = found.replace(/^on\s+(?=every|each)/iu, '').trim();
  const clock = /\d|noon|midnight|hour|minute|second/iu.test(words) ? null : LATER_CLOCK.exec(rest);
  if (clock) return { words: `${words} at ${clock[1]}`, rest: rest.replace(clock[0], ' '), repeats: true };
  const hour = USUAL_HOURS.find(([part]) => part.test(words))?.[1];
  const usual =
    hour === undefined ? words : `${words.replace(/\b(?:morning|afternoon|evening|night)s?$/iu, 'day')} at ${hour}`;
  return { words: usual, rest, repeats: true };
}
