import type { Choice } from './prompt/state.ts';
import type { Screen } from './screen.ts';

/** Where the REPL gets its lines and shows what comes of them. */
export interface Terminal extends Screen {
  /** A person sits in front of it and can be asked. */
  readonly interactive: boolean;
  /** Show the prompt now; `next` does so by itself. */
  prompt(): void;
  /** The next line, or undefined after the last one. Lines that come while nobody waits are kept. */
  next(): Promise<string | undefined>;
  /** Handle Ctrl-C. @param handler  `again`: the hint that it leaves was still shown. */
  onInterrupt(handler: (again: boolean) => void): void;
  /** Handle words for the turn that is running. */
  onSteer(handler: (text: string) => void): void;
  /** Tell the person something until the next key. */
  hint(text: string): void;
  /** The hint is still there. */
  readonly hinted: boolean;
  /** What waits in the queue goes back into the line. */
  takeBack(): void;
  /**
   * Let the person choose as soon as they have nothing else to do: the line is empty, nothing runs, and no key was
   * pressed for a while. Whoever types on instead puts it aside, and no letter is lost.
   *
   * @param stillOpen  asked when the moment has come: it may have been decided elsewhere meanwhile.
   * @returns the key of an option; the safe one when it was put aside; undefined when nobody was asked.
   */
  offer(choice: Choice, stillOpen: () => Promise<boolean>): Promise<string | undefined>;
  /** Show a message that no turn asked for, such as a reminder. With `--json` it must not mix with the rows. */
  announce(text: string): void;
  /** The parts of the status line, the most important first. */
  status(parts: readonly string[]): void;
  /** Whose lines Up brings first. */
  project(name: string): void;
  close(): void;
}
