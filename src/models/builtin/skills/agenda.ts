import { isRecord } from '../../../base/json.ts';
import { pattern } from '../../../base/pattern.ts';
import { addToDate, localDate, sayDay } from '../../../when/calendar.ts';
import type { DaySpan } from '../../../when/day-span.ts';
import { weekday } from '../../../words/weekdays.ts';
import { foundInGerman } from '../found-in-german.ts';
import { type Action, act, type Intent, type Result, type UserRequest } from '../request.ts';

/** More days than these are not spelt out to the search. */
const MOST_DAYS = 31;
const MOST_PASSAGES = 20;
/** As calendar files are read: "Eye test on Tuesday 24 November 2026 at 10:15 until 10:45, at the station." */
const EVENT = pattern(
  'u',
  String.raw`^(?<title>.{1,200}?) on ${weekday('en')} (?<first>\d{1,2} \p{L}+ \d{4})`,
  String.raw`(?: at (?<time>\d\d:\d\d))?(?<more>[^\n]*?)\.?$`,
);
const LAST_DAY = pattern('u', String.raw` until ${weekday('en')} (\d{1,2} \p{L}+ \d{4})`);

/** An event of a calendar file that was ingested. */
export interface Event {
  /** Local dates. */
  readonly from: string;
  readonly to: string;
  readonly time: string;
  readonly text: string;
  /** As the index has it: with its day. */
  readonly line: string;
}

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
export function eventsIn({ value }: Result): Event[] {
  const passages = isRecord(value) && Array.isArray(value.passages) ? value.passages.filter(isRecord) : [];
  const lines = passages
    .filter(({ citation }) => /\.ics\b/iu.test(String(citation)))
    .flatMap(({ text }) => String(text).split('\n'));
  return [...new Set(lines)].flatMap(eventOf).sort((a, b) => (`${a.from} ${a.time}` < `${b.from} ${b.time}` ? -1 : 1));
}

function eventOf(line: string): Event[] {
  const { title, first = '', time = '', more = '' } = EVENT.exec(line.trim())?.groups ?? {};
  const from = isoOf(first);
  if (title === undefined || from === undefined) return [];
  const to = isoOf(LAST_DAY.exec(more)?.[1] ?? '') ?? from;
  return [{ from, to, time, text: `${title}${time && ` at ${time}`}${more}`, line: line.trim() }];
}

function isoOf(date: string): string | undefined {
  const at = new Date(`${date} 00:00 +00:00`);
  return date === '' || Number.isNaN(at.getTime()) ? undefined : at.toISOString().slice(0, 10);
}

/** Those that touch the days. */
export function during(events: readonly Event[], { from, to }: DaySpan): Event[] {
  return events.filter((event) => event.from <= to && event.to >= from);
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
      const coming = eventsIn(result).filter(({ to, text }) => to >= today && /holiday/iu.test(text));
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
export function sayEvents(events: readonly Event[], request: UserRequest, dated: boolean): string {
  const day = (date: string) => sayDay(new Date(`${date}T00:00:00Z`), 'UTC');
  return events
    .map(({ from, text, line }) => request.in(dated ? `${day(from)}: ${text}` : text, foundInGerman(line)))
    .map((said) => `- ${said.replace(` (${request.timeZone})`, '')}`)
    .join('\n');
}
