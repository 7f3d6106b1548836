import { z } from 'zod';
import { AssistantError } from '../../base/errors.ts';
import { loadExamples } from '../../base/examples.ts';
import { MISSING_TEXT, type ServedBy, whatIsMissing } from '../../notify/presence.ts';
import type { AskedIn } from '../../notify/types.ts';
import { jobNamed, jobsNamed } from '../../scheduler/find-job.ts';
import type { JobProgram, JobWriter, NewJob, ScheduledJob, WhichJobs } from '../../scheduler/types.ts';
import { sayRuns } from '../../when/confirm.ts';
import { WAKING } from '../../when/find.ts';
import { asSpoken } from '../../when/spoken.ts';
import { defineTool, type Tool, type ToolContext } from '../tool.ts';
import type { Undoable } from '../undo/undoable.ts';
import { likelyKind } from './job-kind.ts';
import { listSchedulesTool } from './list-schedules.ts';

/** The part of the scheduler that the tools need. */
export interface Jobs {
  /** @throws AssistantError `bad_time` when `when` is not understood or lies in the past. */
  add(job: NewJob): Promise<ScheduledJob>;
  /** @returns its next times, the first three of one that comes again. */
  show?(id: string): Promise<{ readonly next: readonly Date[] }>;
  list(project?: string): Promise<readonly ScheduledJob[]>;
  ids(which?: WhichJobs): Promise<readonly string[]>;
  named(ids: readonly string[]): Promise<readonly ScheduledJob[]>;
  alike(job: NewJob): Promise<readonly ScheduledJob[]>;
  outlook(project?: string): Promise<{ readonly jobs: number }>;
  reschedule(id: string, when: string, by: JobWriter): Promise<ScheduledJob>;
  rename(id: string, text: string, by: JobWriter): Promise<ScheduledJob>;
  remove(id: string): Promise<void>;
}

/** Numbers from here on are instants. */
const EPOCH_MS = 1e12;
const EPOCH_SECONDS = 1e9;
const TEXT_ALIASES = ['prompt', 'task', 'taskPayload', 'message', 'description', 'what', 'body'];
const WHEN_ALIASES = ['whenISO', 'time', 'timeExpression', 'at', 'date', 'schedule'];
const ID_ALIASES = ['job_id', 'jobId', 'schedule_id', 'name', 'reminder', 'query', 'words', 'which'];
const KINDS = ['reminder', 'prompt', 'program'] as const;
/** What a model is told instead of making the same again. */
const KNOWN = {
  reminder: 'You have this reminder already.',
  prompt: 'This is scheduled already.',
  program: 'This is scheduled already.',
} as const;

const seldom = { seldom: true } as const;
const WHEN = '"2026-03-04 09:00" (their zone), "tomorrow 8am", "every weekday at 9", cron';
const when = z.union([z.string().trim().min(1).max(500), z.number().meta(seldom)]);
const text = z.string().trim().min(1).max(20_000);
const id = z.string().trim().min(1).max(500);
/** What is told about a job that was made or changed: `runs` names its next times in words. */
const outcome = z.object({
  id: z.string(),
  next: z.string().meta(seldom),
  description: z.string().meta(seldom),
  runs: z.string(),
});
const note = z.string().optional().meta(seldom);

/** What a job needs besides the scheduler. */
export interface AroundJobs {
  /** What would bring a reminder; absent: not asked. */
  readonly served?: () => Promise<ServedBy>;
  /** The message in a chat that a turn answers; absent: not asked. */
  readonly askedIn?: (turnId: string) => Promise<AskedIn | undefined>;
  /** Absent: there are no programs. */
  readonly jobProgram?: JobProgramOf | undefined;
}

/**
 * A program of the owner's by its name, as it is now, with arguments by the names of its parameters.
 *
 * @throws AssistantError when there is none, when the owner has not agreed to it, or when the arguments do not fit.
 */
export type JobProgramOf = (
  said: string,
  args: Readonly<Record<string, unknown>>,
  project: string,
) => Promise<JobProgram>;

/** Reminders, scheduled prompts and programs: make, list, move, rename and cancel them. */
export function createScheduleTools(jobs: Jobs, undoable?: Undoable, around: AroundJobs = {}): Tool[] {
  return [
    scheduleTool(jobs, undoable, around),
    listSchedulesTool(jobs),
    rescheduleTool(jobs, undoable),
    renameTool(jobs, undoable),
    cancelTool(jobs, undoable),
  ];
}

/** Change a job, and keep what it was. */
function kept<T>(
  undoable: Undoable | undefined,
  id: string,
  change: () => Promise<T>,
  context: ToolContext,
): Promise<T> {
  const { turn, idempotencyKey } = context;
  const by = { turnId: turn.id, idempotencyKey };
  return undoable ? undoable.changedJob({ project: turn.project, id }, change, by) : change();
}

function scheduleTool(jobs: Jobs, undoable: Undoable | undefined, { served, jobProgram, askedIn }: AroundJobs): Tool {
  return defineTool({
    name: 'schedule',
    positional: ['when', 'text', 'as', 'args'],
    aliases: { when: WHEN_ALIASES, text: TEXT_ALIASES, as: ['kind', 'type', 'style'] },
    description:
      'Remind the user (`text` verbatim) or run a prompt later: its answer is sent, ' +
      'unless it begins with [silent].',
    input: z.object({
      ...{ when: when.describe(WHEN), text, as: z.enum(KINDS).optional() },
      args: z.record(z.string(), z.unknown()).optional().meta(seldom),
    }),
    output: outcome.extend({
      as: z.enum(KINDS).meta(seldom),
      note,
      missing: z.enum(['nobody', 'after_this_prompt']).optional().meta(seldom),
      warning: z.string().optional().meta(seldom),
    }),
    policy: { effect: 'local', change: 'schedule' },
    provenance: { readsFrom: [] },
    durability: { trace: 'transaction' },
    presentation: {
      examples: loadExamples(import.meta.dirname, 'schedule')('schedule'),
      unremarkable: ({ note: known, warning }) => known === undefined && warning === undefined,
      told: ({ note: known }) => ({ code: known === undefined ? 'scheduled' : 'already_there', values: {} }),
    },
    timeoutMs: 10_000,
    execute: async (input, context) => {
      const { turn, untrusted, idempotencyKey } = context;
      const { text, args = {}, as = likelyKind(text, turn.text) } = input;
      const program = as === 'program' ? await programOf(jobProgram)(text, args, turn.project) : undefined;
      const waking = WAKING.test(text);
      const wanted = {
        when: asSpoken(inWords(input.when), { timeZone: context.timeZone, now: context.now(), waking }),
        prompt: program ? programText(text, program) : text,
        project: turn.project,
        untrusted,
        idempotencyKey,
        options: {
          ...(as === 'reminder' ? { verbatim: true } : program ? { program } : {}),
          answers: await askedIn?.(turn.id),
        },
      };
      const equal = await equalJob(jobs, wanted);
      if (equal) return { ...(await told(jobs, equal)), as, note: `${KNOWN[as]} No second one was made.` };
      const add = () => jobs.add(wanted);
      const job = await (undoable?.newJob(turn.project, add, { turnId: turn.id, idempotencyKey }) ?? add());
      const missing = served && whatIsMissing(await served(), job.next, context.now());
      return { ...(await told(jobs, job)), as, ...(missing && { missing, warning: MISSING_TEXT[missing] }) };
    },
  });
}

function programOf(jobProgram: JobProgramOf | undefined): JobProgramOf {
  if (jobProgram) return jobProgram;
  throw new AssistantError('file_not_found', 'There are no programs here.', { hint: 'Schedule a prompt instead.' });
}

/** What the job of a program is called: `Run brief name=Ada`. */
export function programText(name: string, { args }: Pick<JobProgram, 'args'>): string {
  const given = Object.entries(args).map(
    ([param, value]) => `${param}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return ['Run', name, ...given].join(' ');
}

/**
 * A job with the same text at the same times, which any conversation may have made. What was made from untrusted
 * content is none: it is held to other rules.
 */
async function equalJob(jobs: Jobs, wanted: NewJob): Promise<ScheduledJob | undefined> {
  const same = (job: ScheduledJob) =>
    job.options.verbatim === wanted.options?.verbatim && wordsOf(job.prompt) === wordsOf(wanted.prompt);
  return (await jobs.alike(wanted)).find(same);
}

function wordsOf(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');
}

/** The jobs that words mean; where they mean none or several, an error names any of them. */
function theJobs(jobs: Jobs) {
  return async ({ id }: { readonly id: string }, { turn }: ToolContext): Promise<readonly ScheduledJob[]> => {
    const known = await jobs.list(turn.project);
    try {
      return jobsNamed(known, id);
    } catch {
      return known;
    }
  };
}

function rescheduleTool(jobs: Jobs, undoable?: Undoable): Tool {
  return defineTool({
    name: 'reschedule',
    positional: ['id', 'when'],
    aliases: { id: ID_ALIASES, when: [...WHEN_ALIASES, 'to', 'newTime'] },
    description: 'Move a reminder.',
    input: z.object({
      id: id.describe('or words of it'),
      when: when.describe('"3pm" keeps its day, "friday" its time'),
    }),
    output: outcome.extend({ text: z.string().meta(seldom), was: z.string().meta(seldom), note }),
    policy: { effect: 'local', change: 'schedule' },
    provenance: { readsFrom: theJobs(jobs) },
    durability: { trace: 'transaction' },
    presentation: {
      unremarkable: ({ note: restricted }) => restricted === undefined,
      told: () => ({ code: 'moved', values: {} }),
    },
    timeoutMs: 10_000,
    execute: async (input, context) => {
      const before = jobNamed(await jobs.list(context.turn.project), input.id);
      const move = () => jobs.reschedule(before.id, hourOrWords(input.when), context);
      const job = await kept(undoable, before.id, move, context);
      return { ...(await told(jobs, job)), text: job.prompt, was: before.description, ...noteOf(before, job) };
    },
  });
}

function renameTool(jobs: Jobs, undoable?: Undoable): Tool {
  return defineTool({
    name: 'rename_schedule',
    functionName: 'renameSchedule',
    positional: ['id', 'text'],
    aliases: { id: ID_ALIASES, text: [...TEXT_ALIASES, 'newText', 'title'] },
    description: 'Change the text of a reminder.',
    input: z.object({ id, text }),
    output: outcome.extend({ text: z.string().meta(seldom), was: z.string().meta(seldom), note }),
    policy: { effect: 'local', change: 'schedule' },
    provenance: { readsFrom: theJobs(jobs) },
    durability: { trace: 'transaction' },
    presentation: { told: () => ({ code: 'renamed', values: {} }) },
    timeoutMs: 10_000,
    execute: async (input, context) => {
      const before = jobNamed(await jobs.list(context.turn.project), input.id);
      const job = await kept(undoable, before.id, () => jobs.rename(before.id, input.text, context), context);
      return { ...(await told(jobs, job)), text: job.prompt, was: before.prompt, ...noteOf(before, job) };
    },
  });
}

function cancelTool(jobs: Jobs, undoable?: Undoable): Tool {
  return defineTool({
    name: 'cancel_schedule',
    functionName: 'cancelSchedule',
    positional: ['id'],
    aliases: { id: ID_ALIASES },
    description: 'Cancel a reminder by id or words of it.',
    input: z.object({ id }),
    output: z.array(
      z.object({
        ...{ id: z.string().meta(seldom), text: z.string(), was: z.string().optional().meta(seldom) },
        next: z.string().optional().meta(seldom),
      }),
    ),
    policy: { effect: 'local', change: 'delete' },
    provenance: { readsFrom: theJobs(jobs) },
    durability: { trace: 'transaction', versioned: true },
    presentation: { unremarkable: () => true, told: () => ({ code: 'cancelled', values: {} }) },
    timeoutMs: 10_000,
    execute: async (input, context) => {
      const cancelled: { id: string; text: string; was?: string; next?: string }[] = [];
      for (const job of jobsNamed(await jobs.list(context.turn.project), input.id)) {
        await kept(undoable, job.id, () => jobs.remove(job.id), context);
        const was = job.next && { was: sayRuns([job.next], job.timeZone), next: job.next.toISOString() };
        cancelled.push({ id: job.id, text: job.prompt, ...was });
      }
      return cancelled;
    },
  });
}

/** What a change by text of others has done to a job of the owner's. */
function noteOf(before: ScheduledJob, { id, restricted, options }: ScheduledJob): { note?: string } {
  if (before.restricted || !restricted || options.verbatim) return {};
  return { note: `It is restricted now: it only reads and reports, until the user says: wooster approve ${id}` };
}

/** The job as its confirmation names it: with its next run in words, of a recurring one the next three. */
async function told(jobs: Jobs, job: ScheduledJob): Promise<z.infer<typeof outcome>> {
  const known = (await jobs.show?.(job.id))?.next ?? (job.next ? [job.next] : []);
  const runs = sayRuns(known, job.timeZone);
  return { id: job.id, next: job.next?.toISOString() ?? '', description: job.description, runs };
}

/** "Make it 5" is an hour of the day, where a thing that has a time already is moved. */
function hourOrWords(when: string | number): string {
  const number = Number(when);
  return Number.isInteger(number) && number >= 0 && number < 24 ? String(number) : inWords(when);
}

/**
 * Models and legacy scripts also pass minutes (5, "5", "5m") or the epoch in milliseconds or seconds. Four digits are
 * a time of day as often as minutes, and more of them a date: what is no number of minutes for certain is refused.
 */
function inWords(when: string | number): string {
  const digits = typeof when === 'number' ? String(when) : (/^\s*(\d+)\s*m?\s*$/u.exec(when)?.[1] ?? '');
  const number = Number(digits);
  if (digits === '') return String(when);
  if (number > EPOCH_MS) return new Date(number).toISOString();
  if (number > EPOCH_SECONDS) return new Date(number * 1000).toISOString();
  const isMinutes = !/^0\d/u.test(digits) && (number < 1000 || isDays(number));
  return isMinutes ? `in ${number} minutes` : String(when);
}

const isDays = (minutes: number) => minutes % (24 * 60) === 0 && minutes < 1e6;
