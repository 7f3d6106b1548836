import type { HistoryEntry } from '../edit/history.ts';
import type { TtyStream } from '../tty/live.ts';
import type { Ink } from '../tty/wrap.ts';
import type { KeySource } from './keyboard.ts';
import type { Completions } from './state.ts';

/** Dependencies of the live terminal. */
export interface LiveTerminalDeps {
  readonly input: KeySource;
  readonly output: TtyStream;
  /** Where notes go when stderr is not this terminal. */
  readonly note: ((text: string) => void) | undefined;
  /** Reads keys one by one; the terminal can be handed over in between. */
  readonly raw: { enter(): void; leave(): void; suspend(resumed: () => void): void };
  readonly ink: Ink;
  /** Oldest first. */
  readonly history: readonly HistoryEntry[];
  readonly remember: (entry: HistoryEntry) => void;
  /** How long the keyboard must be idle before something is offered. */
  readonly idleMs?: number | undefined;
  /** Completions of the word at the cursor; may be slow. */
  readonly complete: (text: string, cursor: number) => Promise<Completions | undefined>;
  /** Edit a text in the person's own editor; undefined when that failed. */
  readonly editOutside: (text: string) => Promise<string | undefined>;
}
