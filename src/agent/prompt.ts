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

/** What a model is told besides the conversation, without the mode's own part. */
export interface PromptParts {
  /** Prompt files and the project's prompt: the same from turn to turn, so that servers can reuse their cache of it. */
  readonly standing: string;
  /** What plugins say about this turn, the project and the time. */
  readonly now: string;
}

/** Build both parts of the prompt. Files are read anew each turn, so an edit takes effect at once. */
export function promptParts(options: PromptOptions): PromptParts {
  const { turn, project, context, now, timeZone } = options;
  const about = project?.trim() ? `About the project "${turn.project}":\n${project.trim()}` : '';
  return {
    standing: sections([...promptFiles(options), about]),
    now: sections([context.join('\n').trim(), `Active project: ${turn.project}.\n${dateLine(now, timeZone)}`]),
  };
}

/** Both parts as one system prompt, what changes last. */
export function buildSystemPrompt(options: PromptOptions): string {
  const { standing, now } = promptParts(options);
  return sections([standing, now]);
}

/** Separates what the program says behind a request from what the person said. */
export function asContext(text: string): string {
  return `<context>\n${text}\n</context>`;
}

/** Texts with a blank line between them; empty ones are left out. */
export function sections(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n\n');
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
