import type { CalendarEvent } from '../../models/message-data.ts';
import { sayTime } from '../../when/calendar.ts';
import { DAY_MS } from '../../when/zone.ts';
import { writeEvent } from './calendar-event.ts';
import { type Block, type Parsed, Unreadable } from './parsed.ts';

/** A line of a calendar file: its name, what follows the name up to the colon, and its value. */
interface Property {
  readonly name: string;
  readonly parameters: string;
  readonly value: string;
}

/**
 * Read a calendar: one block per event or task, in sentences that say when and where it is.
 *
 * @see RFC 5545
 */
export function readIcs(source: string): Parsed {
  const lines = source.replace(/^\uFEFF/u, '').split(/\r\n|\n|\r/u);
  if (!/^BEGIN:VCALENDAR/iu.test(lines.find((line) => line.trim() !== '') ?? ''))
    throw new Unreadable('not a calendar');
  const blocks: Block[] = [];
  let open: { readonly line: number; readonly properties: Property[] } | undefined;
  let inAlarm = false;
  for (const [index, line] of lines.entries()) {
    if (/^(?:BEGIN|END):/iu.test(line)) inAlarm = /^BEGIN:VALARM\s*$/iu.test(line);
    if (/^BEGIN:V(?:EVENT|TODO|JOURNAL)\s*$/iu.test(line)) open = { line: index + 1, properties: [] };
    else if (/^END:V(?:EVENT|TODO|JOURNAL)\s*$/iu.test(line) && open) {
      blocks.push({ kind: 'text', text: sayEvent(open.properties), lines: [open.line, index + 1] });
      open = undefined;
    } else if (open && !inAlarm) addLine(open.properties, line);
  }
  return { blocks };
}

/** A line that begins with a blank continues the one before it. */
function addLine(properties: Property[], line: string): void {
  const last = properties.at(-1);
  if (/^[ \t]/u.test(line) && last) properties[properties.length - 1] = { ...last, value: last.value + line.slice(1) };
  const [, name, parameters = '', value = ''] = /^([A-Z-]+)((?:;[^:"]*(?:"[^"]*"[^:"]*)*)?):(.*)$/iu.exec(line) ?? [];
  if (name !== undefined && !/^[ \t]/u.test(line)) properties.push({ name: name.toUpperCase(), parameters, value });
}

function sayEvent(properties: readonly Property[]): string {
  const get = (name: string) => properties.find((property) => property.name === name);
  const text = (name: string) => unescaped(get(name)?.value ?? '');
  const line = (name: string) => onOneLine(text(name)) || undefined;
  const start = get('DTSTART') ?? get('DUE');
  const about = {
    title: line('SUMMARY') ?? 'Event without a title',
    where: line('LOCATION'),
    repeats: get('RRULE') && sayRule(get('RRULE')?.value ?? ''),
  };
  const times = start && timesOf(start, get('DTEND'));
  const event = times ? writeEvent({ ...about, ...times }) : writeUndated(about, start?.value);
  return [event, text('DESCRIPTION')].filter((part) => part !== '').join('\n');
}

type Times = Omit<CalendarEvent, 'title' | 'where' | 'repeats'>;

/** As the file's own clock shows them, with the zone where it names one; undefined without a date that is one. */
function timesOf({ value, parameters }: Property, ending: Property | undefined): Times | undefined {
  const at = wallOf(value);
  if (!at) return undefined;
  const day = at.toISOString().slice(0, 10);
  const end = wallOf(ending?.value ?? '');
  const isTimed = ending?.value.includes('T') ?? false;
  // Where days are named without a time, the one named is the day after the last.
  const last = end && new Date(end.getTime() - (isTimed ? 0 : DAY_MS)).toISOString().slice(0, 10);
  const zone = value.endsWith('Z') ? 'UTC' : /TZID="?([^;":]+)/iu.exec(parameters)?.[1];
  return {
    day,
    ...(value.includes('T') && { time: sayTime(at, 'UTC'), zone }),
    ...(last !== undefined && (isTimed ? last !== day : last > day) && { lastDay: last }),
    ...(end && isTimed && { end: sayTime(end, 'UTC') }),
  };
}

/** What has no date that is one keeps the words of its file. */
function writeUndated({ title, where, repeats }: Omit<CalendarEvent, 'day'>, date: string | undefined): string {
  const first = `${title}${date === undefined ? '' : ` on ${date}`}${where === undefined ? '' : `, at ${where}`}.`;
  return repeats === undefined ? first : `${first}\nRepeats: ${repeats}.`;
}

function sayRule(rule: string): string {
  return rule.toLowerCase().replaceAll(';', ', ').replaceAll('=', ' ');
}

/** Wall-clock time as UTC, so that no zone matters. */
function wallOf(value: string): Date | undefined {
  const [, year, month, day, hour = '00', minute = '00'] = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d))?/u.exec(value) ?? [];
  const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:00Z`);
  return Number.isNaN(at.getTime()) ? undefined : at;
}

function unescaped(value: string): string {
  return value
    .replace(/\\n/giu, '\n')
    .replace(/\\([,;\\])/gu, '$1')
    .trim();
}

/** The lines of a text that stands on one line of an event, "Hall 2, Main street": lines of blanks are none. */
function onOneLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '').join(', ');
}
