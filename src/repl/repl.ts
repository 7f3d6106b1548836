import { messageOf } from '../base/errors.ts';
import type { App } from '../face/app.ts';
import { errorEvent, exitCodeOfError } from '../face/error-event.ts';
import { BUILT_IN } from '../models/detect.ts';
import type { Session } from './command.ts';
import { findCommand } from './command-list.ts';
import { COMMANDS } from './commands.gen.ts';
import { parseWords } from './flags.ts';
import { type Decided, Offers } from './offers.ts';
import { askOn, runCommand, type Stage } from './run-command.ts';
import { outputOn, printable } from './screen.ts';
import { readLine } from './slash.ts';
import { StatusLine } from './status-line.ts';
import type { Terminal } from './terminal.ts';

/** The loaded program and its session; lines typed earlier wait for it. */
export interface Opened {
  readonly app: App;
  readonly session: Session;
}

/** Two Ctrl-C within this time quit. */
const TWICE_MS = 2000;

/** Reads lines, answers them one by one, and ends with the input, with `/quit` or with two Ctrl-C. */
export class Repl {
  readonly #terminal: Terminal;
  readonly #opened: Promise<Opened>;
  #running: AbortController | undefined;
  /** Words for the running turn; those that come too late for it become the next request. */
  #steering: string[] = [];
  /** The pending read of a line, kept while something else is done first. */
  #line: Promise<string | undefined> | undefined;
  #left = false;
  #interruptedAt = Number.NEGATIVE_INFINITY;
  #status: StatusLine | undefined;
  readonly #offers: Offers;

  constructor(terminal: Terminal, opened: Promise<Opened>) {
    this.#terminal = terminal;
    this.#opened = opened;
    this.#offers = new Offers(terminal);
    terminal.onInterrupt((again) => this.interrupt(again));
    terminal.onSteer((text) => {
      this.#steering.push(text);
      terminal.line(`(to the running answer) ${text}`, 'dim');
    });
  }

  /**
   * @returns the exit code: on a terminal 0; for piped lines the worst of their codes.
   * @throws whatever made loading fail.
   */
  async run(): Promise<number> {
    let worst = 0;
    const terminal = this.#terminal;
    // Never resolves: it only makes a failure to load win the race against the next line.
    const failed = this.#opened.then(
      () => new Promise<never>(() => {}),
      (error: unknown) => Promise.reject(error),
    );
    // Before the first answer: later it would appear in the middle of it.
    const offered = this.#opened.then(
      ({ app }) => (terminal.interactive ? this.#offerSetup(app) : undefined),
      () => undefined,
    );
    this.#opened.then(
      ({ app, session }) => {
        if (terminal.drafts) this.#status = new StatusLine(app, session, (parts) => terminal.status(parts));
        if (terminal.interactive) this.#offers.begin(app);
        void this.#refresh(session);
      },
      () => undefined,
    );
    while (!this.#left) {
      const line = await this.#next(failed);
      if (line === undefined) break;
      await offered;
      worst = Math.max(worst, await this.#take(line, await this.#opened));
    }
    this.#offers.end();
    return this.#terminal.interactive ? 0 : worst;
  }

  /** What to do next: words that came too late for a turn, a typed line, or a decision about a waiting call. */
  async #next(failed: Promise<never>): Promise<string | Decided | undefined> {
    const steered = this.#steering.shift();
    if (steered !== undefined) {
      this.#terminal.line(`> ${steered}`);
      return steered;
    }
    this.#line ??= this.#terminal.next();
    const next = await Promise.race([this.#line, this.#offers.decided, failed]);
    if (typeof next === 'function') this.#offers.taken();
    else this.#line = undefined;
    return next;
  }

  /** Show a message that no turn asked for. Its cause, such as a job that ran, may have changed the status line. */
  announce(text: string): void {
    this.#terminal.announce(text);
    void this.#status?.refresh();
  }

  /**
   * Ctrl-C, or SIGINT from outside: stop what is running, and put queued lines back into the line. A second one quits
   * while the hint of the first is still shown: any key, and the start or end of a turn, removes it.
   */
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

  /** Cancel what is running and end the loop. */
  leave(): void {
    this.#left = true;
    this.#running?.abort(new Error('the program is ending'));
    this.#terminal.close();
  }

  /** Before the first conversation, when there is only the built-in model: a notice, not a question. */
  async #offerSetup({ turns, models, home }: App): Promise<void> {
    try {
      if ((await turns.archive.list({ limit: 1 })).length > 0) return;
      const [first] = await models.candidates();
      if (first?.source === BUILT_IN)
        this.announce('Only the built-in model is here so far: `wooster setup` connects another.');
    } catch (error) {
      home.log.warn('the set-up was not offered', { error: messageOf(error) });
    }
  }

  /** Shown at the prompt; nothing waits for it. */
  async #refresh({ project }: Session): Promise<void> {
    this.#terminal.project(project);
    await this.#status?.refresh();
  }

  async #take(asked: string | Decided, { app, session }: Opened): Promise<number> {
    app.schedule.active();
    this.#running = new AbortController();
    const stage: Stage = {
      ...{ place: 'slash', session, app, screen: this.#terminal, signal: this.#running.signal },
      steering: () => this.#steering.splice(0),
      see: (event) => this.#status?.see(event),
    };
    try {
      return await (typeof asked === 'string' ? answerLine(asked, stage) : asked(stage));
    } catch (error) {
      const event = errorEvent(error);
      if (event.code === 'internal') app.home.log.error('a command failed', { error: event.message });
      outputOn(this.#terminal, session.json).row(event);
      outputOn(this.#terminal, session.json).note(`${event.message} ${event.hint}`);
      return exitCodeOfError(error);
    } finally {
      this.#terminal.activity(undefined);
      if (stage.signal.aborted) this.#terminal.note('(cancelled)');
      if (session.ended) this.#left = true;
      this.#running = undefined;
      void this.#refresh(session);
      if (this.#terminal.interactive) void this.#offers.look(app);
    }
  }
}

async function answerLine(raw: string, stage: Stage): Promise<number> {
  const line = readLine(raw);
  if (line.kind === 'empty') return 0;
  if (line.kind === 'turn') return askWithFiles(stage, line.text);
  // `/SERVER:PROMPT`: a prompt of an MCP server.
  const [server = '', prompt] = line.name.split(':');
  const isPrompt = prompt !== undefined;
  const { command, before } = findCommand(COMMANDS, isPrompt ? 'mcp' : line.name, 'slash');
  const front = isPrompt ? ['prompt', server, prompt] : before;
  return runCommand(command, parseWords([...front, ...line.words], command.flags ?? {}), stage);
}

/** Attach the files that the line names. The code that reads them is loaded only for such lines. */
async function askWithFiles(stage: Stage, text: string): Promise<number> {
  if (!/(?:^|[\s("'])(?:@\S|~?\/.*\.[a-z]{3,4})/iu.test(text)) return askOn(stage, text);
  const { mentionedFiles } = await import('./mentioned-files.ts');
  stage.screen.activity('reading');
  const { text: asked, material, notes } = await mentionedFiles(text, stage.session.project, stage);
  for (const note of notes) stage.screen.note(printable(note));
  return askOn(stage, asked, { material });
}
