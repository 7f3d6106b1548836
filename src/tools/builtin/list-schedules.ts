import { z } from 'zod';
import { preview } from '../../base/text.ts';
import type { Scheduler } from '../../scheduler/contract.ts';
import { isOverdue } from '../../scheduler/overdue.ts';
import { defineTool, type Tool, type ToolContext } from '../tool.ts';

const seldom = { seldom: true } as const;

type Lists = Pick<Scheduler, 'ids' | 'named'>;

/** The most characters of a list for a model; longer results would be cut in the middle. */
const [LISTED, LISTED_CHARS, LISTED_TEXT] = [50, 8000, 2000];

/** Reading the list brings back the texts of its jobs, so it is untrusted as soon as one of them is. */
export function listSchedulesTool(jobs: Lists): Tool {
  return defineTool({
    name: 'list_schedules',
    functionName: 'listSchedules',
    description: 'Reminders and scheduled prompts.',
    input: z.object({}),
    output: z.array(
      z.object({
        ...{ id: z.string(), text: z.string(), when: z.string() },
        // An instant for programs; `when` says the same in words that can be passed on.
        next: z.string().meta(seldom),
        overdue: z.literal(true).optional().meta({ seldom: true }),
        enabled: z.boolean().meta(seldom),
        untrusted: z.literal(true).optional().meta(seldom),
        more: z.int().optional(),
      }),
    ),
    policy: { effect: 'none' },
    timeoutMs: 10_000,
    execute: (_input, context) => listed(jobs, context),
  });
}

/** As many jobs as fit into a result; the last row tells how many `more` there are. */
async function listed(jobs: Lists, { turn: { project }, now: clock, holds }: ToolContext) {
  const now = clock();
  const ids = await jobs.ids({ project, finished: true });
  const known = await jobs.named(ids.slice(0, LISTED));
  holds(...known);
  const rows = known.map((job) => ({
    id: job.id,
    text: job.prompt.length > LISTED_TEXT ? preview(job.prompt, LISTED_TEXT) : job.prompt,
    when: job.description,
    next: job.next?.toISOString() ?? '',
    enabled: job.enabled,
    ...(job.enabled && job.next && isOverdue(job.next, now) ? { overdue: true as const } : {}),
    ...(job.untrusted ? { untrusted: true as const } : {}),
  }));
  const ends = rows.map((_row, index) => JSON.stringify(rows.slice(0, index + 1)).length);
  const fitting = rows.filter((_row, index) => index === 0 || (ends[index] ?? 0) <= LISTED_CHARS);
  const [last, more] = [fitting.at(-1), ids.length - fitting.length];
  return last && more > 0 ? [...fitting.slice(0, -1), { ...last, more }] : fitting;
}
