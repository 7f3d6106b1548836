import { clearLine, createInterface, cursorTo, type Interface } from 'node:readline';
import { eraseRows, type Screen } from './screen.ts';

const PROMPT = '> ';
/** Terminals deliver pasted text without pauses: lines that follow each other faster than this were pasted. */
const PASTE_GAP_MS = 20;

/** The streams and callbacks of a terminal. */
export interface TerminalDeps {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  readonly error: NodeJS.WriteStream;
  /** Earlier lines, newest first. */
  readonly history: readonly string[];
  /** Completions of the whole line, for the tab key. */
  readonly complete: (line: string) => readonly string[];
  readonly saveHistory: (newestFirst: readonly string[]) => void;
  /** Only rows may reach stdout: no prompt is shown and no question asked. */
  readonly json: boolean;
}

/**
 * The line editor of the REPL. Lines typed or piped while something is running wait in a queue: none is lost between
 * two reads, and `next` gives undefined only after the last one.
 */
export class Terminal implements Screen {
  readonly interactive: boolean;
  readonly isTerminal: boolean;
  readonly #deps: TerminalDeps;
  readonly #reader: Interface;
  readonly #queue: string[] = [];
  /** The reader in `next`, if there is one; at most one at a time. */
  #waiting: ((line: string | undefined) => void) | undefined;
  /** The question that is open; it gets the next line ahead of `next`. */
  #asked: ((answer: string | undefined) => void) | undefined;
  #pasted: string[] = [];
  #pasteTimer: NodeJS.Timeout | undefined;
  #open = true;
  /** True while the prompt is shown and the cursor is behind it. */
  #prompting = false;

  constructor(deps: TerminalDeps) {
    this.#deps = deps;
    this.interactive = deps.input.isTTY === true && !deps.json;
    this.isTerminal = deps.output.isTTY === true;
    this.#reader = createInterface({
      input: deps.input,
      output: deps.output,
      terminal: this.interactive && this.isTerminal,
      historySize: 500,
      history: [...deps.history],
      removeHistoryDuplicates: true,
      completer: (line: string): [string[], string] => [[...deps.complete(line)], line],
    });
    this.#reader.on('line', (line) => this.#typed(line));
    this.#reader.on('history', (lines) => deps.saveHistory(lines));
    this.#reader.once('close', () => this.#closed());
    this.#reader.setPrompt(this.interactive ? PROMPT : '');
  }

  get columns(): number {
    return this.#deps.output.columns ?? 80;
  }

  get rows(): number {
    return this.#deps.output.rows ?? 24;
  }

  /** Handle Ctrl-C. The text on the line is dropped; `hadText` says whether there was any. */
  onInterrupt(handler: (hadText: boolean) => void): void {
    this.#reader.on('SIGINT', () => {
      const hadText = this.#reader.line.length > 0;
      if (hadText) this.#reader.write(null, { ctrl: true, name: 'u' });
      handler(hadText);
    });
  }

  /** Show the prompt now; `next` does so by itself. */
  prompt(): void {
    if (!this.#open || this.#prompting) return;
    this.#prompting = true;
    this.#reader.prompt();
  }

  /** The next line, or undefined after the last one. */
  next(): Promise<string | undefined> {
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
    this.#reader.setPrompt(question);
    this.#reader.prompt();
    try {
      return await promise;
    } finally {
      signal?.removeEventListener('abort', stop);
      this.#asked = undefined;
      this.#reader.setPrompt(PROMPT);
    }
  }

  write(text: string): void {
    this.#deps.output.write(text);
  }

  erase(rows: number): void {
    eraseRows(this.#deps.output, rows);
  }

  line(text: string): void {
    this.#above(() => this.#deps.output.write(`${text}\n`));
  }

  note(text: string): void {
    this.#above(() => this.#deps.error.write(`${text}\n`));
  }

  /** Show a message that no turn asked for, such as a reminder. With `--json` it must not mix with the rows. */
  announce(text: string): void {
    if (this.#deps.json) this.note(text);
    else this.line(text);
  }

  close(): void {
    this.#reader.close();
  }

  /** Print above the prompt, then draw it again with the line being typed. */
  #above(print: () => void): void {
    const prompting = this.#prompting && this.interactive && this.#open;
    if (prompting) {
      cursorTo(this.#deps.output, 0);
      clearLine(this.#deps.output, 0);
    }
    print();
    if (prompting) this.#reader.prompt(true);
  }

  /** Enter was pressed, or a line arrived on a pipe. Only what people type can have been pasted. */
  #typed(line: string): void {
    this.#prompting = false;
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

  /** To whoever waits in `next`, else into the queue. */
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
