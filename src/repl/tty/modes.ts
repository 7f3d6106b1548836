/** Bracketed paste on; the cursor is shown in any case. */
const ENTER = '\u001b[?2004h';
/** Bracketed paste off, cursor shown, styles reset. */
const LEAVE = '\u001b[?2004l\u001b[?25h\u001b[0m';

/** The streams of a terminal in raw mode. */
export interface RawTty {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
}

/**
 * Puts the terminal into raw mode, and restores it when closed, when the process is suspended with Ctrl-Z and when it
 * ends, however it ends.
 */
export class RawMode {
  readonly #tty: RawTty;
  #on = false;
  readonly #onExit = () => this.leave();

  constructor(tty: RawTty) {
    this.#tty = tty;
  }

  enter(): void {
    if (this.#on) return;
    this.#on = true;
    this.#tty.input.setRawMode(true);
    this.#tty.output.write(ENTER);
    this.#tty.input.resume();
    process.once('exit', this.#onExit);
  }

  leave(): void {
    if (!this.#on) return;
    this.#on = false;
    process.off('exit', this.#onExit);
    this.#tty.output.write(LEAVE);
    this.#tty.input.setRawMode(false);
    this.#tty.input.pause();
  }

  /** Ctrl-Z: return to the shell; `resumed` is called when the person comes back. */
  suspend(resumed: () => void): void {
    this.leave();
    process.once('SIGCONT', () => {
      this.enter();
      resumed();
    });
    process.kill(process.pid, 'SIGTSTP');
  }
}
