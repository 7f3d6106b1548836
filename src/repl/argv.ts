import { parseArgs } from 'node:util';
import type { ModeSetting } from '../base/turn.ts';
import type { CommandEntry } from './command.ts';
import { findCommand } from './command-list.ts';
import { COMMANDS } from './commands.gen.ts';
import {
  COMMON_FLAGS,
  HELP_FLAGS,
  type ParsedWords,
  parseModeSetting,
  parseWords,
  refuseUnknown,
  textFlag,
} from './flags.ts';

/** The common flags, parsed. */
export interface CommonFlags {
  readonly mode: ModeSetting | undefined;
  readonly project: string | undefined;
  readonly conversationId: string | undefined;
  readonly home: string | undefined;
  /** The door of a program elsewhere, which does the work. */
  readonly server: string | undefined;
  readonly json: boolean;
  readonly yes: boolean;
  readonly verbose: boolean;
  /** For screen readers: nothing is drawn twice. */
  readonly plain: boolean;
}

/** What a call of `wooster` asks for. */
export type Invocation =
  | { readonly kind: 'chat'; readonly common: CommonFlags }
  | { readonly kind: 'version' }
  | { readonly kind: 'help'; readonly about: CommandEntry | 'all' | undefined; readonly json: boolean }
  /** The docs as a site, in this folder if one is given. */
  | { readonly kind: 'site'; readonly folder: string | undefined; readonly json: boolean }
  | {
      readonly kind: 'command';
      readonly command: CommandEntry;
      readonly words: ParsedWords;
      readonly common: CommonFlags;
      /** The command as it was typed, without what is for this program alone. */
      readonly said: readonly string[];
    };

/**
 * Parse the words after `wooster`. Loads no command, so a wrong call is refused, and help is shown, at once.
 *
 * @throws AssistantError `unknown_command`, `bad_usage`.
 */
export function readArgv(argv: readonly string[]): Invocation {
  if (argv[0] === '--version' || argv[0] === '-v') return { kind: 'version' };
  const { name, rest } = takeCommand(argv);
  if (name === undefined || name === 'chat') return readChat(rest);
  if (name === 'help') return readHelp(rest);
  const { command, before } = findCommand(COMMANDS, name, 'argv');
  const words = parseWords([...before, ...rest], command.flags ?? {});
  if (words.flags.help === true) return { kind: 'help', about: command, json: words.flags.json === true };
  return { kind: 'command', command, words, common: commonOf(words.flags), said: [name, ...forAnother(rest)] };
}

/** No command: the REPL, or the overview of all commands. */
function readChat(words: readonly string[]): Invocation {
  const { flags, args } = parseWords(words, {});
  // `wooster chat aks`: blame the word, as if it stood alone.
  if (args.length > 0) findCommand(COMMANDS, args[0] ?? '', 'argv');
  if (flags.help === true) return { kind: 'help', about: undefined, json: flags.json === true };
  return { kind: 'chat', common: commonOf(flags) };
}

/** Help is answered without settings and without a home, so that it works when one of those is broken. */
function readHelp(words: readonly string[]): Invocation {
  const { args, flags } = parseWords(words, HELP_FLAGS);
  const [word = 'chat'] = args;
  const json = flags.json === true;
  if (flags.web === true) return { kind: 'site', folder: textFlag(flags, 'output'), json };
  if (word === 'chat') return { kind: 'help', about: undefined, json };
  return { kind: 'help', about: word === 'all' ? word : findCommand(COMMANDS, word, 'argv').command, json };
}

/** The command is the first word that is neither a flag nor a flag's value: common flags may stand before it. */
function takeCommand(argv: readonly string[]): { name: string | undefined; rest: string[] } {
  const loosely = { strict: false, allowPositionals: true, tokens: true } as const;
  const { tokens } = parseArgs({ args: [...argv], options: COMMON_FLAGS, ...loosely });
  const first = tokens.find((token) => token.kind === 'positional');
  // Otherwise `--projct x` would complain about the command "x" instead of the flag.
  refuseUnknown(tokens.slice(0, first ? tokens.indexOf(first) : tokens.length), COMMON_FLAGS);
  if (!first) return { name: undefined, rest: [...argv] };
  return { name: first.value, rest: argv.filter((_word, index) => index !== first.index) };
}

function commonOf(flags: ParsedWords['flags']): CommonFlags {
  const mode = textFlag(flags, 'mode');
  return {
    mode: mode === undefined ? undefined : parseModeSetting(mode),
    project: textFlag(flags, 'project'),
    conversationId: textFlag(flags, 'conversation'),
    home: textFlag(flags, 'home'),
    server: textFlag(flags, 'server'),
    json: flags.json === true,
    yes: flags.yes === true,
    verbose: flags.verbose === true,
    plain: flags.plain === true,
  };
}

/** Flags that say where and how this program works. */
const OF_THIS_PROGRAM: ReadonlySet<string> = new Set(['server', 'home', 'plain', 'verbose']);

function forAnother(words: readonly string[]): readonly string[] {
  const loosely = { strict: false, allowPositionals: true, tokens: true } as const;
  const { tokens } = parseArgs({ args: [...words], options: COMMON_FLAGS, ...loosely });
  const dropped = new Set(
    tokens.flatMap((token) => {
      if (token.kind !== 'option' || !OF_THIS_PROGRAM.has(token.name)) return [];
      return token.inlineValue === false ? [token.index, token.index + 1] : [token.index];
    }),
  );
  return words.filter((_word, index) => !dropped.has(index));
}
