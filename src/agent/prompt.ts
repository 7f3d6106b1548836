import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Turn } from '../base/turn.ts';
import { localDate, localTime, sayDate, sayWeekday } from '../when/calendar.ts';

const BASE = 'base_system_prompt.txt';
const SMALL_BASE = 'internal/base_small.txt';

export interface PromptOptions {
  /** Folder of the prompt files; `internal/` below it holds the prompts of single features. */
  readonly dir: string;
  /** The person's own prompt files, in their home. */
  readonly ownDir?: string | undefined;
  /** Whether a prompt file may be followed; absent: all are. */
  readonly isObeyed?: ((path: string) => boolean) | undefined;
  readonly turn: Turn;
  readonly now: Date;
  /** IANA name. */
  readonly timeZone: string;
  /** Text of the project's `prompt.txt`. */
  readonly project: string | undefined;
  /** What plugins have to say about this turn, line by line. */
  readonly context: readonly string[];
  /** For a small model: a short base prompt in place of the usual one. */
  readonly small?: boolean;
}

/**
 * Build the system prompt, without the mode's own part. What changes from turn to turn comes last, so that servers can
 * reuse their cache of the rest. Files are read anew each turn, so an edit takes effect at once.
 */
export function buildSystemPrompt(options: PromptOptions): string {
  const sections = [
    ...promptFiles(options),
    options.project?.trim() ? `About the project "${options.turn.project}":\n${options.project.trim()}` : '',
    options.context.join('\n').trim(),
    `Active project: ${options.turn.project}.\n${dateLine(options.now, options.timeZone)}`,
  ];
  return sections.filter((section) => section !== '').join('\n\n');
}

/** The prompt for a model that is not told of some tools: it has to know that there is nothing to use them on. */
export function withNothingYet(systemPrompt: string, none: readonly string[]): string {
  if (none.length === 0) return systemPrompt;
  const what =
    none.length === 1 ? none[0] : `${none.slice(0, -1).join(', ')}${none.length > 2 ? ',' : ''} or ${none.at(-1)}`;
  return `${systemPrompt}\nThere were no ${what} yet when this request came; the tools for them come with the first.`;
}

/** Lines of several sources, with a blank line between those of one and of the next. */
export function apart(...groups: readonly (readonly string[])[]): string[] {
  return groups.filter(({ length }) => length > 0).flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]));
}

/** Read the prompt of one feature, `internal/NAME.txt`. */
export function internalPrompt(dir: string, name: string): string {
  return readFileSync(join(dir, 'internal', `${name}.txt`), 'utf8').trim();
}

/** The base prompt first, then the user's own by name. */
function promptFiles({ dir, ownDir, small = false, isObeyed = () => true }: PromptOptions): string[] {
  const [base = '', ...others] = promptPaths(dir, ownDir);
  const files = [small ? join(dir, SMALL_BASE) : base, ...others];
  return files.filter(isObeyed).map((path) => readIfThere(path).trim());
}

/** The files that a system prompt is made of, in their order: the program's, then those of the home. */
export function promptPaths(dir: string, ownDir = dir): string[] {
  const own = ownDir === dir ? [] : textsIn(ownDir).map((name) => join(ownDir, name));
  if (!existsSync(dir)) return own;
  const others = textsIn(dir).filter((name) => name !== BASE);
  return [...[BASE, ...others].map((name) => join(dir, name)), ...own];
}

function textsIn(dir: string): string[] {
  if (!existsSync(dir)) return [];
  return readdirSync(dir)
    .filter((name) => name.endsWith('.txt'))
    .sort();
}

function readIfThere(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

function dateLine(now: Date, timeZone: string): string {
  const date = `${sayWeekday(now, timeZone)}, ${sayDate(now, timeZone)} (${localDate(now, timeZone)})`;
  return `Today is ${date}, ${localTime(now, timeZone).slice(11, 16)}, time zone ${timeZone}.`;
}
