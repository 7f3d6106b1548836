import { pattern } from '../base/pattern.ts';
import { addToDate, localDate } from '../when/calendar.ts';
import { type FoundTime, findTime, type Spoken } from '../when/find.ts';
import { type Span, spanIn } from './span.ts';

/** How long before: "an hour", "two days"; "the day", which says nothing of the hour. */
export interface Lead extends Span {
  readonly isDay?: true;
}

/** So long before something, and at what time where that is said: "an hour before", "am Tag davor um 8". */
export interface Ahead {
  readonly lead: Lead;
  /** Words of a time of day. */
  readonly clock?: string | undefined;
}

/** A day or an instant. */
export type OneTime = Extract<FoundTime, { readonly at: Date }>;

const DAY = /^(?:on |am )?(?:the )?(?:day|night|evening|morning|tag|abend|vormittag)$/iu;

/** "An hour", "the day", "am Tag": what stands in front of "before" and "vor". */
export function leadIn(words: string, spoken: Spoken): Lead | undefined {
  return DAY.test(words) ? { words, ms: 86_400_000, days: 1, isDay: true } : spanIn(words, spoken);
}

const CLOCK = String.raw`(?:at|um|gegen) \S+(?: (?:uhr|am|pm|o['’]clock))?`;
const AHEAD = pattern(
  'iu',
  `^(?:(?<first>${CLOCK}) )?(?<lead>.+?) (?:before(?:hand)?|ahead|prior|in advance|vorher|davor|zuvor)`,
  '(?: (?:that|it|this))?(?:,? (?<clock>.+))?$',
);

/** The whole of the words. */
export function aheadIn(words: string, spoken: Spoken): Ahead | undefined {
  const said = AHEAD.exec(words.replace(/\bam vor(?=tag\b|abend\b)(\p{L}+)/iu, 'am $1 davor'))?.groups;
  const lead = said && leadIn(said.lead ?? '', spoken);
  const clock = said?.first ?? said?.clock;
  if (!lead || (clock !== undefined && (lead.days === undefined || !isClock(clock, spoken)))) return undefined;
  return { lead, clock };
}

/** Whether words of time end in one, which counts from the rest: "3 May at 3pm the day before at 8". */
export function endsAhead(words: string, spoken: Spoken): boolean {
  const parts = words.split(' ');
  return parts.some((_, from) => from > 0 && aheadIn(parts.slice(from).join(' '), spoken) !== undefined);
}

/** A time of day and nothing else: on any day it says when. */
export function isClock(words: string, { now, timeZone }: Spoken): boolean {
  const day = localDate(addToDate(now, 2, { unit: 'day', timeZone }), timeZone);
  const found = findTime(`${day} ${words}`, { now, timeZone });
  const isTime = found?.kind === 'once' || (found?.kind === 'unclear' && found.between.length === 2);
  return isTime && found.rest === '';
}

/** When that is. @returns a day without a time where neither the words nor the event say one. */
export function timeAhead(event: OneTime, { lead, clock }: Ahead, spoken: Spoken): FoundTime | undefined {
  const { timeZone } = spoken;
  if (lead.days === undefined) return at(new Date(event.at.getTime() - lead.ms));
  const day = addToDate(event.at, -lead.days, { unit: 'day', timeZone });
  if (clock === undefined && event.kind === 'once' && !lead.isDay) return at(day);
  return findTime([localDate(day, timeZone), clock].filter(Boolean).join(' '), spoken);
}

/** A time that is known by itself, without words for it. */
export function at(instant: Date): FoundTime & { readonly kind: 'once' } {
  return { kind: 'once', at: instant, words: '', rest: '' };
}
