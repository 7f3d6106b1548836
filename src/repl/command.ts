import type { ParseArgsOptionsConfig } from 'node:util';
import type { Mode } from '../base/turn.ts';
import type { App } from './app.ts';

/** What stays the same between the lines of one REPL, or the flags of one `wooster` call. */
export interface Session {
  mode: Mode;
  project: string;
  /** Undefined until the first turn of a new conversation. */
  conversationId: string | undefined;
  /** Show scripts and their logs while they run. */
  codeLog: boolean;
  /** Show tokens and cost after each answer; `/usage on`. */
  showUsage: boolean;
  /** Set by `/quit`: the REPL ends after this line. */
  ended: boolean;
  /** `--yes`: approvals are given, denials stay denials. */
  readonly yes: boolean;
  readonly json: boolean;
  readonly interactive: boolean;
}

/** Where a command's words go. With `--json` only `row` writes to stdout. */
export interface Output {
  /** For people. */
  line(text: string): void;
  /** One JSON object per line with `--json`, nothing otherwise. */
  row(value: unknown): void;
  /** To stderr, always. */
  note(text: string): void;
  /** A progress line that replaces the one before it; only on a terminal. */
  progress(text: string): void;
  /** Ask on the terminal; undefined when there is nobody to ask. */
  ask(question: string): Promise<string | undefined>;
}

export interface CommandCall {
  /** Typed at the prompt, or given to `wooster`. */
  readonly place: 'argv' | 'slash';
  readonly args: readonly string[];
  readonly flags: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
  readonly session: Session;
  readonly app: App;
  readonly out: Output;
  /** Fires on Ctrl-C and at the end of the program. */
  readonly signal: AbortSignal;
  /** Answer `text` as a turn of the session, shown as usual. With `turnId` an interrupted turn goes on. */
  ask(text: string, turnId?: string): Promise<number>;
}

/** One command, the same from argv (`wooster schedule list`) and in the REPL (`/schedule list`). */
export interface Command {
  readonly name: string;
  readonly summary: string;
  /** Without the leading `wooster `/`/`, one line per form. */
  readonly usage: readonly string[];
  readonly flags?: ParseArgsOptionsConfig;
  /** Where it can be used; both unless given. */
  readonly only?: 'argv' | 'slash';
  /** @returns the exit code: 0 fine, 1 failed, 2 usage, 130 cancelled. May throw AssistantError. */
  run(call: CommandCall): Promise<number>;
}
