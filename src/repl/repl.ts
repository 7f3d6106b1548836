import type { App } from './app.ts';
import type { Session } from './command.ts';
import { findCommand } from './command-list.ts';
import { COMMANDS } from './commands.gen.ts';
import { parseWords } from './flags.ts';
import { askOn, runCommand, type Stage } from './run-command.ts';
import { outputOn } from './screen.ts';
import { readLine } from './slash.ts';
import { errorEvent, exitCodeOfError } from './take-turn.ts';
import type { Terminal } from './terminal.ts';

/** The loaded program and its session; lines typed before it has loaded wait. */
export interface Opened {
  readonly app: App;
  readonly session: Session;
}

/** Two Ctrl-C within this time leave the REPL. */
const TWICE_MS = 2000;

/** Reads lines, answers them one by one, and ends with the input, with `/quit` or with two Ctrl-C. */
export class Repl {
  readonly #terminal: Terminal;
  readonly #opened: Promise<Opened>;
  #running: AbortController | undefined;
  #interruptedAt = -TWICE_MS;
  #left = false;

  constructor(terminal: Terminal, opened: Promise<Opened>) {
    this.#terminal = terminal;
    this.#opened = opened;
    terminal.onInterrupt((hadText) => this.interrupt(hadText));
  }

  /**
   * @returns the exit code: on a terminal 0; for piped lines the worst of their codes.
   * @throws whatever made loading fail.
   */
  async run(): Promise<number> {
    let worst = 0;
    // Never resolves: it only makes a failure to load win the race against the next line.
    const failed = this.#opened.then(
      () => new Promise<never>(() => {}),
      (error: unknown) => Promise.reject(error),
    );
    while (!this.#left) {
      const line = await Promise.race([this.#terminal.next(), failed]);
      if (line === undefined) break;
      worst = Math.max(worst, await this.#take(line, await this.#opened));
    }
    return this.#terminal.interactive ? 0 : worst;
  }

  /** Ctrl-C, or SIGINT from outside: cancel what is running; leave if it is the second one in a short time. */
  interrupt(hadText = false): void {
    if (hadText && !this.#running) return;
    const now = performance.now();
    const twice = now - this.#interruptedAt < TWICE_MS;
    this.#interruptedAt = now;
    this.#running?.abort(new Error('cancelled'));
    if (twice) this.leave();
    else if (!this.#running) this.#terminal.note('(press Ctrl-C again, or type /quit, to leave)');
  }

  /** Cancel what is running and end the loop. */
  leave(): void {
    this.#left = true;
    this.#running?.abort(new Error('the program is ending'));
    this.#terminal.close();
  }

  async #take(raw: string, { app, session }: Opened): Promise<number> {
    this.#running = new AbortController();
    const stage: Stage = { place: 'slash', session, app, screen: this.#terminal, signal: this.#running.signal };
    try {
      return await answerLine(raw, stage);
    } catch (error) {
      const event = errorEvent(error);
      if (event.code === 'internal') app.log.error('a command failed', { error: event.message });
      outputOn(this.#terminal, session.json).row(event);
      outputOn(this.#terminal, session.json).note(`${event.message} ${event.hint}`);
      return exitCodeOfError(error);
    } finally {
      if (stage.signal.aborted) this.#terminal.note('(cancelled)');
      if (session.ended) this.#left = true;
      this.#running = undefined;
    }
  }
}

async function answerLine(raw: string, stage: Stage): Promise<number> {
  const line = readLine(raw);
  if (line.kind === 'empty') return 0;
  if (line.kind === 'turn') return askOn(stage, line.text);
  const command = findCommand(COMMANDS, line.name, 'slash');
  return runCommand(command, parseWords(line.words, command.flags ?? {}), stage);
}
