import { parseArgs } from 'node:util';
import type { Mode } from '../base/turn.ts';
import type { Command } from './command.ts';
import { findCommand } from './commands/table.ts';
import { COMMON_FLAGS, type ParsedWords, parseMode, parseWords, refuseUnknown } from './flags.ts';

/** The common flags, understood. */
export interface CommonFlags {
  readonly mode: Mode | undefined;
  readonly project: string | undefined;
  readonly conversationId: string | undefined;
  readonly home: string | undefined;
  readonly json: boolean;
  readonly yes: boolean;
  readonly verbose: boolean;
}

export type Invocation =
  | { readonly kind: 'chat'; readonly common: CommonFlags }
  | { readonly kind: 'version' }
  | { readonly kind: 'help'; readonly command: Command | undefined; readonly json: boolean }
  | {
      readonly kind: 'command';
      readonly command: Command;
      readonly words: ParsedWords;
      readonly common: CommonFlags;
    };

/**
 * What the words after `wooster` ask for. Loads the one command that is named.
 *
 * @throws AssistantError `unknown_command`, `bad_usage`.
 */
export async function readArgv(argv: readonly string[]): Promise<Invocation> {
  if (argv[0] === '--version' || argv[0] === '-v') return { kind: 'version' };
  const { name, rest } = takeCommand(argv);
  if (name === undefined || name === 'chat') {
    const { flags, args } = parseWords(rest, {});
    if (args.length > 0) findCommand(args[0] ?? '', 'argv');
    if (flags.help === true) return { kind: 'help', command: undefined, json: flags.json === true };
    return { kind: 'chat', common: commonOf(flags) };
  }
  if (name === 'help') return readHelp(rest);
  const command = await findCommand(name, 'argv').load();
  const words = parseWords(rest, command.flags ?? {});
  if (words.flags.help === true) return { kind: 'help', command, json: words.flags.json === true };
  return { kind: 'command', command, words, common: commonOf(words.flags) };
}

/** Help needs no settings and no home, so that it is there when those are what is wrong. */
async function readHelp(words: readonly string[]): Promise<Invocation> {
  const { args, flags } = parseWords(words, {});
  const [about] = args;
  const command = about === undefined || about === 'chat' ? undefined : await findCommand(about, 'argv').load();
  return { kind: 'help', command, json: flags.json === true };
}

/** The first word that is no flag and no flag's value is the command; common flags may stand before it. */
function takeCommand(argv: readonly string[]): { name: string | undefined; rest: string[] } {
  const { tokens } = parseArgs({
    args: [...argv],
    options: COMMON_FLAGS,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const first = tokens.find((token) => token.kind === 'positional');
  // An unknown flag before the command would swallow the blame for the word after it.
  refuseUnknown(tokens.slice(0, first ? tokens.indexOf(first) : tokens.length), COMMON_FLAGS);
  if (!first) return { name: undefined, rest: [...argv] };
  return { name: first.value, rest: argv.filter((_word, index) => index !== first.index) };
}

function commonOf(flags: ParsedWords['flags']): CommonFlags {
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  const mode = text(flags.mode);
  return {
    mode: mode === undefined ? undefined : parseMode(mode),
    project: text(flags.project),
    conversationId: text(flags.conversation),
    home: text(flags.home),
    json: flags.json === true,
    yes: flags.yes === true,
    verbose: flags.verbose === true,
  };
}
