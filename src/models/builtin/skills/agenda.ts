import { pattern } from '../../../base/pattern.ts';
import { addToDate, localDate, sayDay } from '../../../when/calendar.ts';
import type { DaySpan } from '../../../when/day-span.ts';
import type { CalendarEvent } from '../../message-data.ts';
import { eventInEnglish, eventInGerman, foundData } from '../found.ts';
import { type Action, act, type Intent, type Result, type UserRequest } from '../request.ts';

/** More days than these are not spelt out to the search. */
const MOST_DAYS = 31;
const MOST_PASSAGES = 20;
/** The call that finds the events of some days in ingested calendar files; undefined where there is none for it. */
export function eventsCall(span: DaySpan, request: UserRequest): Action | undefined {
  if (!request.can('query_rag')) return undefined;
  return searchFor(daysOf(span).join(' '));
}

function searchFor(query: string): Action {
  return { tool: 'query_rag', input: { query, k: MOST_PASSAGES }, say: () => '' };
}

/** `Tuesday 24 November 2026`, each day of the span. */
function daysOf({ from, to }: DaySpan): string[] {
  const days: string[] = [];
  let at = new Date(`${from}T00:00:00Z`);
  while (at.toISOString().slice(0, 10) <= to && days.length < MOST_DAYS) {
    days.push(sayDay(at, 'UTC'));
    at = addToDate(at, 1, { unit: 'day', timeZone: 'UTC' });
  }
  return days;
}

/** The events that a search found, in order; those that repeat only by their first time. */
export function eventsIn(result: Result): CalendarEvent[] {
  const events = foundData(result).passages.flatMap(({ text }) => text.flatMap(({ event }) => event ?? []));
  const once = new Map(events.map((event) => [JSON.stringify(event), event]));
  return [...once.values()].sort((a, b) => (`${a.day} ${a.time ?? ''}` < `${b.day} ${b.time ?? ''}` ? -1 : 1));
}

/** Those that touch the days. */
export function during(events: readonly CalendarEvent[], { from, to }: DaySpan): CalendarEvent[] {
  return events.filter(({ day, lastDay = day }) => day <= to && lastDay >= from);
}

const HOLIDAY = pattern(
  'iu',
  String.raw`^(?:when(?:'s| is| are)|what(?:'s| is)|is|do we have|are there|how (?:long|many days)|which)\b`,
  String.raw`(?!.*\b(?:my|rent|lease|contract|allowance|entitle\w*)\b).*\b(?:bank|public|national|federal`,
  String.raw`|statutory) holidays?\b`,
);

/** No country's holidays are known; calendar files may have them. */
export function publicHolidays(request: UserRequest): Intent | undefined {
  if (!HOLIDAY.test(request.plain) || !request.can('query_rag')) return undefined;
  const today = localDate(request.now, request.timeZone);
  return act({
    ...searchFor('bank holiday public holiday'),
    say: (result) => {
      const coming = eventsIn(result).filter(
        ({ title, day, lastDay = day }) => lastDay >= today && /holiday/iu.test(title),
      );
      if (coming.length > 0) return sayEvents(coming.slice(0, MOST_HOLIDAYS), request, true);
      return [
        'I know no public holidays: they differ by country. A calendar file (.ics) that has them, added with',
        '`wooster ingest`, tells me.',
      ].join(' ');
    },
  });
}

const MOST_HOLIDAYS = 3;

/** One line each, with the day where they are of several. */
export function sayEvents(events: readonly CalendarEvent[], request: UserRequest, dated: boolean): string {
  const { timeZone } = request;
  const english = (event: CalendarEvent) =>
    `${dated ? `${sayDay(new Date(event.day), 'UTC')}: ` : ''}${eventInEnglish(event, timeZone)}`;
  return events.map((event) => `- ${request.in(english(event), eventInGerman(event, timeZone))}`).join('\n');
}
