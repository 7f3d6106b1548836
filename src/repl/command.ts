import type { ParseArgsOptionsConfig } from 'node:util';
import type { TurnWishes } from '../agent/types.ts';
import type { ApprovalRequest, Decision, Material, Mode } from '../base/turn.ts';
import type { App } from '../face/app.ts';
import type { EditorStreams } from '../face/editor-door.ts';
import type { ServicePlaces } from '../face/setup-desk.ts';

/** What stays the same between the lines of one REPL, or the flags of one `wooster` call. */
export interface Session {
  mode: Mode;
  /** The mode is chosen for each turn, by what is known of its model. */
  autoMode?: boolean | undefined;
  project: string;
  /** Undefined until the first turn of a new conversation. */
  conversationId: string | undefined;
  /** Show scripts and their logs while they run. */
  codeLog: boolean;
  /** Show tokens and cost after each answer; set by `/usage on`. */
  showUsage: boolean;
  /** Show the status line below the prompt. */
  statusLine: boolean;
  /** Set by `/quit`: the REPL ends after this line. */
  ended: boolean;
  /** `--yes`: requests for approval are granted, denials stay denials. */
  readonly yes: boolean;
  readonly json: boolean;
  readonly interactive: boolean;
}

/** Where a command writes. With `--json` only `row` writes to stdout. */
export interface Output {
  /** It is a terminal on which bars of block characters can be seen: no pipe, no screen reader, no C locale. */
  readonly draws: boolean;
  /** Cells in a row of the terminal; 80 for a pipe. */
  readonly columns: number;
  /** One or more lines for people; nothing with `--json`. */
  line(text: string): void;
  /** One JSON object per line with `--json`, nothing otherwise. */
  row(value: unknown): void;
  /** One result: its row with `--json`, else its lines for people. */
  show(value: unknown, text: string): void;
  /** To stderr, always. */
  note(text: string): void;
  /** A progress line that replaces the one before it; only on a terminal. */
  progress(text: string): void;
  /** Put a text on the clipboard of the terminal. @returns false where there is none. */
  copy(text: string): boolean;
  /** Ask on the terminal; undefined when there is nobody to ask. */
  ask(question: string): Promise<string | undefined>;
}

/** Typed after `wooster`, or at the prompt of the REPL. */
export type Place = 'argv' | 'slash';

/** The headings of the help, in its order. */
export const COMMAND_GROUPS = [
  'Ask',
  'Conversations',
  'Documents',
  'Schedules and messages',
  'Models',
  'Tools and approvals',
  'Programs',
  'Maintenance',
] as const;

type CommandGroup = (typeof COMMAND_GROUPS)[number];

/** All there is to know about a command without loading it: enough for help, completion, parsing and dispatch. */
export interface CommandInfo {
  readonly name: string;
  /** Imperative, no full stop: `List the plugins`. */
  readonly summary: string;
  readonly group: CommandGroup;
  /** Without the leading `wooster ` or `/`, one line per form; a gap of two or more spaces sets off an explanation. */
  readonly usage: readonly string[];
  /** Whole lines that can be typed, in the form of `usage`. */
  readonly examples: readonly string[];
  /** Flags of this command, besides the common ones. */
  readonly flags?: ParseArgsOptionsConfig;
  /** Other names, each with the words that it puts in front of the arguments: `deny 7` is `approvals deny 7`. */
  readonly aliases?: Readonly<Record<string, readonly string[]>>;
  /** On the first page of the help: a new user needs it in the first week. */
  readonly basic?: true;
  /** It may be given in a chat: said twice, it does nothing twice, and it gives nobody any right. */
  readonly chats?: true;
  /** Where it can be used; in both places unless given. */
  readonly only?: Place;
  /** It repairs a damaged database, so it must run without one. */
  readonly mends?: true;
  /** It runs until it is told to end: what keeps the program from being opened is waited for, see `keepServing`. */
  readonly lasts?: true;
  /** It has a form that needs no program, see `runBare`. */
  readonly bare?: true;
}

/**
 * One command, the same from argv (`wooster schedule list`) and in the REPL (`/schedule list`). Export one from a file
 * in `commands/` and run `npm run generate`: `commands.gen.ts` then lists it.
 */
export interface Command extends CommandInfo {
  /** @returns the exit code: 0 success, 1 failure, 2 wrong usage, 130 cancelled. May throw AssistantError. */
  run(call: CommandCall): Promise<number>;
  /**
   * What can be done without opening the home: its database may be damaged, or the home somewhere else.
   *
   * @returns the exit code; undefined when the program is needed.
   */
  runBare?(call: BareCall): Promise<number | undefined>;
}

/** What a command gets that runs without the program. */
export interface BareCall extends Pick<CommandCall, 'args' | 'flags' | 'out' | 'signal'> {
  readonly home: ServicePlaces;
  /** The variables that are settings. */
  settingNames(): Promise<readonly string[]>;
  /** Serve one editor until it leaves, and open the program while it is being greeted. */
  serveEditor(streams: EditorStreams): Promise<void>;
}

/** A command in the generated list, loaded when it is first used. */
export interface CommandEntry extends CommandInfo {
  load(): Promise<Command>;
}

/** Options of a question. */
export interface AskMore {
  /** An interrupted turn to continue. */
  readonly turnId?: string | undefined;
  /** Texts that the question is about. */
  readonly material?: readonly Material[] | undefined;
  readonly wishes?: TurnWishes | undefined;
  /** Receives the answer, which is then not shown. */
  answered?(text: string): void;
}

/** Everything a command gets to run with. */
export interface CommandCall {
  readonly place: Place;
  readonly args: readonly string[];
  readonly flags: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
  readonly session: Session;
  readonly app: App;
  /** Every command of the program, for the help. */
  readonly commands: readonly CommandInfo[];
  readonly out: Output;
  /** Fires on Ctrl-C and when the program ends. */
  readonly signal: AbortSignal;
  /** Ask the person about a call of a tool. */
  approve(request: ApprovalRequest): Promise<Decision>;
  /** Answer `text` as a turn of the session, shown as usual. */
  ask(text: string, more?: AskMore): Promise<number>;
}
