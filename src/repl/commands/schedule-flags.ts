import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { ParseArgsOptionsConfig } from 'node:util';
import { z } from 'zod';
import { AssistantError, messageOf } from '../../base/errors.ts';
import type { Tools } from '../../face/app.ts';
import { TASK_PROFILES } from '../../models/types.ts';
import type { JobOptions, JobProgram } from '../../scheduler/types.ts';
import { programText } from '../../tools/builtin/schedule.ts';
import type { CommandCall } from '../command.ts';
import { parseMode, textFlag } from '../flags.ts';

/** Flags of `schedule add`; each sets one of the job's options. */
export const JOB_FLAGS = {
  when: { type: 'string' },
  prompt: { type: 'string' },
  message: { type: 'string' },
  program: { type: 'string' },
  arg: { type: 'string', multiple: true },
  tz: { type: 'string' },
  to: { type: 'string' },
  urgent: { type: 'boolean' },
  'catch-up': { type: 'string' },
  'catch-up-max': { type: 'string' },
  'window-hours': { type: 'string' },
  overlap: { type: 'string' },
  'deadline-s': { type: 'string' },
  retries: { type: 'string' },
  'pause-after': { type: 'string' },
  condition: { type: 'string' },
  profile: { type: 'string' },
  tools: { type: 'string' },
  budget: { type: 'string' },
} as const satisfies ParseArgsOptionsConfig;

const SCHEMA = z.object({
  'catch-up': z.enum(['once', 'skip', 'all', 'ask']).optional(),
  'catch-up-max': z.coerce.number().int().min(1).max(1000).optional(),
  'window-hours': z.coerce.number().min(0).max(8760).optional(),
  overlap: z.enum(['skip', 'queue', 'allow']).optional(),
  'deadline-s': z.coerce.number().min(1).max(86_400).optional(),
  retries: z.coerce.number().int().min(0).max(10).optional(),
  'pause-after': z.coerce.number().int().min(1).max(1000).optional(),
  budget: z.coerce.number().positive().optional(),
  profile: z.enum(TASK_PROFILES).optional(),
  tools: z.string().optional(),
  condition: z.string().optional(),
  to: z.string().toLowerCase().optional(),
  message: z.string().optional(),
  mode: z.string().optional(),
  conversation: z.string().optional(),
});

/**
 * The job options that the flags set.
 *
 * @throws AssistantError `bad_usage` naming the flag; `file_not_found` for a condition script that cannot be read.
 */
export function readJobFlags({ flags, app }: CommandCall): Partial<JobOptions> {
  const parsed = SCHEMA.safeParse(flags);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const flag = String(issue?.path[0] ?? '');
    throw new AssistantError('bad_usage', `"--${flag} ${String(flags[flag])}" is not valid.`, {
      hint: issue?.message ?? 'Add --help to see the flags.',
    });
  }
  const given = parsed.data;
  return {
    catchUp: given['catch-up'] ?? (given['catch-up-max'] === undefined ? undefined : 'all'),
    catchUpMax: given['catch-up-max'],
    windowMs: given['window-hours'] === undefined ? undefined : given['window-hours'] * 3_600_000,
    overlap: given.overlap,
    deadlineMs: given['deadline-s'] === undefined ? undefined : given['deadline-s'] * 1000,
    retries: given.retries,
    pauseAfter: given['pause-after'],
    budgetUsd: given.budget,
    profile: given.profile,
    tools: given.tools?.split(',').map((name) => toolNamed(name.trim(), app.tools.toolbox)),
    condition: given.condition === undefined ? undefined : readScript(given.condition),
    to: given.to,
    urgent: flags.urgent === true ? true : undefined,
    verbatim: given.message === undefined ? undefined : true,
    mode: given.mode === undefined ? undefined : parseMode(given.mode),
    conversationId: given.conversation,
  } as Partial<JobOptions>;
}

/** @throws AssistantError `unknown_tool`. */
function toolNamed(name: string, toolbox: Tools['toolbox']): string {
  const tool = toolbox.find(name);
  if (tool) return tool.name;
  throw new AssistantError('unknown_tool', toolbox.explainUnknown(name), {
    hint: '`wooster tools` lists the names.',
  });
}

/** `@file` or the script itself. */
function readScript(condition: string): string {
  if (!condition.startsWith('@')) return condition;
  try {
    return readFileSync(condition.slice(1), 'utf8');
  } catch (error) {
    const message = `Cannot read the condition ${condition.slice(1)}: ${messageOf(error)}.`;
    throw new AssistantError('file_not_found', message, { hint: 'Give the script itself, or @FILE.', cause: error });
  }
}

/** The program of `--program FILE --arg name=value`, as it is now, with what its job is called. */
export async function readJobProgram(
  call: CommandCall,
): Promise<{ readonly program: JobProgram; readonly text: string } | undefined> {
  const { app, flags, session } = call;
  const file = textFlag(flags, 'program');
  if (file === undefined) return undefined;
  const program = await app.tools.programs.load(file, { ...app.tools, ...session });
  const { argumentsOf } = await import('../think/programs.ts');
  const args = await argumentsOf(call, program);
  const text = programText(basename(program.path), { args });
  return { program: { path: program.path, hash: program.compiled.hash, args }, text };
}
