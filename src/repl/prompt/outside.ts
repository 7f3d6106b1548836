import type { Board } from './board.ts';
import type { LiveTerminalDeps } from './deps.ts';

/** Hands the terminal to another program for a while, and redraws when it is back. */
export class Outside {
  readonly #deps: Pick<LiveTerminalDeps, 'raw' | 'editOutside'>;
  readonly #board: Board;
  #away = false;

  constructor(deps: Pick<LiveTerminalDeps, 'raw' | 'editOutside'>, board: Board) {
    this.#deps = deps;
    this.#board = board;
  }

  /** Another program has it; keys that it leaves unread are not ours. */
  get away(): boolean {
    return this.#away;
  }

  /** Suspend to the shell, until `fg`. */
  suspend(): void {
    this.#board.leave(false);
    this.#deps.raw.suspend(() => this.#board.paint([], true));
  }

  /** Hand over to the person's editor. @returns the text as it was saved; undefined when that failed. */
  async edit(text: string): Promise<string | undefined> {
    this.#away = true;
    this.#board.lend();
    this.#deps.raw.leave();
    try {
      return await this.#deps.editOutside(text).catch(() => undefined);
    } finally {
      this.#deps.raw.enter();
      this.#away = false;
      this.#board.back();
    }
  }
}
