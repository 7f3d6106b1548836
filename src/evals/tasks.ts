import { readFile } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { AssistantError, messageOf } from '../base/errors.ts';

const words = z.union([z.string(), z.array(z.string())]).transform((given) => [given].flat());
const textCheck = z.strictObject({
  /** All of them, ignoring case. */
  contains: words.optional(),
  /** At least one of them. */
  any: words.optional(),
  /** None of them. */
  lacks: words.optional(),
  /** A regular expression. */
  matches: z.string().optional(),
});

/** What has to be true after the last request. */
const checks = z.strictObject({
  answer: textCheck.optional(),
  /** By path in the project's folder; null means no such file. */
  files: z.record(z.string(), textCheck.nullable()).optional(),
  /** The journal of the project. */
  notes: textCheck.optional(),
  schedules: z
    .strictObject({
      count: z.number().int().optional(),
      /** One with these words, due in this many days at this time of day. */
      some: z
        .strictObject({ contains: words.optional(), days: z.number().int().optional(), time: z.string().optional() })
        .optional(),
    })
    .optional(),
  /** Names of tools: those called successfully, and those not called at all. */
  calls: z.strictObject({ some: words.optional(), none: words.optional() }).optional(),
});

function isBelow(path: string): boolean {
  return !isAbsolute(path) && !path.split(/[\\/]/u).includes('..');
}

const task = z.strictObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9-]*$/u, 'use small letters, digits and hyphens'),
  /** By path in the project's folder, and in the index. */
  files: z
    .record(z.string(), z.string())
    .refine((files) => Object.keys(files).every(isBelow), 'use paths below the project')
    .default({}),
  /** Said one after the other, in one conversation. */
  requests: words.refine((said) => said.length > 0, 'say at least one thing'),
  checks,
});

export type TextCheck = z.infer<typeof textCheck>;
export type Checks = z.infer<typeof checks>;
/** A task for a model, with the files it needs and the checks that it was done. */
export type Task = z.infer<typeof task>;

/**
 * Read the tasks of a YAML file.
 *
 * @throws AssistantError `file_not_found`; `bad_usage` naming the task and the field.
 */
export async function readTasks(path: string): Promise<readonly Task[]> {
  const source = await readFile(path, 'utf8').catch((cause: unknown) => {
    const hint = 'Give the path of a YAML file with tasks; docs/eval.md shows one.';
    throw new AssistantError('file_not_found', `${path} cannot be read.`, { hint, cause });
  });
  // A namespace import: named imports of a CommonJS package are undefined in a built program.
  const { default: yaml } = await import('yaml');
  let given: unknown;
  try {
    given = yaml.parse(source, { maxAliasCount: 100 });
  } catch (cause) {
    throw badTasks(path, messageOf(cause).split(/:?\n/u)[0] ?? '', cause);
  }
  const read = z.array(task).min(1, 'there is no task in it').safeParse(given);
  if (!read.success) throw badTasks(path, issueIn(read.error.issues[0], given));
  const ids = read.data.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw badTasks(path, `the id ${twice} is used twice`);
  return read.data;
}

function issueIn(issue: z.core.$ZodIssue | undefined, given: unknown): string {
  const [first, ...rest] = issue?.path ?? [];
  const named = Array.isArray(given) && typeof first === 'number' ? (given[first] as { id?: unknown } | null)?.id : '';
  const where =
    first === undefined ? '' : `task ${String(named ?? Number(first) + 1)}, ${rest.join('.') || 'as a whole'}: `;
  return `${where}${issue?.message ?? 'not valid'}`;
}

function badTasks(path: string, why: string, cause?: unknown): AssistantError {
  const hint = 'docs/eval.md lists the fields of a task.';
  return new AssistantError('bad_usage', `${path} is not valid: ${why}.`, { hint, cause });
}
