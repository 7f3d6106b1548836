import { pattern } from '../../base/pattern.ts';
import { localDate } from '../../when/calendar.ts';
import { type ClockChange, clockChanges } from '../../when/clock-changes.ts';
import { zoneOfPlace } from '../../when/places.ts';
import { sayings } from '../../when/say.ts';
import { type Intent, say, type UserRequest } from '../request.ts';
import { homeOf } from './memory.ts';

/** "When do the clocks go forward?", "when does summer time end?" */
const ASKED = pattern(
  'iu',
  String.raw`^(?:when|what (?:day|date)|on (?:what|which) day|wann|an welchem tag)\b.*`,
  String.raw`\b(?:(?:the |our |die )?(?:clocks?|time|uhr(?:en)?|zeit)\b.*\b(?:go(?:es)? (?:forward|back|ahead)`,
  '|(?:spring|put|turn|move)\\b.{0,12}(?:forward|back|ahead)|fall back|change|vor|zurück|um|umgestellt|vorgestellt',
  '|zurückgestellt)|(?:turn|put|move|change) (?:the |our )?clocks?|daylight savings?|dst|summer time|winter time|bst',
  String.raw`|zeitumstellung|sommerzeit|winterzeit)\b`,
);
const BACK = pattern(
  'iu',
  String.raw`\b(?:back|zurück\p{L}*|(?:winter time|winterzeit)\b.*\b(?:start|begin|an|beginnt|anfängt)s?`,
  String.raw`|(?:dst|bst|summer time|daylight savings?|sommerzeit)\b.*\b(?:ends?|over|finish|stop|endet|auf`,
  String.raw`|vorbei|zu ende))\b`,
);
const FORWARD = pattern(
  'iu',
  String.raw`\b(?:forward|ahead|vor|vorgestellt|(?:dst|bst|summer time|daylight savings?|sommerzeit)\b.*`,
  String.raw`\b(?:start|begin|an|beginnt|anfängt)s?)\b`,
);
const IN_YEAR = /(?<!\s)\s+(?:(?:in|im jahr) 20\d\d|(?:next|this) year|(?:nächste[sn]?|diese[sm]?) jahr)$/iu;
const YEAR = /\b(?:20\d\d|next year|this year|nächste[sn]? jahr|diese[sm]? jahr)\b/iu;

/** When the clocks change next, by the rules of the time zone: here, or in a place that is named. */
export function clockChange(request: UserRequest): Intent | undefined {
  const { plain, now, in: either } = request;
  if (plain.length > 120 || !ASKED.test(plain)) return undefined;
  const named = /\bin (?!20\d\d|spring|autumn|the\b|dies|nächst)(?<place>\p{L}[\p{L} ]+)$/iu.exec(
    plain.replace(IN_YEAR, ''),
  )?.groups?.place;
  const place = named ?? homeOf(request);
  const timeZone = place === undefined ? request.timeZone : zoneOfPlace(place);
  if (timeZone === undefined) return undefined;
  const changes = clockChanges(timeZone, now);
  if (changes.length === 0)
    return say(
      either(
        `The clocks of ${timeZone} do not change. For another place say "when do the clocks change in London".`,
        `In ${timeZone} werden die Uhren nicht umgestellt. Woanders: „wann ist die Zeitumstellung in Wien“.`,
      ),
    );
  const year = yearOf(plain, now, timeZone);
  const forward = BACK.test(plain) ? false : FORWARD.test(plain) ? true : undefined;
  const fitting = changes.filter(
    ({ at, hours }) =>
      (forward === undefined || hours > 0 === forward) && (year === undefined || yearIn(at, timeZone) === year),
  );
  if (fitting.length === 0) return undefined;
  const [first = '', ...others] = fitting
    .slice(0, year === undefined ? 1 : 2)
    .map((change) => sayChange(change, request));
  const told = [first, ...others.map((next) => next.charAt(0).toLowerCase() + next.slice(1))];
  return say(`${told.join(either(', and ', ', und '))} (${timeZone}).`);
}

function sayChange({ before, hours }: ClockChange, { language, now, in: either }: UserRequest): string {
  const { day, time } = sayings(language, { timeZone: 'UTC', now });
  const amount = Math.abs(hours) === 1 ? either('an hour', 'eine Stunde') : either('half an hour', 'eine halbe Stunde');
  return either(
    `The clocks go ${hours > 0 ? 'forward' : 'back'} ${amount} at ${time(before)} on ${day(before)}`,
    `Die Uhren werden am ${day(before)} um ${time(before)} Uhr um ${amount} ${hours > 0 ? 'vor' : 'zurück'}gestellt`,
  );
}

function yearIn(at: Date, timeZone: string): number {
  return Number(localDate(at, timeZone).slice(0, 4));
}

function yearOf(plain: string, now: Date, timeZone: string): number | undefined {
  const [said] = YEAR.exec(plain) ?? [];
  if (said === undefined) return undefined;
  const thisYear = yearIn(now, timeZone);
  return /^\d/u.test(said) ? Number(said) : /^n/iu.test(said) ? thisYear + 1 : thisYear;
}
