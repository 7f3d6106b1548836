import { z } from 'zod';
import { loadExamples } from '../../base/examples.ts';
import { preview } from '../../base/text.ts';
import type { Notices } from '../../notify/notices.ts';
import type { KnownNotice } from '../../notify/types.ts';
import type { Scheduler } from '../../scheduler/contract.ts';
import { overdueBefore } from '../../scheduler/overdue.ts';
import type { ScheduledJob } from '../../scheduler/types.ts';
import { localTime } from '../../when/calendar.ts';
import { defineTool, type Tool } from '../tool.ts';

interface NoticeDeps {
  readonly notices: Pick<Notices, 'list' | 'done'>;
  readonly scheduler: Pick<Scheduler, 'ids' | 'named'>;
}

const examplesOf = loadExamples(import.meta.dirname, 'notices');
const DAY_MS = 24 * 3_600_000;
const MOST = 50;
const MOST_CHARS = 400;

const seldom = { seldom: true } as const;
const noticeRow = z.object({
  when: z.string(),
  text: z.string(),
  /** `missed`: no face and no service has confirmed it. `overdue`: a job that nothing has run. */
  state: z.enum(['missed', 'overdue', 'delivered', 'done']).meta(seldom),
  /** The kind of face, or the channel, that has it. */
  by: z.string().optional().meta(seldom),
  /** What keeps it from arriving, as the channel says it. */
  why: z.string().optional().meta(seldom),
  number: z.int().optional().meta(seldom),
});

/** What the owner was told, and what did not reach them: `list_notices`; and their word that something is done. */
export function createNoticeTools(deps: NoticeDeps): Tool[] {
  return [createListNotices(deps), createFinishNotice(deps)];
}

function createListNotices({ notices, scheduler }: NoticeDeps): Tool {
  const stored = async (now: Date) => [...(await notices.list()), ...(await overdue(scheduler, now))];
  const needs = { what: 'notices', any: async () => (await stored(new Date())).length > 0 };
  return defineTool({
    name: 'list_notices',
    functionName: 'notices',
    positional: ['show'],
    description: 'Missed reminders.',
    input: z.object({ show: z.enum(['missed', 'recent']).default('missed') }),
    output: z.object({ notices: z.array(noticeRow) }),
    policy: { effect: 'none' },
    // A job may have told what others wrote: each notice has the labels of who spoke, each job those of its author.
    provenance: { readsFrom: (_, { now }) => stored(now()) },
    presentation: {
      needs,
      examples: examplesOf('list_notices'),
      told: (found) => ({ code: found.notices.length > 0 ? 'notices' : 'empty', values: {} }),
    },
    timeoutMs: 10_000,
    execute: async ({ show }, { now, timeZone, holds }) => {
      const at = now();
      const known = (await notices.list()).toReversed();
      const told = known.filter((each) => (show === 'missed' ? isMissed(each) : at.getTime() - +each.at < DAY_MS));
      const due = await overdue(scheduler, at);
      holds(...told, ...due);
      const rows = [...told.map((each) => rowOf(each, timeZone)), ...due.map((job) => overdueRow(job, at, timeZone))];
      return { notices: rows.slice(-MOST) };
    },
  });
}

function createFinishNotice({ notices }: NoticeDeps): Tool {
  return defineTool({
    name: 'finish_notice',
    functionName: 'finishNotice',
    positional: ['number'],
    description: 'End one that repeats: it is done.',
    input: z.object({ number: z.int().positive().optional() }),
    output: z.array(z.string()),
    // Nothing brings it back: once others' text was read, the owner says so themselves.
    policy: { effect: 'local', change: 'delete' },
    provenance: { readsFrom: () => notices.list() },
    durability: { trace: 'transaction' },
    presentation: {
      // A model that cannot end anything need not know how.
      offer: async () => (await notices.list()).some(({ state, urgent }) => state !== 'done' && urgent),
      examples: examplesOf('finish_notice'),
      told: (texts) => ({ code: texts.length > 0 ? 'finished' : 'empty', values: { text: texts.join(', ') } }),
    },
    timeoutMs: 10_000,
    execute: async ({ number }, { holds }) => {
      const [latest] = (await notices.list()).filter(({ state, urgent }) => state !== 'done' && urgent);
      const which = number ?? latest?.number;
      const settled = which === undefined ? [] : await notices.done(which, 'a word');
      holds(...settled);
      return settled.map(({ text }) => preview(text, MOST_CHARS));
    },
  });
}

/** What no face and no service has confirmed. */
function isMissed({ state, deliveredAt }: KnownNotice): boolean {
  return state === 'waiting' && deliveredAt === undefined;
}

async function overdue(scheduler: NoticeDeps['scheduler'], now: Date) {
  const jobs = await scheduler.named(await scheduler.ids({ before: overdueBefore(now) }));
  return jobs.filter(({ enabled, next }) => enabled && next !== undefined);
}

type Row = z.output<typeof noticeRow>;

function rowOf(notice: KnownNotice, timeZone: string): Row {
  const { text, at, number, deliveredBy, why } = notice;
  const row = { when: wall(at, timeZone), text: preview(text, MOST_CHARS), number };
  if (isMissed(notice)) return { ...row, state: 'missed', why };
  return notice.state === 'done' ? { ...row, state: 'done' } : { ...row, state: 'delivered', by: deliveredBy };
}

function overdueRow({ prompt, next }: ScheduledJob, now: Date, timeZone: string): Row {
  return { when: wall(next ?? now, timeZone), text: preview(prompt, MOST_CHARS), state: 'overdue' };
}

function wall(at: Date, timeZone: string): string {
  return localTime(at, timeZone).slice(0, 16);
}
