import type { Choice } from './prompt/state.ts';
import type { Screen } from './screen.ts';

/** Where the REPL reads its lines and shows the answers. */
export interface Terminal extends Screen {
  /** A person sits in front of it and can be asked. */
  readonly interactive: boolean;
  /** Show the prompt now; `next` does so by itself. */
  prompt(): void;
  /** The next line, or undefined after the last one. Lines that come while nobody waits are kept. */
  next(): Promise<string | undefined>;
  /** Handle Ctrl-C. @param handler  `again`: the hint that it leaves was still shown. */
  onInterrupt(handler: (again: boolean) => void): void;
  /** Handle words for the running turn. */
  onSteer(handler: (text: string) => void): void;
  /** Show a hint until the next key. */
  hint(text: string): void;
  /** Whether the hint is still shown. */
  readonly hinted: boolean;
  /** Put queued lines back into the line. */
  takeBack(): void;
  /**
   * Let the person choose as soon as they are idle: the line is empty, nothing runs, and no key was pressed for a
   * while. Typing on dismisses the choice, and no letter is lost.
   *
   * @param stillOpen  asked just before it is shown: it may have been decided elsewhere meanwhile.
   * @returns the key of an option; the safe one when it was dismissed; undefined when nobody was asked.
   */
  offer(choice: Choice, stillOpen: () => Promise<boolean>): Promise<string | undefined>;
  /** Show a message that no turn asked for, such as a reminder. With `--json` it must not mix with the rows. */
  announce(text: string): void;
  /** The parts of the status line, the most important first. */
  status(parts: readonly string[]): void;
  /** The project whose lines Up recalls first. */
  project(name: string): void;
  close(): void;
}
