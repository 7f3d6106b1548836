import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { z } from 'zod';
import { messageOf } from '../../base/errors.ts';
import { loadExamples } from '../../base/examples.ts';
import { preview } from '../../base/text.ts';
import { byStart, type Occurrence, occurrencesOf, type Span } from '../../rag/read/calendar-times.ts';
import type { Documents } from '../../rag/types.ts';
import type { Scheduler } from '../../scheduler/contract.ts';
import { addToDate, fromWallClock, localDate, localTime } from '../../when/calendar.ts';
import { defineTool, OUTSIDE, type Source, type Tool, type ToolContext } from '../tool.ts';

/** Ends are exclusive; those of whole days are the beginning of the day after. */
type AgendaEvent = Pick<Occurrence, 'uid' | 'title' | 'start' | 'end' | 'allDay' | 'location'> & {
  /** What the calendar's own tools know it by. */
  readonly id?: string | undefined;
};

/** What a plugin with a calendar provides as the service `agenda`: its events in a period, and what it cannot read. */
export type AgendaSource = (
  span: Span,
  timeZone: string,
) => Promise<{ readonly events: readonly AgendaEvent[]; readonly problems: readonly string[] }>;

interface AgendaDeps {
  readonly documents: Pick<Documents, 'sources'>;
  readonly scheduler: Pick<Scheduler, 'ids' | 'named' | 'show'>;
  services(name: string): readonly unknown[];
}

/** An event with where it comes from. */
type Entry = AgendaEvent & { readonly source: 'calendar' | 'file' | 'reminder'; readonly file?: string };

/** What one of the sources has. */
interface Found {
  readonly entries: readonly Entry[];
  readonly problems: readonly string[];
  readonly sources: readonly Source[];
}

const examplesOf = loadExamples(import.meta.dirname, 'agenda');
const MOST_DAYS = 400;
const MOST_ROWS = 100;
const MOST_TIMES = 100;
const MOST_CHARS = 200;
const MAX_FILE_CHARS = 10_000_000;
const day = z.iso.date();
/** Models are not told of it beforehand. */
const SELDOM = { seldom: true } as const;

/** `show_agenda`: calendars of plugins, ingested calendar files and reminders, read together. */
export function createAgendaTool(
  deps: AgendaDeps,
  anyUntrusted: (sources: readonly Source[]) => Promise<boolean>,
): Tool {
  return defineTool({
    name: 'show_agenda',
    functionName: 'showAgenda',
    positional: ['from', 'to'],
    aliases: { from: ['start', 'date', 'day'], to: ['end', 'until'] },
    description: 'All events and reminders from one day to another.',
    input: z.object({ from: day.optional(), to: day.optional() }),
    output: z.object({
      ...{ from: day.meta(SELDOM), to: day.meta(SELDOM) },
      events: z.array(
        z.object({
          ...{ day, time: z.string().optional(), end: z.string().optional(), lastDay: day.optional() },
          ...{ title: z.string(), where: z.string().optional(), source: z.enum(['calendar', 'file', 'reminder']) },
          ...{ file: z.string().optional(), id: z.string().optional() },
        }),
      ),
      more: z.int().optional().meta(SELDOM),
      problems: z.array(z.string()).optional().meta(SELDOM),
      untrusted: z.literal(true).optional().meta(SELDOM),
    }),
    policy: { effect: 'none' },
    presentation: {
      examples: examplesOf('show_agenda'),
      told: ({ from, to, events }) => ({
        code: events.length > 0 ? 'agenda' : 'agenda_empty',
        values: { from, ...(to > from && { until: to }) },
      }),
    },
    timeoutMs: 20_000,
    execute: async (days, context) => {
      const { timeZone } = context;
      const from = days.from ?? localDate(context.now(), timeZone);
      const to = days.to ?? from;
      const span = spanOf(from, to, timeZone);
      const found = await Promise.all([
        ofPlugins(deps, span, timeZone),
        ofFiles(deps, span, context),
        ofReminders(deps, span, context),
      ]);
      const entries = withoutDoubles(found.flatMap((each) => each.entries)).sort(inOrder(timeZone));
      const sources = found.flatMap((each) => each.sources);
      context.holds(...sources);
      const problems = found.flatMap((each) => each.problems).map((text) => preview(text, MOST_CHARS));
      return {
        ...{ from, to, events: entries.slice(0, MOST_ROWS).map((entry) => rowOf(entry, timeZone)) },
        ...(entries.length > MOST_ROWS && { more: entries.length - MOST_ROWS }),
        ...(problems.length > 0 && { problems: problems.slice(0, MOST_ROWS) }),
        ...((await anyUntrusted(sources)) && { untrusted: true as const }),
      };
    },
  });
}

function spanOf(from: string, to: string, timeZone: string): Span {
  const startOf = (date: string) => fromWallClock(`${date}T00:00:00Z`, timeZone);
  const span = { from: startOf(from), to: addToDate(startOf(to), 1, { unit: 'day', timeZone }) };
  if (to < from) throw new Error('`to` is before `from`.');
  if (addToDate(span.from, MOST_DAYS, { unit: 'day', timeZone }) < span.to)
    throw new Error(`An agenda has ${MOST_DAYS} days at most.`);
  return span;
}

/** A calendar that fails is named, and the others are shown. */
async function ofPlugins({ services }: AgendaDeps, span: Span, timeZone: string): Promise<Found> {
  const sources = services('agenda').filter((each): each is AgendaSource => typeof each === 'function');
  const failed = (error: unknown) => ({ events: [], problems: [`calendar: ${messageOf(error)}`] });
  const found = await Promise.all(sources.map(async (each) => each(span, timeZone)).map((each) => each.catch(failed)));
  const entries = found.flatMap(({ events }) => events.map((event): Entry => ({ ...event, source: 'calendar' })));
  const problems = found.flatMap((each) => each.problems);
  // Invitations in a calendar are written by others.
  return { entries, problems, sources: entries.length + problems.length > 0 ? [OUTSIDE] : [] };
}

async function ofFiles({ documents }: AgendaDeps, span: Span, context: ToolContext): Promise<Found> {
  const known = await documents.sources(context.turn.project);
  const files = known.filter(({ file, state }) => /\.ics$/iu.test(file) && (state === 'indexed' || state === 'empty'));
  const problems: string[] = [];
  const each = files.map(async ({ file, root, sha256 }) => {
    const failed = (error: unknown) => {
      problems.push(`${file}: ${messageOf(error)}`);
      return [];
    };
    const path = resolve(root, file);
    const events = await eventsOf(path, { span, timeZone: context.timeZone, failed }).catch(failed);
    const entries = events.map(({ id: _none, ...event }: AgendaEvent): Entry => ({ ...event, source: 'file', file }));
    return { path, sha256, entries };
  });
  const found = await Promise.all(each);
  const told = problems.length > 0 ? found : found.filter(({ entries }) => entries.length > 0);
  return { entries: found.flatMap(({ entries }) => entries), problems, sources: told };
}

async function eventsOf(
  path: string,
  { span, timeZone, failed }: { span: Span; timeZone: string; failed: (error: Error) => void },
): Promise<AgendaEvent[]> {
  const text = await readFile(path, 'utf8');
  if (text.length > MAX_FILE_CHARS) throw new Error('the file is too large');
  return occurrencesOf({ text }, span, timeZone, failed);
}

async function ofReminders({ scheduler }: AgendaDeps, { from, to }: Span, { turn }: ToolContext): Promise<Found> {
  const jobs = await scheduler.named(await scheduler.ids({ project: turn.project, before: to }));
  const coming = jobs.filter(({ enabled, task }) => enabled && task === 'AGENT_PROMPT');
  const each = coming.map(async ({ id, prompt, untrusted }) => {
    const { next } = await scheduler.show(id, 0, { count: MOST_TIMES, before: to });
    const times = next.filter((at) => at >= from && at < to);
    return times.map((at) => ({
      untrusted,
      entry: { uid: id, id, title: prompt, start: at, end: at, allDay: false, source: 'reminder' } satisfies Entry,
    }));
  });
  const found = (await Promise.all(each)).flat();
  return { entries: found.map(({ entry }) => entry), problems: [], sources: found };
}

/** An exported calendar may have been ingested as well; the calendar, which has an id to change it by, comes first. */
function withoutDoubles(entries: readonly Entry[]): Entry[] {
  const keyOf = ({ uid, title, start }: Entry) => JSON.stringify([uid, title, start]);
  return [...new Map(entries.toReversed().map((entry) => [keyOf(entry), entry])).values()];
}

/** By day; whole days come before times. */
function inOrder(timeZone: string) {
  return (a: Entry, b: Entry) =>
    localDate(a.start, timeZone).localeCompare(localDate(b.start, timeZone)) ||
    Number(b.allDay) - Number(a.allDay) ||
    byStart(a, b) ||
    a.title.localeCompare(b.title);
}

function rowOf({ title, start, end, allDay, location, source, file, id }: Entry, timeZone: string) {
  const first = localDate(start, timeZone);
  const last = localDate(new Date(Math.max(start.getTime(), end.getTime() - 1)), timeZone);
  const clock = (at: Date) => localTime(at, timeZone).slice(11, 16);
  return {
    day: first,
    ...(!allDay && { time: clock(start) }),
    ...(!allDay && end > start && { end: clock(end) }),
    ...(last > first && { lastDay: last }),
    title: preview(title, MOST_CHARS),
    ...(location && { where: preview(location, MOST_CHARS) }),
    ...{ source, ...(file !== undefined && { file }), ...(id !== undefined && { id }) },
  };
}
