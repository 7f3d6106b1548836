import { z } from 'zod';
import type { NewJob, ScheduledJob } from '../../scheduler/types.ts';
import { sayRuns } from '../../when/confirm.ts';
import { defineTool, type Tool } from '../tool.ts';

/** The part of the scheduler that the tools need. */
export interface Jobs {
  /** @throws AssistantError `bad_time` when `when` is not understood or lies in the past. */
  add(job: NewJob): Promise<ScheduledJob>;
  /** @returns its next times, the first three of one that comes again. */
  show?(id: string): Promise<{ readonly next: readonly Date[] }>;
  list(project?: string): Promise<readonly ScheduledJob[]>;
  remove(id: string): Promise<void>;
}

/** Numbers from here on are instants; smaller ones are minutes. */
const EPOCH_MS = 1e12;
const TEXT_ALIASES = ['prompt', 'task', 'taskPayload', 'message', 'description', 'what', 'body'];
const WHEN_ALIASES = ['whenISO', 'time', 'timeExpression', 'at', 'date', 'schedule'];

/** `schedule`, `list_schedules`, `cancel_schedule`. */
export function createScheduleTools(jobs: Jobs): Tool[] {
  return [scheduleTool(jobs), listTool(jobs), cancelTool(jobs)];
}

/** A reminder is a prompt too: its text says what to tell the user then. */
function scheduleTool(jobs: Jobs): Tool {
  return defineTool({
    name: 'schedule',
    positional: ['when', 'text'],
    aliases: { when: WHEN_ALIASES, text: TEXT_ALIASES },
    description: [
      'Run a prompt later and tell the user its result. `when`: ISO 8601, "tomorrow 8am", "in 20 minutes",',
      '"every weekday at 9", or cron. `text`: what to do or say then. To send something now use notify.',
    ].join(' '),
    input: z.object({
      when: z.union([z.string().trim().min(1).max(500), z.number()]),
      text: z.string().trim().min(1).max(20_000),
    }),
    output: z.object({ id: z.string(), next: z.string(), description: z.string(), runs: z.string() }),
    effect: 'local',
    change: 'schedule',
    keeps: (_input, { turn }) => `schedules:${turn.project}`,
    reads: 'public',
    returns: 'trusted',
    timeoutMs: 10_000,
    execute: async ({ when, text }, context) => {
      const { turn, untrusted, idempotencyKey } = context;
      const job = await jobs.add({
        when: inWords(when),
        prompt: text,
        project: turn.project,
        untrusted,
        idempotencyKey,
      });
      const known = (await jobs.show?.(job.id))?.next ?? (job.next ? [job.next] : []);
      const runs = sayRuns(known, job.timeZone);
      return { id: job.id, next: job.next?.toISOString() ?? '', description: job.description, runs };
    },
  });
}

/** Reading the list brings back what was written into it, so it carries the labels of that time. */
function listTool(jobs: Jobs): Tool {
  return defineTool({
    name: 'list_schedules',
    functionName: 'listSchedules',
    description: "List the user's reminders and scheduled prompts with their next run.",
    input: z.object({}),
    output: z.array(
      z.object({ id: z.string(), text: z.string(), when: z.string(), next: z.string(), enabled: z.boolean() }),
    ),
    recalls: (_input, { turn }) => `schedules:${turn.project}`,
    effect: 'none',
    reads: 'private',
    returns: 'trusted',
    timeoutMs: 10_000,
    execute: async (_input, { turn }) =>
      (await jobs.list(turn.project)).map((job) => ({
        id: job.id,
        text: job.prompt,
        when: job.description,
        next: job.next?.toISOString() ?? '',
        enabled: job.enabled,
      })),
  });
}

/** Takes one job away by id; asked for by words, the model lists first. */
function cancelTool(jobs: Jobs): Tool {
  return defineTool({
    name: 'cancel_schedule',
    functionName: 'cancelSchedule',
    positional: ['id'],
    description: 'Cancel one reminder or scheduled prompt by the id that list_schedules gives.',
    input: z.object({ id: z.string().trim().min(1) }),
    output: z.string(),
    effect: 'local',
    change: 'delete',
    reads: 'public',
    returns: 'trusted',
    timeoutMs: 10_000,
    execute: async ({ id }) => {
      await jobs.remove(id);
      return `Cancelled ${id}.`;
    },
  });
}

/** Models and legacy scripts also pass minutes (5, "5", "5m") or epoch milliseconds. */
function inWords(when: string | number): string {
  const number = typeof when === 'number' ? when : Number(/^\s*(\d+)\s*m?\s*$/u.exec(when)?.[1] ?? Number.NaN);
  if (Number.isNaN(number)) return String(when);
  return number > EPOCH_MS ? new Date(number).toISOString() : `in ${number} minutes`;
}
