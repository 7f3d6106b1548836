import { errorEvent, exitCodeOfError } from '../../face/error-event.ts';
import { printable } from '../screen.ts';
import { readLine } from '../slash.ts';
import type { Terminal } from '../terminal.ts';
import type { DoorClient } from './door-client.ts';
import { type RemoteSession, remoteTurn } from './remote-turn.ts';

/** Two Ctrl-C within this time quit. */
const TWICE_MS = 2000;

/** What only changes this session is done here; all else is done at the other end. */
const HERE: Readonly<Record<string, (repl: { leave(): void; session: RemoteSession }) => void>> = {
  quit: (repl) => repl.leave(),
  new: ({ session }) => {
    session.conversationId = undefined;
  },
};

/** The prompt of a program that runs elsewhere. */
export class RemoteRepl {
  readonly session: RemoteSession;
  readonly #terminal: Terminal;
  readonly #client: DoorClient;
  #running: AbortController | undefined;
  #turnId: string | undefined;
  #left = false;
  #interruptedAt = Number.NEGATIVE_INFINITY;

  constructor(terminal: Terminal, client: DoorClient, session: RemoteSession) {
    this.#terminal = terminal;
    this.#client = client;
    this.session = session;
    terminal.onInterrupt((again) => this.interrupt(again));
    terminal.onSteer((text) => {
      terminal.line(`(to the running answer) ${text}`, 'dim');
      const turnId = this.#turnId;
      if (turnId !== undefined) void client.steer(turnId, text).catch((error: unknown) => this.#tell(error));
    });
  }

  /** @returns the exit code: on a terminal 0; for piped lines the worst of their codes. */
  async run(): Promise<number> {
    let worst = 0;
    while (!this.#left) {
      const line = await this.#terminal.next();
      if (line === undefined) break;
      worst = Math.max(worst, await this.#take(line));
    }
    return this.#terminal.interactive ? 0 : worst;
  }

  /** Ctrl-C, or SIGINT from outside: stop what is running; a second one quits. */
  interrupt(again = this.#terminal.hinted): void {
    const now = performance.now();
    const soon = now - this.#interruptedAt < TWICE_MS;
    this.#interruptedAt = now;
    if (again && soon) this.leave();
    else if (this.#running) {
      this.#running.abort(new Error('cancelled'));
      this.#terminal.takeBack();
      this.#terminal.hint('(stopping; Ctrl-C again leaves)');
    } else this.#terminal.hint('(press Ctrl-C again, or type /quit, to leave)');
  }

  leave(): void {
    this.#left = true;
    this.#running?.abort(new Error('the program is ending'));
    this.#terminal.close();
  }

  async #take(raw: string): Promise<number> {
    this.#running = new AbortController();
    try {
      return await this.#answer(raw, this.#running.signal);
    } catch (error) {
      return this.#tell(error);
    } finally {
      this.#running = undefined;
      this.#turnId = undefined;
    }
  }

  async #answer(raw: string, signal: AbortSignal): Promise<number> {
    const [line, screen, session] = [readLine(raw), this.#terminal, this.session];
    if (line.kind === 'empty') return 0;
    if (line.kind === 'turn') {
      const begun = ({ id }: { readonly id: string }) => {
        this.#turnId = id;
      };
      const asks = screen.interactive;
      return remoteTurn({ client: this.#client, session, screen, signal, asks, prefix: 'Wooster: ', begun }, line.text);
    }
    const here = HERE[line.name];
    if (here) {
      here(this);
      return 0;
    }
    const { project, conversationId } = session;
    const as = session.json ? 'rows' : 'text';
    const done = await this.#client.command([line.name, ...line.words], as, { project, conversationId }, signal);
    screen.print(done.rows.map((row) => JSON.stringify(row)));
    if (done.text !== '') screen.line(printable(done.text.trimEnd()));
    return done.code;
  }

  #tell(error: unknown): number {
    const { message, hint } = errorEvent(error);
    this.#terminal.note(printable(`${message} ${hint}`.trim()));
    return exitCodeOfError(error);
  }
}
