import type ICAL from 'ical.js';
import { type EventDetails, eventsIn, instantOf, localTime, type Occurrence, timeIn, uidOf, zoneOfTime } from '#plugin';

/** An event to be created. */
export interface NewEvent extends EventDetails {
  /** An RRULE, such as `FREQ=WEEKLY;COUNT=10`. */
  readonly rule?: string | undefined;
}

/** What every change needs. */
interface Edit {
  readonly now: Date;
  /** The owner's IANA zone. */
  readonly timeZone: string;
}

/** A calendar with one event. */
export async function newEvent(event: NewEvent & { readonly uid: string }, { now, timeZone }: Edit): Promise<string> {
  const { default: ical } = await import('ical.js');
  const calendar = new ical.Component('vcalendar');
  calendar.addPropertyWithValue('prodid', '-//Wooster//EN');
  calendar.addPropertyWithValue('version', '2.0');
  const part = new ical.Component('vevent');
  part.addPropertyWithValue('uid', event.uid);
  part.addPropertyWithValue('dtstamp', ical.Time.fromJSDate(now, true));
  part.addPropertyWithValue('summary', event.title);
  if (event.location) part.addPropertyWithValue('location', event.location);
  if (event.notes) part.addPropertyWithValue('description', event.notes);
  const zone = event.rule === undefined ? 'UTC' : timeZone;
  const show = event.allDay ? { days: timeZone } : { zone };
  setTime({ ical, part }, 'dtstart', { at: event.start, ...show });
  setTime({ ical, part }, 'dtend', { at: event.end, ...show });
  if (event.rule) part.addPropertyWithValue('rrule', ical.Recur.fromString(event.rule));
  calendar.addSubcomponent(part);
  return `${calendar.toString()}\r\n`;
}

/** The calendar with that event, or only one occurrence of a series, moved to another time. */
export async function withMoved(
  occurrence: Occurrence,
  to: { readonly start: Date; readonly end: Date; readonly series: boolean },
  edit: Edit,
): Promise<string> {
  const { default: ical } = await import('ical.js');
  const { calendar, master, own } = find(ical, occurrence, edit);
  const { allDay, slot, start } = occurrence;
  const alone = occurrence.repeats && !to.series;
  const part = alone ? (own ?? single(ical, master)) : master;
  const shift = to.start.getTime() - start.getTime();
  const first = alone || !occurrence.repeats ? to.start : new Date(timeOf(master, 'dtstart', edit).getTime() + shift);
  const length = to.end.getTime() - to.start.getTime();
  const zone = zoneOfTime(timeIn(master, 'dtstart'), master.getFirstProperty('dtstart'), edit.timeZone);
  const show = allDay ? { days: edit.timeZone } : { zone };
  if (alone && !own) {
    setTime({ ical, part }, 'recurrence-id', { at: slot, ...show });
    calendar.addSubcomponent(part);
  }
  part.removeAllProperties('duration');
  setTime({ ical, part }, 'dtstart', { at: first, ...show });
  setTime({ ical, part }, 'dtend', { at: new Date(first.getTime() + length), ...show });
  touch(ical, part, edit.now);
  return `${calendar.toString()}\r\n`;
}

/** The calendar without that event, or without one occurrence of a series; undefined when it is empty then. */
export async function without(
  occurrence: Occurrence,
  { series, now, timeZone }: Edit & { readonly series: boolean },
): Promise<string | undefined> {
  const { default: ical } = await import('ical.js');
  const { calendar, master, own } = find(ical, occurrence, { timeZone });
  if (occurrence.repeats && !series) {
    if (own) calendar.removeSubcomponent(own);
    const zone = zoneOfTime(timeIn(master, 'dtstart'), master.getFirstProperty('dtstart'), timeZone);
    const show = occurrence.allDay ? { days: timeZone } : { zone };
    addTime({ ical, part: master }, 'exdate', { at: occurrence.slot, ...show });
    touch(ical, master, now);
  } else {
    const all = calendar.getAllSubcomponents('vevent').filter((part) => uidOf(part) === occurrence.uid);
    for (const part of all) calendar.removeSubcomponent(part);
  }
  return calendar.getAllSubcomponents('vevent').length > 0 ? `${calendar.toString()}\r\n` : undefined;
}

/** The event in its calendar; `own`: the component for this occurrence alone. */
function find(ical: typeof ICAL, { stored, uid, slot }: Occurrence, place: Pick<Edit, 'timeZone'>) {
  const parts = eventsIn(ical, stored.text).filter((part) => uidOf(part) === uid);
  const isOwn = (part: ICAL.Component) => part.hasProperty('recurrence-id');
  const master = parts.find((part) => !isOwn(part)) ?? parts[0];
  const calendar = master?.parent;
  if (!master || !calendar) throw new Error('The event is not there any more.');
  const own = parts.find((part) => isOwn(part) && timeOf(part, 'recurrence-id', place).getTime() === slot.getTime());
  return { calendar, master, own };
}

function timeOf(part: ICAL.Component, name: string, place: Pick<Edit, 'timeZone'>): Date {
  return instantOf(timeIn(part, name), part.getFirstProperty(name), place);
}

interface Part {
  readonly ical: typeof ICAL;
  readonly part: ICAL.Component;
}

/** An instant as a clock of the zone shows it, or as a day of that zone's calendar. */
type Shown = { readonly at: Date } & ({ readonly zone: string } | { readonly days: string });

function setTime(place: Part, name: string, shown: Shown): void {
  place.part.removeAllProperties(name);
  addTime(place, name, shown);
}

function addTime({ ical, part }: Part, name: string, shown: Shown): void {
  const property = new ical.Property(name);
  if ('days' in shown) {
    property.resetType('date');
    property.setValue(ical.Time.fromDateString(localTime(shown.at, shown.days).slice(0, 10)));
  } else {
    const wall = localTime(shown.at, shown.zone).replace(' ', 'T');
    property.setValue(ical.Time.fromDateTimeString(shown.zone === 'UTC' ? `${wall}Z` : wall));
    if (shown.zone !== 'UTC') property.setParameter('tzid', shown.zone);
  }
  part.addProperty(property);
}

/** A copy for one occurrence of a series. */
function single(ical: typeof ICAL, master: ICAL.Component): ICAL.Component {
  const copy = new ical.Component(structuredClone(master.toJSON()));
  for (const name of ['rrule', 'rdate', 'exdate']) copy.removeAllProperties(name);
  return copy;
}

function touch(ical: typeof ICAL, part: ICAL.Component, now: Date): void {
  const sequence = Number(part.getFirstPropertyValue('sequence') ?? 0);
  part.updatePropertyWithValue('sequence', sequence + 1);
  part.updatePropertyWithValue('dtstamp', ical.Time.fromJSDate(now, true));
}
