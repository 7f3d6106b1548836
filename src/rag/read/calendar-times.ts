import type ICAL from 'ical.js';
import { fromWallClock } from '../../when/calendar.ts';
import { zoneNamed } from './zone-names.ts';

/** A period of time. */
export interface Span {
  readonly from: Date;
  /** Exclusive. */
  readonly to: Date;
}

/** One iCalendar text, and whatever its keeper needs to know of it. */
interface CalendarText {
  readonly text: string;
}

/** The descriptive fields of an event. */
export interface EventDetails {
  readonly title: string;
  readonly start: Date;
  readonly end: Date;
  readonly allDay: boolean;
  readonly location?: string | undefined;
  readonly notes?: string | undefined;
}

/** An event, or one occurrence of it. */
export interface Occurrence<Stored extends CalendarText = CalendarText> extends EventDetails {
  readonly uid: string;
  /** It is an occurrence of a series. */
  readonly repeats: boolean;
  /** Its original start in the series (RECURRENCE-ID), which moving it does not change. */
  readonly slot: Date;
  readonly stored: Stored;
}

interface Reader<Stored extends CalendarText = CalendarText> {
  readonly ical: typeof ICAL;
  readonly stored: Stored;
  readonly span: Span;
  /** The zone of floating times. */
  readonly timeZone: string;
}

const DAY_MS = 86_400_000;
/** No real calendar has such events, but a hostile invitation may. */
const TOO_OFTEN = /FREQ=(?:SECONDLY|MINUTELY)/iu;

/**
 * The events in a period, by start: single ones, and each occurrence of a series that falls into it. The
 * time zone of the process does not matter.
 *
 * @param odd is told of each event that cannot be read, so that it does not hide the others; absent: it throws.
 * @throws Error for a text that is not a calendar.
 * @see RFC 5545
 */
export async function occurrencesOf<Stored extends CalendarText>(
  stored: Stored,
  span: Span,
  timeZone: string,
  odd: (error: Error) => void = (error) => {
    throw error;
  },
): Promise<Occurrence<Stored>[]> {
  const { default: ical } = await import('ical.js');
  const reader = { ical, stored, span, timeZone };
  const events = eventsIn(ical, stored.text);
  const moved = Map.groupBy(
    events.filter((event) => event.hasProperty('recurrence-id')),
    uidOf,
  );
  const masters = events.filter((event) => !event.hasProperty('recurrence-id'));
  const known = new Set(masters.map(uidOf));
  const unread = (error: Error) => {
    odd(error);
    return [];
  };
  const found = await Promise.all(
    masters.map((event) => timesOf(reader, event, moved.get(uidOf(event)) ?? []).catch(unread)),
  );
  // An invitation to one occurrence of a series that we do not have.
  const orphans = [...moved].filter(([uid]) => !known.has(uid)).flatMap(([, each]) => each);
  const alone = await Promise.all(orphans.map((event) => timesOf(reader, event, []).catch(unread)));
  return [...found, ...alone]
    .flat()
    .filter(({ start, end }) => overlaps(start, end, span))
    .sort(byStart);
}

/** The events of a text, as the library represents them. */
export function eventsIn(ical: typeof ICAL, text: string): ICAL.Component[] {
  const roots: unknown[] = ical.parse(text);
  const lists = typeof roots[0] === 'string' ? [roots] : roots;
  return lists
    .map((each) => new ical.Component(each as unknown[]))
    .flatMap((calendar) => calendar.getAllSubcomponents('vevent'))
    .filter((event) => event.hasProperty('dtstart'));
}

export function byStart(a: Pick<Occurrence, 'start' | 'end'>, b: Pick<Occurrence, 'start' | 'end'>): number {
  return a.start.getTime() - b.start.getTime() || a.end.getTime() - b.end.getTime();
}

function overlaps(start: Date, end: Date, { from, to }: Span): boolean {
  return start < to && (end > from || (start >= from && end.getTime() === start.getTime()));
}

export function uidOf(event: ICAL.Component): string {
  return String(event.getFirstPropertyValue('uid') ?? '');
}

async function timesOf<Stored extends CalendarText>(
  reader: Reader<Stored>,
  event: ICAL.Component,
  moved: readonly ICAL.Component[],
): Promise<Occurrence<Stored>[]> {
  const rule = event.getFirstProperty('rrule')?.getFirstValue()?.toString();
  const dates = valuesOf(event, 'rdate').map((time) => instantOf(time, event.getFirstProperty('rdate'), reader));
  if (rule === undefined && dates.length === 0) return [once(reader, event, { repeats: false })];
  const first = once(reader, event, { repeats: true });
  const length = first.end.getTime() - first.start.getTime();
  const gone = new Set(valuesOf(event, 'exdate').map((time) => slotOf(time, event.getFirstProperty('exdate'), reader)));
  for (const each of moved)
    gone.add(slotOf(timeIn(each, 'recurrence-id'), each.getFirstProperty('recurrence-id'), reader));
  const byRule = rule === undefined ? [first.start] : await expand(reader, event, { rule, length });
  const all = new Map([...byRule, ...dates].map((at) => [at.getTime(), at]));
  const regular = [...all.values()]
    .filter((at) => !gone.has(at.getTime()))
    .map((start) => ({ ...first, start, slot: start, end: new Date(start.getTime() + length) }));
  return [...regular, ...moved.map((each) => once(reader, each, { repeats: true }))];
}

/** The instants of a rule around the requested period. */
async function expand(
  { span, timeZone, ical }: Reader,
  event: ICAL.Component,
  { rule, length }: { readonly rule: string; readonly length: number },
): Promise<Date[]> {
  if (TOO_OFTEN.test(rule)) throw new Error('an event repeats every minute or more often');
  const until = ical.Recur.fromString(rule).until;
  const margin = length + 2 * DAY_MS;
  if (until && until.toUnixTime() * 1000 < span.from.getTime() - margin) return [];
  const { RRuleTemporal } = await import('rrule-temporal');
  const start = timeIn(event, 'dtstart');
  // All-day events have no zone: they are computed in UTC and converted to the owner's days at the end.
  const zone = start.isDate ? 'UTC' : zoneOfTime(start, event.getFirstProperty('dtstart'), timeZone);
  const text = `DTSTART;TZID=${zone}:${start.toICALString().replace('Z', '')}${start.isDate ? 'T000000' : ''}`;
  const repetition = new RRuleTemporal({ rruleString: `${text}\nRRULE:${wholeUntil(rule, start.isDate)}` });
  const [from, to] = [new Date(span.from.getTime() - margin), new Date(span.to.getTime() + DAY_MS)];
  const instants = repetition.between(from, to, true).map((at) => new Date(at.epochMilliseconds));
  return start.isDate ? instants.map((at) => fromWallClock(at, timeZone)) : instants;
}

/** The library wants an instant, where all-day events end on a date. */
function wholeUntil(rule: string, days: boolean): string {
  return days ? rule.replace(/UNTIL=(\d{8})(?!T)/iu, 'UNTIL=$1T235959Z') : rule;
}

function once<Stored extends CalendarText>(
  reader: Reader<Stored>,
  event: ICAL.Component,
  { repeats }: { readonly repeats: boolean },
): Occurrence<Stored> {
  const time = timeIn(event, 'dtstart');
  const start = instantOf(time, event.getFirstProperty('dtstart'), reader);
  const text = (name: string) => event.getFirstPropertyValue(name)?.toString().trim() || undefined;
  const original = event.getFirstProperty('recurrence-id');
  return {
    uid: uidOf(event),
    title: text('summary') ?? 'Event without a title',
    ...{ start, end: endOf(reader, event, { time, start }), allDay: time.isDate },
    ...{ location: text('location'), notes: text('description'), repeats, stored: reader.stored },
    slot: original ? new Date(slotOf(timeIn(event, 'recurrence-id'), original, reader)) : start,
  };
}

function endOf(
  reader: Reader,
  event: ICAL.Component,
  { time, start }: { readonly time: ICAL.Time; readonly start: Date },
): Date {
  if (event.hasProperty('dtend')) {
    const end = instantOf(timeIn(event, 'dtend'), event.getFirstProperty('dtend'), reader);
    return end < start ? start : end;
  }
  const duration = event.getFirstPropertyValue('duration');
  if (duration instanceof reader.ical.Duration) {
    const after = time.clone();
    after.addDuration(duration);
    return instantOf(after, event.getFirstProperty('dtstart'), reader);
  }
  if (!time.isDate) return start;
  const next = time.clone();
  next.adjust(1, 0, 0, 0);
  return instantOf(next, null, reader);
}

/** @throws Error for a property without a time in it. */
export function timeIn(event: ICAL.Component, name: string): ICAL.Time {
  const value = event.getFirstPropertyValue(name);
  if (value === null || typeof value === 'string' || !('isDate' in value))
    throw new Error(`an event has no valid ${name}`);
  return value as ICAL.Time;
}

function valuesOf(event: ICAL.Component, name: string): ICAL.Time[] {
  return event
    .getAllProperties(name)
    .flatMap((property) => property.getValues())
    .filter((value): value is ICAL.Time => typeof value === 'object' && value !== null && 'isDate' in value);
}

/** The start of an occurrence in milliseconds, to identify it. */
function slotOf(time: ICAL.Time, property: ICAL.Property | null, reader: Reader): number {
  return instantOf(time, property, reader).getTime();
}

/** Needed because the library would read a zoned time as one in the process's zone. */
export function instantOf(
  time: ICAL.Time,
  property: ICAL.Property | null,
  { timeZone }: { readonly timeZone: string },
): Date {
  const { year, month, day, hour, minute, second } = time;
  const wall = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  return fromWallClock(wall, time.isDate ? timeZone : zoneOfTime(time, property, timeZone));
}

/** @returns an IANA zone; the owner's for times without a zone, or with an unknown one. */
export function zoneOfTime(time: ICAL.Time, property: ICAL.Property | null, ofOwner: string): string {
  const tzid = property?.getFirstParameter('tzid');
  if (tzid) return zoneNamed(tzid) ?? ofOwner;
  return time.zone?.tzid === 'UTC' ? 'UTC' : ofOwner;
}
