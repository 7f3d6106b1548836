import { pattern } from '../../base/pattern.ts';
import type { CalendarEvent, TextPart } from '../../models/message-data.ts';
import { sayDay } from '../../when/calendar.ts';
import { weekday } from '../../words/weekdays.ts';
import { partsBy } from '../citation.ts';

const DAY = String.raw`\d{1,2} \p{L}+ \d{4}`;
const EVENT = pattern(
  'gmu',
  String.raw`^(?<title>[^\n]{1,200}?) on ${weekday('en')} (?<day>${DAY})`,
  String.raw`(?: at (?<time>\d\d:\d\d)(?<zone> UTC| \([\w/+-]+\))?)?`,
  String.raw`(?: until (?:${weekday('en')} (?<last>${DAY}))?(?:(?: at )?(?<end>\d\d:\d\d))?)?`,
  String.raw`(?:, at (?<where>[^\n]+?))?\.?(?:\nRepeats: (?<repeats>[^\n]{1,200})\.)?(?=[ ]*$)`,
);

/**
 * An event as it is indexed, searched and quoted: "Eye test on Tuesday 24 November 2026 at 10:15 until 10:45, at the
 * station." Its rule is on a line of its own. `eventsIn` reads it back.
 */
export function writeEvent(event: CalendarEvent): string {
  const { title, day, time, zone, lastDay, end, where, repeats } = event;
  const at = time === undefined ? '' : ` at ${time}${zone === undefined ? '' : writeZone(zone)}`;
  const last = lastDay === undefined ? [] : [writeDay(lastDay)];
  const ends = [...last, ...(end === undefined ? [] : [end])].join(' at ');
  const until = ends === '' ? '' : ` until ${ends}`;
  const first = `${title} on ${writeDay(day)}${at}${until}${where === undefined ? '' : `, at ${where}`}.`;
  return repeats === undefined ? first : `${first}\nRepeats: ${repeats}.`;
}

/** The text of a calendar file with its events as data. */
export function eventsIn(text: string): TextPart[] {
  return partsBy(EVENT, text, ({ title = '', day, time, zone, last, end, where, repeats }) => {
    const [first, until] = [readDay(day), readDay(last)];
    if (first === undefined || (last !== undefined && until === undefined)) return undefined;
    const inZone = zone?.replace(/[() ]/gu, '');
    return { event: { title, day: first, time, zone: inZone, lastDay: until, end, where, repeats } };
  });
}

function writeZone(zone: string): string {
  return zone === 'UTC' ? ' UTC' : ` (${zone})`;
}

function writeDay(day: string): string {
  return sayDay(new Date(`${day}T00:00:00Z`), 'UTC');
}

function readDay(day: string | undefined): string | undefined {
  const at = new Date(`${day} 00:00 +00:00`);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString().slice(0, 10);
}
