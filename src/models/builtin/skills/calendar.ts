import { isRecord } from '../../../base/json.ts';
import { type DaySpan, findDays } from '../../../when/day-span.ts';
import { phrases } from '../phrases.ts';
import { act, type Skill, type UserRequest } from '../request.ts';
import { publicHolidays } from './agenda.ts';
import { agenda } from './schedules.ts';

const ASKED = phrases({
  en: [
    `(what's|what is|what do i have|show me|show|list|tell me what is) [on|in] (my|the) (calendar|agenda|diary)
      {when:maybe}`,
    `(do i have|have i got|are there) [any|an|some] (appointment|appointments|event|events|meeting|meetings)
      {when:maybe}`,
    '(what|which) (appointments|events|meetings) (do i have|have i got|are there) {when:maybe}',
    'my (calendar|agenda|appointments) {when:maybe}',
  ],
  de: [
    '(was steht|was habe ich) (in|im|auf) [meinem|dem] (kalender|terminkalender) {when:maybe}',
    '(welche|was für) termine (habe ich|stehen an|gibt es) {when:maybe}',
    '(habe ich|hab ich|gibt es) [einen|irgendwelche] (termin|termine) {when:maybe}',
    '[zeig[e]] [mir] mein[e|en] (kalender|termine) {when:maybe}',
  ],
});

/** Where a plugin keeps the calendar: what is on, on a day or in the week from it. */
export const calendar: Skill = {
  name: 'calendar',
  examples: { en: [], de: [] },
  recognize: (request) => {
    const slots = ASKED(request.plain);
    const span = slots && findDays(slots.when || 'today', request, { ahead: true });
    if (!span) return publicHolidays(request);
    if (!request.can('calendar_events')) return agenda(span, request);
    return act({ tool: 'calendar_events', input: { ...span }, say: ({ value }) => sayEvents(value, span, request) });
  },
};

function sayEvents(value: unknown, { from, to }: DaySpan, request: UserRequest): string {
  const events = isRecord(value) && Array.isArray(value.events) ? value.events.filter(isRecord) : [];
  const days = from === to ? from : `${from} ${request.in('to', 'bis')} ${to}`;
  if (events.length === 0) return request.in(`There is nothing on ${days}.`, `Am ${days} steht nichts an.`);
  const lines = events.map((event) => {
    const time = typeof event.start === 'string' ? event.start.slice(from === to ? 11 : 0) : String(event.day);
    return `- ${time} ${String(event.title)}${event.location ? ` (${String(event.location)})` : ''}`;
  });
  return [`${days}:`, ...lines].join('\n');
}
