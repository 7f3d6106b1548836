import type { Board } from './board.ts';
import type { LiveTerminalDeps } from './deps.ts';

/** Gives the terminal to another program for a while, and draws anew when it is back. */
export class Outside {
  readonly #deps: Pick<LiveTerminalDeps, 'raw' | 'editOutside'>;
  readonly #board: Board;
  #away = false;

  constructor(deps: Pick<LiveTerminalDeps, 'raw' | 'editOutside'>, board: Board) {
    this.#deps = deps;
    this.#board = board;
  }

  /** Another program has it; what that one leaves unread is not ours. */
  get away(): boolean {
    return this.#away;
  }

  /** To the shell, until that says `fg`. */
  suspend(): void {
    this.#board.leave(false);
    this.#deps.raw.suspend(() => this.#board.paint([], true));
  }

  /** To the person's editor. @returns the text as it was saved; undefined when that failed. */
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
