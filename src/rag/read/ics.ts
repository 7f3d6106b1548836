import { sayDay, sayTime } from '../../when/calendar.ts';
import { DAY_MS } from '../../when/zone.ts';
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
  const start = get('DTSTART') ?? get('DUE');
  const end = get('DTEND');
  const when = start ? `on ${sayStart(start)}${end ? sayEnd(start, end) : ''}` : '';
  const title = text('SUMMARY') || 'Event without a title';
  const where = text('LOCATION') === '' ? '' : `, at ${text('LOCATION')}`;
  const repeats = get('RRULE') ? `Repeats: ${sayRule(get('RRULE')?.value ?? '')}.` : '';
  const first = [title, when].filter((part) => part !== '').join(' ');
  return [`${first}${where}.`, repeats, text('DESCRIPTION')].filter((part) => part !== '').join('\n');
}

/** `Tuesday 24 November 2026 at 14:00`; a time with its zone where the file names one. */
function sayStart({ value, parameters }: Property): string {
  const at = wallOf(value);
  if (!at) return value;
  const zone = value.endsWith('Z') ? ' UTC' : (/TZID="?([^;":]+)/iu.exec(parameters)?.[1] ?? '');
  const time = value.includes('T') ? ` at ${sayTime(at, 'UTC')}${zone === ' UTC' ? zone : zone && ` (${zone})`}` : '';
  return `${sayDay(at, 'UTC')}${time}`;
}

function sayEnd(start: Property, { value }: Property): string {
  const at = wallOf(value);
  if (!at) return '';
  if (!value.includes('T')) {
    // The file names the day after the last one.
    const last = new Date(at.getTime() - DAY_MS);
    const first = wallOf(start.value);
    return first && last > first ? ` until ${sayDay(last, 'UTC')}` : '';
  }
  const sameDay = value.slice(0, 8) === start.value.slice(0, 8);
  return ` until ${sameDay ? '' : `${sayDay(at, 'UTC')} at `}${sayTime(at, 'UTC')}`;
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
