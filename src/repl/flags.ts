import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { AssistantError, messageOf } from '../base/errors.ts';
import { nearest } from '../base/text.ts';
import { MODE_SHORT, MODES, type Mode, type ModeSetting } from '../base/turn.ts';

/** A command that cannot be understood as it was typed. */
export function badUsage(message: string, hint: string, cause?: unknown): AssistantError {
  return new AssistantError('bad_usage', message, { hint, cause });
}

/** Flags that every command accepts. */
export const COMMON_FLAGS = {
  mode: { type: 'string' },
  project: { type: 'string' },
  conversation: { type: 'string', short: 'c' },
  json: { type: 'boolean' },
  yes: { type: 'boolean' },
  home: { type: 'string' },
  server: { type: 'string' },
  verbose: { type: 'boolean' },
  plain: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies ParseArgsOptionsConfig;

/** Words split by `parseWords`. */
export interface ParsedWords {
  readonly args: readonly string[];
  readonly flags: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
}

/**
 * Split words into arguments and the flags that `options` knows.
 *
 * @throws AssistantError `bad_usage` for an unknown flag (with the nearest match) or a missing value.
 */
export function parseWords(words: readonly string[], options: ParseArgsOptionsConfig): ParsedWords {
  const known = { ...COMMON_FLAGS, ...options };
  // A loose pass first: strict parsing would throw for an unknown flag before its nearest match can be named.
  const loose = parseArgs({ args: [...words], options: known, strict: false, allowPositionals: true, tokens: true });
  refuseUnknown(loose.tokens, known);
  try {
    const parsed = parseArgs({ args: [...words], options: known, allowPositionals: true });
    return { args: parsed.positionals, flags: { ...parsed.values } };
  } catch (error) {
    const message = messageOf(error).split('\n')[0] ?? '';
    throw badUsage(message, 'Add --help to see the usage.', error);
  }
}

/** What we read of the tokens of `parseArgs`. */
interface Token {
  readonly kind: string;
  readonly name?: string;
  readonly rawName?: string;
}

/** @throws AssistantError `bad_usage` for the first unknown flag. */
export function refuseUnknown(tokens: readonly Token[], known: ParseArgsOptionsConfig): void {
  for (const { kind, name = '', rawName = name } of tokens) {
    if (kind === 'option' && !Object.hasOwn(known, name)) throw unknownFlag(rawName, Object.keys(known));
  }
}

function unknownFlag(raw: string, known: readonly string[]): AssistantError {
  const guess = nearest(raw.replace(/^-+/u, ''), known);
  return badUsage(`Unknown flag "${raw}".`, guess ? `Did you mean "--${guess}"?` : 'Add --help to see the flags.');
}

/** The value of a flag that takes text; undefined when it is missing or blank. */
export function textFlag(flags: ParsedWords['flags'], name: string): string | undefined {
  const value = flags[name];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/**
 * The value of a flag that takes a whole number, else `fallback`.
 *
 * @throws AssistantError `bad_usage` when it is anything else, or out of range.
 */
export function countFlag(
  flags: ParsedWords['flags'],
  name: string,
  { min = 1, max = 1000, fallback }: { readonly min?: number; readonly max?: number; readonly fallback: number },
): number {
  const value = flags[name];
  if (value === undefined) return fallback;
  const count = value === '' ? Number.NaN : Number(value);
  if (Number.isInteger(count) && count >= min && count <= max) return count;
  throw badUsage(`"--${name} ${String(value)}" is not valid.`, `Use a whole number from ${min} to ${max}.`);
}

/** Is this an explicit yes? An empty answer is a no. */
export function isYes(answer: string | undefined): boolean {
  return /^y(?:es)?$/iu.test(answer?.trim() ?? '');
}

/** `help` is answered without its command being loaded. */
export const HELP_FLAGS = { web: { type: 'boolean' }, output: { type: 'string' } } as const;

/**
 * A mode by its name or its short form (`code`, `tools`).
 *
 * @throws AssistantError `bad_usage`.
 */
export function parseMode(word: string): Mode {
  const mode = modeNamed(word);
  if (mode) return mode;
  throw badUsage(`Unknown mode "${word}".`, `Use ${MODES.join(' or ')} (short: tools, code).`);
}

/**
 * A mode, or `auto`: whichever works best for the model.
 *
 * @throws AssistantError `bad_usage`.
 */
export function parseModeSetting(word: string): ModeSetting {
  return word === 'auto' ? word : parseMode(word);
}

function modeNamed(word: string): Mode | undefined {
  return MODE_SHORT[word] ?? MODES.find((name) => name === word);
}
