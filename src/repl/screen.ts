import type { Output } from './command.ts';
import { Board, type Draft } from './prompt/board.ts';
import { CHOICE_MS, type Choice } from './prompt/state.ts';
import { ttyOn, widthOf } from './tty/live.ts';
import type { Ink } from './tty/wrap.ts';

/** The terminal as views and commands see it. Text is shown as is: pass untrusted content through `printable`. */
export interface Screen {
  /** A person is watching. */
  readonly isTerminal: boolean;
  /** Answers are laid out while they stream; otherwise they are written raw when they are complete. */
  readonly drafts: boolean;
  readonly columns: number;
  readonly ink: Ink;
  /** One or more lines, to stdout. */
  line(text: string, look?: 'dim'): void;
  /** Rows that are laid out and styled already, to stdout. */
  print(rows: readonly string[]): void;
  /** A whole line, to stderr. */
  note(text: string): void;
  /** Show a streaming text below everything else; call again whenever it has grown. */
  draft(draft: Draft | undefined): void;
  /** The current activity, shown if it takes long; undefined when it is over. */
  activity(what: string | undefined): void;
  /** A line that replaces the one before it; undefined removes it. */
  progress(text: string | undefined): void;
  /** Put a text on the clipboard, which some terminals allow. @returns false where there is no such terminal. */
  copy(text: string): boolean;
  /** Ask a question; undefined when there is nobody to ask, or `signal` fires first. */
  ask(question: string, signal?: AbortSignal): Promise<string | undefined>;
  /** Let the person choose. @returns the key of an option; undefined as for `ask`. */
  choose(choice: Choice, signal: AbortSignal): Promise<string | undefined>;
}

/** The screen of a one-shot command: it opens a line editor only to ask a question. */
export class PlainScreen implements Screen {
  readonly isTerminal = process.stdout.isTTY === true;
  readonly drafts: boolean;
  readonly ink: Ink;
  readonly #board: Board | undefined;
  #progressShown = false;

  /** @param look  how the terminal draws; `live` when rows may be drawn again. */
  constructor({ ink, live }: Look = lookOf(process.stdout, process.env)) {
    this.ink = ink;
    this.drafts = live;
    if (live) this.#board = boardOn(process.stdout, ink);
  }

  get columns(): number {
    return process.stdout.columns ?? 80;
  }

  line(text: string, look?: 'dim'): void {
    if (this.#board) this.#board.line(text, look === 'dim' ? '2' : undefined);
    else process.stdout.write(`${text}\n`);
  }

  print(rows: readonly string[]): void {
    if (this.#board) this.#board.paint(rows);
    else for (const row of rows) process.stdout.write(`${row}\n`);
  }

  note(text: string): void {
    if (this.#board && process.stderr.isTTY) this.#board.line(text);
    else process.stderr.write(`${text}\n`);
  }

  draft(draft: Draft | undefined): void {
    this.#board?.draft(draft);
  }

  activity(what: string | undefined): void {
    this.#board?.activity(what);
  }

  progress(text: string | undefined): void {
    if (!process.stderr.isTTY || process.env.TERM === 'dumb') return;
    if (text !== undefined) process.stderr.write(`\r\u001b[K${text.slice(0, this.columns - 1)}`);
    else if (this.#progressShown) process.stderr.write('\r\u001b[K');
    this.#progressShown = text !== undefined;
  }

  copy(): boolean {
    return false;
  }

  ask(question: string, signal?: AbortSignal): Promise<string | undefined> {
    return this.#ask(question, signal);
  }

  /** @param forgetMs  text typed within this time came before the question could be read, and is dropped. */
  async #ask(question: string, signal?: AbortSignal, forgetMs?: number): Promise<string | undefined> {
    if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined;
    this.#board?.leave(false);
    const { createInterface } = await import('node:readline/promises');
    // readline's editor redraws; where nothing may be redrawn, the terminal's own line editing is used.
    const terminal = this.drafts;
    const reader = createInterface({ input: process.stdin, output: process.stderr, terminal });
    // readline swallows Ctrl-C while it is open: pass it on as the signal that cancels the command.
    const cancelled = new AbortController();
    const cancel = () => cancelled.abort();
    reader.once('SIGINT', () => process.kill(process.pid, 'SIGINT')).once('close', cancel);
    process.once('SIGINT', cancel);
    const forget = () => (terminal ? reader.write(null, { ctrl: true, name: 'u' }) : undefined);
    const timer = forgetMs === undefined ? undefined : setTimeout(forget, forgetMs);
    try {
      return await reader.question(question, { signal: anySignal(cancelled.signal, signal) });
    } catch {
      return undefined;
    } finally {
      clearTimeout(timer);
      process.off('SIGINT', cancel);
      reader.close();
    }
  }

  choose(choice: Choice, signal: AbortSignal): Promise<string | undefined> {
    const ask = (question: string) => this.#ask(question, signal, CHOICE_MS);
    return chooseByLine({ note: (text) => this.note(text), ask }, choice, signal);
  }

  /** Remove everything temporary. */
  close(): void {
    this.#board?.leave();
  }
}

/**
 * Ask for a choice with one line: its letter or its first word. Anything else is the safe answer, except that a line
 * typed before the question could be read makes it ask again.
 */
export async function chooseByLine(
  screen: Pick<Screen, 'note' | 'ask'>,
  { text, question, options, safe }: Choice,
  signal: AbortSignal,
): Promise<string | undefined> {
  screen.note(text);
  const shown = options.map(({ key, label }) => `[${key === safe ? key.toUpperCase() : key}] ${label}`).join(', ');
  const readable = startReading();
  for (;;) {
    const reply = (await screen.ask(`${question} ${shown}: `, signal))?.trim().toLowerCase();
    if (reply === undefined) return undefined;
    if (readable()) return options.find(({ key, label }) => reply === key || reply === firstWord(label))?.key ?? safe;
    screen.note('(That was typed before the question could be read. Please answer it now.)');
  }
}

/** @returns whether a question that is shown now has been on the screen for long enough. */
function startReading(): () => boolean {
  let enough = false;
  // In between, everything that waits in the terminal's buffer is read, however busy the program was.
  setTimeout(() => setImmediate(() => (enough = true)), CHOICE_MS);
  return () => enough;
}

function firstWord(label: string): string {
  return /^\p{L}*/u.exec(label.toLowerCase())?.[0] ?? '';
}

/** How a terminal may be drawn on. */
export interface Look {
  readonly ink: Ink;
  /** Rows may be drawn again; never for pipes, screen readers and dumb terminals. */
  readonly live: boolean;
}

/** What a stream can show, from the environment: NO_COLOR, TERM, the locale, WOOSTER_PLAIN and ACCESSIBLE. */
export function lookOf(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv, plain = isPlain(env)): Look {
  const live = stream.isTTY === true && env.TERM !== 'dumb' && !plain;
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || 'UTF-8';
  const styles = live && !env.NO_COLOR;
  const unicode = live && /utf-?8/iu.test(locale);
  return { live, ink: { styles, unicode } };
}

/** For screen readers: nothing is drawn twice. */
export function isPlain(env: NodeJS.ProcessEnv): boolean {
  return [env.WOOSTER_PLAIN, env.ACCESSIBLE].some((value) => value !== undefined && value !== '' && value !== '0');
}

/** The bottom of a terminal at which nobody types: the streaming text and the current activity. */
function boardOn(stream: NodeJS.WriteStream, ink: Ink): Board {
  const tty = ttyOn(stream, false);
  const board: Board = new Board(tty, ink, ({ draft, activity }) => {
    const rows = [...draft, ...(activity === undefined ? [] : [activity])].slice(1 - tty.rows);
    return { rows, cursor: { row: Math.max(0, rows.length - 1), cell: widthOf(rows.at(-1) ?? '') } };
  });
  stream.on('resize', () => board.resized());
  return board;
}

/** A signal that fires with either. */
function anySignal(first: AbortSignal, second: AbortSignal | undefined): AbortSignal {
  return second ? AbortSignal.any([first, second]) : first;
}

/** A command's output on a screen; with `json` only rows reach stdout. */
export function outputOn(screen: Screen, json: boolean): Output {
  return {
    draws: screen.drafts && screen.ink.unicode,
    columns: screen.columns,
    line(text) {
      screen.progress(undefined);
      if (!json) screen.line(printable(text));
    },
    row(value) {
      screen.progress(undefined);
      if (json) screen.print([JSON.stringify(value)]);
    },
    show(value, text) {
      if (json) this.row(value);
      else this.line(text);
    },
    note(text) {
      screen.progress(undefined);
      screen.note(printable(text));
    },
    progress: (text) => screen.progress(printable(text)),
    copy: (text) => screen.copy(text),
    ask: (question) => screen.ask(printable(question)),
  };
}

/**
 * Remove what could control the terminal: escape sequences, other control characters and bidi overrides; tabs and line
 * ends stay. Documents, web pages and model output may contain them.
 */
export function printable(text: string): string {
  return (
    text
      // OSC sequences (window title, links), CSI sequences (colours, cursor), then any other two-character escape.
      .replace(/\u001b(?:\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[[?][0-?]*[ -/]*[@-~]|.)/gsu, '')
      .replace(/\r\n/gu, '\n')
      .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/gu, '')
  );
}
