import type { HistoryEntry } from '../edit/history.ts';
import type { TtyStream } from '../tty/live.ts';
import type { Ink } from '../tty/wrap.ts';
import type { KeySource } from './keyboard.ts';
import type { Completions } from './state.ts';

/** What the live terminal works with. */
export interface LiveTerminalDeps {
  readonly input: KeySource;
  readonly output: TtyStream;
  /** Where notes go when stderr is not this terminal. */
  readonly note: ((text: string) => void) | undefined;
  /** Reads keys one by one; the terminal is given back in between. */
  readonly raw: { enter(): void; leave(): void; suspend(resumed: () => void): void };
  readonly ink: Ink;
  /** Oldest first. */
  readonly history: readonly HistoryEntry[];
  readonly remember: (entry: HistoryEntry) => void;
  /** How long no key has to be pressed before something is offered; a while unless given. */
  readonly idleMs?: number | undefined;
  /** What the word at the cursor can become; may take its time. */
  readonly complete: (text: string, cursor: number) => Promise<Completions | undefined>;
  /** Edit a text in the person's own editor; undefined when that failed. */
  readonly editOutside: (text: string) => Promise<string | undefined>;
}
