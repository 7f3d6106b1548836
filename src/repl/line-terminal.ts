import { createInterface, type Interface } from 'node:readline';
import type { Draft } from './prompt/board.ts';
import type { Choice } from './prompt/state.ts';
import { chooseByLine, type Look } from './screen.ts';
import type { Terminal } from './terminal.ts';
import { TypedLine } from './tty/typed-line.ts';
import type { Ink } from './tty/wrap.ts';

const PROMPT = '> ';
/** Pasted text arrives without pauses: lines that follow each other faster than this were pasted. */
const PASTE_GAP_MS = 20;
/** Anything quicker needs no progress message. */
const ACTIVITY_MS = 2000;

/** The streams of a terminal that is read line by line. */
export interface LineTerminalDeps {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  readonly error: NodeJS.WriteStream;
  readonly look: Look;
  /** For screen readers: answers are laid out, block by block. */
  readonly plain: boolean;
  /** Only rows may reach stdout: no prompt is shown and no question asked. */
  readonly json: boolean;
}

/**
 * Reads whole lines: from a pipe, from dumb terminals and for screen readers. It writes no escape sequences and nothing
 * twice. Lines that arrive while something is running are queued.
 */
export class LineTerminal implements Terminal {
  readonly interactive: boolean;
  readonly isTerminal: boolean;
  readonly drafts: boolean;
  readonly ink: Ink;
  readonly #deps: LineTerminalDeps;
  /** Where lines come from: keys that people press, else lines as they are. */
  readonly #source: TypedLine | Interface;
  #promptText: string;
  readonly #queue: string[] = [];
  /** The reader in `next`, if there is one; at most one at a time. */
  #waiting: ((line: string | undefined) => void) | undefined;
  /** The question that is open; it gets the next line ahead of `next`. */
  #asked: ((answer: string | undefined) => void) | undefined;
  #pasted: string[] = [];
  #pasteTimer: NodeJS.Timeout | undefined;
  #activityTimer: NodeJS.Timeout | undefined;
  #open = true;
  #prompting = false;
  #hinted = false;

  constructor(deps: LineTerminalDeps) {
    this.#deps = deps;
    this.interactive = deps.input.isTTY === true && !deps.json;
    this.isTerminal = deps.output.isTTY === true;
    this.drafts = this.isTerminal && deps.plain;
    this.ink = deps.look.ink;
    this.#promptText = this.interactive ? PROMPT : '';
    this.#source = this.interactive && this.isTerminal ? this.#keys() : this.#lines();
  }

  get columns(): number {
    return this.#deps.output.columns ?? 80;
  }

  get hinted(): boolean {
    return this.#hinted;
  }

  /** Ctrl-C comes as a signal: there is nothing to handle here. */
  onInterrupt(): void {}

  /** Lines that arrive while something is running are queued; none can steer it. */
  onSteer(): void {}

  hint(text: string): void {
    this.#hinted = true;
    this.note(text);
  }

  takeBack(): void {}

  status(): void {}

  project(): void {}

  /** Show the prompt now; `next` does so by itself. */
  prompt(): void {
    if (!this.#open || this.#prompting) return;
    this.#prompting = true;
    this.#draw();
  }

  /** The next line, or undefined after the last one. */
  next(): Promise<string | undefined> {
    this.#hinted = false;
    const line = this.#queue.shift();
    if (line !== undefined) return Promise.resolve(line);
    if (!this.#open) return Promise.resolve(undefined);
    this.prompt();
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  /** The answer is the next line typed, not one from the queue: that was written before the question was known. */
  async ask(question: string, signal?: AbortSignal): Promise<string | undefined> {
    if (!this.interactive || !this.#open || signal?.aborted) return undefined;
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    const stop = () => resolve(undefined);
    signal?.addEventListener('abort', stop, { once: true });
    this.#asked = resolve;
    this.#promptText = question;
    this.#draw();
    try {
      return await promise;
    } finally {
      signal?.removeEventListener('abort', stop);
      this.#asked = undefined;
      this.#promptText = PROMPT;
    }
  }

  choose(choice: Choice, signal: AbortSignal): Promise<string | undefined> {
    return chooseByLine(this, choice, signal);
  }

  /** Only announces what waits: the terminal cannot tell whether somebody is typing. */
  async offer({ text, question }: Choice): Promise<string | undefined> {
    if (this.interactive) this.line(`${text}\n${question} /approve or /deny, with its id.`);
    return undefined;
  }

  line(text: string): void {
    this.#above(() => this.#deps.output.write(`${text}\n`));
  }

  print(rows: readonly string[]): void {
    if (rows.length > 0) this.line(rows.join('\n'));
  }

  note(text: string): void {
    this.#above(() => this.#deps.error.write(`${text}\n`));
  }

  /** Blocks are printed when they are finished. */
  draft(draft: Draft | undefined): void {
    if (draft) this.print(draft.render(this.columns).finished);
  }

  /** Printed once, when it takes long. */
  activity(what: string | undefined): void {
    clearTimeout(this.#activityTimer);
    if (what === undefined || !this.drafts) return;
    this.#activityTimer = setTimeout(() => this.note(`(${what}; Ctrl-C stops)`), ACTIVITY_MS);
    this.#activityTimer.unref();
  }

  /** Nothing is drawn twice. */
  progress(): void {}

  copy(): boolean {
    return false;
  }

  announce(text: string): void {
    if (this.#deps.json) this.note(text);
    else this.line(text);
  }

  close(): void {
    clearTimeout(this.#activityTimer);
    this.#source.close();
    if (this.#open) this.#closed();
  }

  #keys(): TypedLine {
    const { input, output } = this.#deps;
    return new TypedLine({ input, output, line: (line) => this.#typed(line), end: () => this.close() });
  }

  #lines(): Interface {
    const { input, output } = this.#deps;
    const reader = createInterface({ input, output, terminal: false });
    return reader.on('line', (line) => this.#typed(line)).once('close', () => this.#closed());
  }

  /** The prompt, and what is typed behind it. */
  #draw(): void {
    const typed = this.#source instanceof TypedLine ? this.#source.text : '';
    this.#deps.output.write(`${this.#promptText}${typed}`);
  }

  /** Print on a line of its own, and show the prompt again if it stood there. */
  #above(print: () => void): void {
    const prompting = this.#prompting && this.interactive && this.#open;
    if (prompting) this.#deps.output.write('\n');
    print();
    if (prompting) this.#draw();
  }

  /** Enter was pressed, or a line arrived on a pipe. Only what people type can have been pasted. */
  #typed(line: string): void {
    this.#prompting = false;
    this.#hinted = false;
    if (this.#asked) this.#asked(line);
    else if (this.interactive) this.#maybePasted(line);
    else this.#deliver(line);
  }

  /** Lines of one paste become one question. */
  #maybePasted(line: string): void {
    this.#pasted.push(line);
    clearTimeout(this.#pasteTimer);
    this.#pasteTimer = setTimeout(() => this.#flushPaste(), PASTE_GAP_MS);
  }

  #flushPaste(): void {
    clearTimeout(this.#pasteTimer);
    if (this.#pasted.length === 0) return;
    const text = this.#pasted.join('\n');
    this.#pasted = [];
    this.#deliver(text);
  }

  /** Hand the line to a waiting `next`, or queue it. */
  #deliver(line: string): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting) waiting(line);
    else this.#queue.push(line);
  }

  /** Ctrl-D, or the end of the pipe. What was pasted just before it still counts. */
  #closed(): void {
    this.#flushPaste();
    this.#open = false;
    this.#asked?.(undefined);
    this.#waiting?.(undefined);
  }
}
