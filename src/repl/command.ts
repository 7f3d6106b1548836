import type { ParseArgsOptionsConfig } from 'node:util';
import type { Mode } from '../base/turn.ts';
import type { Parts } from './parts.ts';

/** What stays the same between the lines of one REPL, or the flags of one `wooster` call. */
export interface Session {
  mode: Mode;
  project: string;
  /** Undefined until the first turn of a new conversation. */
  conversationId: string | undefined;
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
  readonly args: readonly string[];
  readonly flags: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
  readonly session: Session;
  readonly parts: Parts;
  readonly out: Output;
  readonly signal: AbortSignal;
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
  /** @returns the exit code: 0 fine, 1 failed, 2 usage. May throw AssistantError. */
  run(call: CommandCall): Promise<number>;
}
