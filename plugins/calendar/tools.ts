import { createHash, randomUUID } from 'node:crypto';
import {
  addToDate,
  byStart,
  defineTool,
  fromWallClock,
  localDate,
  localTime,
  type Occurrence,
  occurrencesOf,
  readMoment,
  type Span,
  startOfDay,
  type Tool,
  type ToolContext,
  z,
} from '#plugin';
import { type NewEvent, newEvent, withMoved, without } from './edit.ts';
import { freeTimes } from './free-time.ts';
import type { Source, Stored } from './source.ts';

/** The most gaps that one call lists. */
const MAX_FREE = 20;
const MAX_EVENTS = 100;
const MINUTE_MS = 60_000;
const WHEN = z.string().trim().min(1).max(100);
const CLOCK = z.string().regex(/^\d\d:\d\d$/u);
const CHANGE = {
  policy: { effect: 'local' },
  timeoutMs: 20_000,
} as const;
const REPEATS = {
  daily: 'FREQ=DAILY',
  weekdays: 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
  weekly: 'FREQ=WEEKLY',
  monthly: 'FREQ=MONTHLY',
  yearly: 'FREQ=YEARLY',
} as const;

type Place = Pick<ToolContext, 'timeZone' | 'now'>;

export function calendarTools(source: Source): Tool[] {
  return [listEvents(source), findFreeTime(source), addEvent(source), moveEvent(source), removeEvent(source)];
}

function listEvents(source: Source): Tool {
  return defineTool({
    name: 'calendar_events',
    functionName: 'calendarEvents',
    positional: ['from', 'to'],
    aliases: { from: ['start', 'date', 'day', 'when'], to: ['end', 'until'] },
    description:
      "The user's calendar: events from `from` (today) up to `to` (the end of that day), times in their zone.",
    input: z.object({ from: WHEN.default('today'), to: WHEN.optional(), query: z.string().optional() }),
    policy: { effect: 'none' },
    timeoutMs: 20_000,
    execute: async ({ from, to, query }, context) => {
      const { found, problems } = await eventsWithin(source, await spanOf(from, to, context), context);
      const words = query?.toLowerCase();
      const fitting = found.filter(
        ({ title, location, notes }) => !words || `${title} ${location} ${notes}`.toLowerCase().includes(words),
      );
      const events = fitting.slice(0, MAX_EVENTS).map((each) => rowOf(each, context));
      const more = fitting.length > MAX_EVENTS ? { more: fitting.length - MAX_EVENTS } : {};
      return { events, ...more, ...(problems.length > 0 && { problems }) };
    },
  });
}

function findFreeTime(source: Source): Tool {
  return defineTool({
    name: 'find_free_time',
    positional: ['minutes', 'from', 'to'],
    aliases: { minutes: ['duration', 'length'] },
    description: 'Find gaps of at least `minutes` in the calendar between `from` (now) and `to`, in working hours.',
    input: z.object({
      minutes: z.number().int().min(5).max(1440).default(60),
      from: WHEN.default('now'),
      to: WHEN.optional(),
      dayStart: CLOCK.default('09:00'),
      dayEnd: CLOCK.default('18:00'),
      weekends: z.boolean().default(false),
    }),
    policy: { effect: 'none' },
    timeoutMs: 20_000,
    execute: async (question, context) => {
      const span = await spanOf(question.from, question.to, context, 7);
      const { found, problems } = await eventsWithin(source, span, context);
      const free = freeTimes(found, span, { ...question, timeZone: context.timeZone });
      const rows = free
        .slice(0, MAX_FREE)
        .map(({ from, to }) => ({ start: shown(from, context), end: shown(to, context) }));
      const more = free.length > MAX_FREE ? { more: free.length - MAX_FREE } : {};
      return { free: rows, ...more, ...(problems.length > 0 && { problems }) };
    },
  });
}

function addEvent(source: Source): Tool {
  return defineTool({
    name: 'add_event',
    positional: ['title', 'start', 'end'],
    aliases: { title: ['summary', 'text', 'name'], start: ['when', 'startTime', 'startDateTime', 'from'], end: ['to'] },
    description: "Add an event to the user's calendar; a `start` without a time of day is a whole day.",
    input: z.object({
      title: z.string().trim().min(1).max(500),
      start: WHEN,
      end: WHEN.optional(),
      minutes: z.number().int().min(1).max(100_000).default(60),
      location: z.string().max(500).optional(),
      notes: z.string().max(5000).optional(),
      repeats: z.enum(Object.keys(REPEATS) as [keyof typeof REPEATS]).optional(),
      until: WHEN.optional().describe('last day of a repetition'),
    }),
    output: z.object({
      added: z.string().optional(),
      there: z.string().optional().describe('instead of `added`: it was in the calendar already'),
      id: z.string(),
      ...{ start: z.string().optional(), end: z.string().optional() },
      ...{ day: z.string().optional(), until: z.string().optional(), repeats: z.string().optional() },
    }),
    ...CHANGE,
    policy: { ...CHANGE.policy, change: 'append' },
    durability: { versioned: source.versioned },
    presentation: {
      told: ({ there }) => ({ code: there === undefined ? 'event_added' : 'already_there', values: {} }),
    },
    execute: async (input, context) => {
      const { title, location, notes } = input;
      const { at: start, namesTime } = await readMoment(input.start, context);
      const allDay = !namesTime;
      const end = await endOf(input, { start, allDay }, context);
      if (end <= start) throw new Error('The event would end before it begins.');
      const rule = await ruleOf(input, context);
      const added = { title, start, end, allDay, location, notes, rule };
      const times = { ...timesOf(added, context), ...(input.repeats && { repeats: input.repeats }) };
      const same = await sameEvent(source, added, context);
      if (same) return { there: title, id: idOf(same), ...times };
      const edit = { now: context.now(), timeZone: context.timeZone };
      const uid = uidFor(context);
      await source.add(uid, await newEvent({ ...added, uid }, edit));
      return { added: title, id: uid, ...times };
    },
  });
}

/** The event that somebody asks for a second time; one that shall repeat is the same only as a series. */
async function sameEvent(source: Source, wanted: NewEvent, context: Place): Promise<Occurrence<Stored> | undefined> {
  const { title, start, end, allDay, rule } = wanted;
  const { found } = await eventsWithin(source, { from: start, to: end }, context);
  return found.find(
    (each) =>
      each.title.toLowerCase() === title.toLowerCase() &&
      (each.repeats || rule === undefined) &&
      each.allDay === allDay &&
      each.start.getTime() === start.getTime() &&
      each.end.getTime() === end.getTime(),
  );
}

/** The same for a repeated call, so that the event is there once. */
function uidFor({ idempotencyKey }: ToolContext): string {
  if (idempotencyKey === undefined) return randomUUID();
  const hash = createHash('sha256').update(idempotencyKey).digest('hex');
  return hash.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/u, '$1-$2-$3-$4-$5');
}

const Which = {
  id: z.string().trim().min(1).describe('from calendar_events'),
  start: WHEN.describe('when that event starts now'),
  series: z.boolean().default(false).describe('all events of the series, not this one only'),
};

function moveEvent(source: Source): Tool {
  return defineTool({
    name: 'move_event',
    positional: ['id', 'start', 'to'],
    aliases: { to: ['newStart', 'when'] },
    description: 'Move an event of the calendar to another time; it keeps its length unless `end` is given.',
    input: z.object({ ...Which, to: WHEN, end: WHEN.optional() }),
    ...CHANGE,
    durability: { versioned: source.versioned },
    presentation: { told: () => ({ code: 'event_moved', values: {} }) },
    execute: async (input, context) => {
      const event = await findEvent(source, input, context);
      const moment = await readMoment(input.to, context);
      const keepsTime = !moment.namesTime && !event.allDay;
      const start = keepsTime ? sameTimeOn(moment.at, event.start, context.timeZone) : moment.at;
      const length = event.end.getTime() - event.start.getTime();
      const end = input.end ? (await readMoment(input.end, context)).at : new Date(start.getTime() + length);
      if (end < start) throw new Error('The event would end before it begins.');
      const edit = { now: context.now(), timeZone: context.timeZone };
      const text = await withMoved(event, { start, end, series: input.series }, edit);
      await source.replace(event.stored, text);
      return { moved: event.title, ...timesOf({ start, end, allDay: event.allDay }, context) };
    },
  });
}

function removeEvent(source: Source): Tool {
  return defineTool({
    name: 'remove_event',
    positional: ['id', 'start'],
    description: 'Remove an event from the calendar: this one, or with `series` all of its series.',
    input: z.object(Which),
    ...CHANGE,
    policy: { ...CHANGE.policy, change: 'delete' },
    durability: { versioned: source.versioned },
    presentation: { told: () => ({ code: 'event_removed', values: {} }) },
    execute: async (input, context) => {
      const event = await findEvent(source, input, context);
      const edit = { now: context.now(), timeZone: context.timeZone, series: input.series };
      await source.replace(event.stored, await without(event, edit));
      return { removed: event.title, start: shown(event.start, context) };
    },
  });
}

/** The day's events, for people. */
export async function dayLines(source: Source, now: Date, timeZone: string): Promise<string[]> {
  const from = startOfDay(now, timeZone);
  const span = { from, to: addToDate(from, 1, { unit: 'day', timeZone }) };
  const { found, problems } = await eventsWithin(source, span, { timeZone });
  const lines = found.map(({ title, start, allDay, location }) => {
    const when = allDay ? 'all day' : localTime(start, timeZone).slice(11, 16);
    return `${when} ${title}${location ? ` (${location})` : ''}`;
  });
  return [...lines, ...problems];
}

/** All events of a period, by start. An unreadable calendar is named, and the others are shown. */
export async function eventsWithin(source: Source, span: Span, { timeZone }: Pick<Place, 'timeZone'>) {
  const { stored, problems } = await source.read(span);
  const failed = [...problems];
  const found = await Promise.all(
    stored.map((each) => {
      const odd = ({ message }: Error) => void failed.push(`${each.calendar}: ${message}`);
      return occurrencesOf(each, span, timeZone, odd).catch((error: Error) => {
        odd(error);
        return [];
      });
    }),
  );
  return { found: found.flat().sort(byStart), problems: failed };
}

async function findEvent(source: Source, { id, start }: { id: string; start: string }, context: Place) {
  const { at } = await readMoment(start, context);
  const span = { from: addDays(at, -1, context), to: addDays(at, 2, context) };
  const { found } = await eventsWithin(source, span, context);
  const fitting = found.filter((each) => idOf(each) === id || each.uid === id);
  const exact = fitting.filter((each) => each.start.getTime() === at.getTime());
  const [event, second] = exact.length > 0 ? exact : fitting;
  if (!event || second) throw new Error('There is no such event at that time; ask calendar_events for id and start.');
  return event;
}

/** A date without a time means the whole day. */
async function spanOf(from: string, to: string | undefined, context: Place, days = 1): Promise<Span> {
  const start = await readMoment(from, context);
  if (to === undefined) return { from: start.at, to: addDays(startOfThatDay(start.at, context), days, context) };
  const end = await readMoment(to, context);
  const span = { from: start.at, to: end.namesTime ? end.at : addDays(end.at, 1, context) };
  if (span.to <= span.from) throw new Error('`to` is before `from`.');
  return span;
}

async function endOf(
  { end, minutes }: { end?: string | undefined; minutes: number },
  { start, allDay }: { start: Date; allDay: boolean },
  context: Place,
): Promise<Date> {
  if (end === undefined) return allDay ? addDays(start, 1, context) : new Date(start.getTime() + minutes * MINUTE_MS);
  const { at } = await readMoment(
    /^\d\d:\d\d$/u.test(end) ? `${localDate(start, context.timeZone)} ${end}` : end,
    context,
  );
  return allDay ? addDays(at, 1, context) : at;
}

async function ruleOf(
  { repeats, until }: { repeats?: keyof typeof REPEATS | undefined; until?: string | undefined },
  context: Place,
): Promise<string | undefined> {
  if (repeats === undefined || until === undefined) return repeats && REPEATS[repeats];
  const last = addDays((await readMoment(until, context)).at, 1, context);
  return `${REPEATS[repeats]};UNTIL=${new Date(last.getTime() - 1000).toISOString().replace(/[-:]|\.\d+/gu, '')}`;
}

function rowOf(event: Occurrence<Stored>, context: Place) {
  const { title, location, notes, stored, repeats } = event;
  return {
    id: idOf(event),
    title,
    ...timesOf(event, context),
    ...(location && { location }),
    ...(notes && { notes: notes.length > 300 ? `${notes.slice(0, 299)}…` : notes }),
    ...(repeats && { repeats }),
    calendar: stored.calendar,
  };
}

/** Short, since models copy it; the event's uid often has sixty characters. */
export function idOf({ uid, stored }: Occurrence<Stored>): string {
  return createHash('sha256').update(`${stored.ref}\n${uid}`).digest('hex').slice(0, 8);
}

function timesOf({ start, end, allDay }: Pick<Occurrence, 'start' | 'end' | 'allDay'>, context: Place) {
  if (!allDay) return { start: shown(start, context), end: shown(end, context) };
  const last = localDate(new Date(end.getTime() - MINUTE_MS), context.timeZone);
  const day = localDate(start, context.timeZone);
  return { day, ...(last > day && { until: last }) };
}

/** `2026-12-24 18:00`. */
function shown(at: Date, { timeZone }: Place): string {
  return localTime(at, timeZone).slice(0, 16);
}

function addDays(at: Date, days: number, { timeZone }: Place): Date {
  return addToDate(at, days, { unit: 'day', timeZone });
}

function startOfThatDay(at: Date, { timeZone }: Place): Date {
  return startOfDay(at, timeZone);
}

function sameTimeOn(day: Date, time: Date, timeZone: string): Date {
  return fromWallClock(`${localDate(day, timeZone)}T${localTime(time, timeZone).slice(11)}Z`, timeZone);
}
