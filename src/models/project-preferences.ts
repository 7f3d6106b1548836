import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { AssistantError, messageOf } from '../base/errors.ts';
import { STRATEGIES, type Strategy } from './options.ts';

const FIELDS = {
  localOnly: z.boolean().optional(),
  strategy: z.enum(STRATEGIES).optional(),
  model: z.string().optional(),
};
const SCHEMA = z.object({
  ...FIELDS,
  /** The same fields may stand under `models`, next to other sections of the file. */
  models: z.object(FIELDS).optional(),
});

/** One project's own wishes, from `wooster.config.json` in its folder. */
export interface ProjectPreferences {
  /** Nothing of this project leaves the machine. */
  readonly localOnly: boolean;
  readonly strategy: Strategy | undefined;
  /** `provider:model` or a model's name. */
  readonly model: string | undefined;
}

const NONE: ProjectPreferences = { localOnly: false, strategy: undefined, model: undefined };

/**
 * Read a project's preferences; a project without the file has none.
 *
 * @throws AssistantError `bad_setting`: a file that cannot be read might have said "local only".
 */
export function projectPreferences(projectsDir: string | undefined, project: string): ProjectPreferences {
  if (projectsDir === undefined) return NONE;
  const path = join(projectsDir, project, 'wooster.config.json');
  const text = readIfThere(path);
  if (text === undefined) return NONE;
  const parsed = SCHEMA.safeParse(parseJson(text, path));
  if (!parsed.success) throw unreadable(path, parsed.error.issues[0]?.message ?? 'not valid');
  const { models = {}, ...top } = parsed.data;
  return {
    localOnly: models.localOnly ?? top.localOnly ?? false,
    strategy: models.strategy ?? top.strategy,
    model: models.model ?? top.model,
  };
}

function readIfThere(path: string): string | undefined {
  try {
    // Checked for each request, and mostly missing: an error with its stack costs more than the check.
    return statSync(path, { throwIfNoEntry: false }) && readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unreadable(path, messageOf(error));
  }
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw unreadable(path, messageOf(error));
  }
}

function unreadable(path: string, problem: string): AssistantError {
  const hint = 'Fix the file: {"localOnly": true, "strategy": "cost", "model": "provider:model"}, all optional.';
  return new AssistantError('bad_setting', `${path} is not valid: ${problem}.`, { hint });
}
