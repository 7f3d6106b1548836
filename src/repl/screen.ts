import { clearScreenDown, cursorTo, moveCursor } from 'node:readline';
import { createInterface } from 'node:readline/promises';
import type { Output } from './command.ts';

/** The terminal as views and commands see it. Text is written as is: pass untrusted content through `printable`. */
export interface Screen {
  readonly isTerminal: boolean;
  readonly columns: number;
  readonly rows: number;
  /** Raw, to stdout. */
  write(text: string): void;
  /** Erase the last `rows` rows, including the one with the cursor. Terminals only. */
  erase(rows: number): void;
  /** A whole line, to stdout. */
  line(text: string): void;
  /** A whole line, to stderr. */
  note(text: string): void;
  /** Ask a question; undefined when there is nobody to ask, or `signal` fires first. */
  ask(question: string, signal?: AbortSignal): Promise<string | undefined>;
}

/** The screen of a one-shot command: it opens a line editor only to ask a question. */
export class PlainScreen implements Screen {
  readonly isTerminal = process.stdout.isTTY === true;

  get columns(): number {
    return process.stdout.columns ?? 80;
  }

  get rows(): number {
    return process.stdout.rows ?? 24;
  }

  write(text: string): void {
    process.stdout.write(text);
  }

  erase(rows: number): void {
    eraseRows(process.stdout, rows);
  }

  line(text: string): void {
    process.stdout.write(`${text}\n`);
  }

  note(text: string): void {
    process.stderr.write(`${text}\n`);
  }

  async ask(question: string, signal?: AbortSignal): Promise<string | undefined> {
    if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined;
    const reader = createInterface({ input: process.stdin, output: process.stderr });
    // readline swallows Ctrl-C while it is open: pass it on as the signal that cancels the command.
    const cancelled = new AbortController();
    reader.once('SIGINT', () => process.kill(process.pid, 'SIGINT')).once('close', () => cancelled.abort());
    try {
      return await reader.question(question, { signal: anySignal(cancelled.signal, signal) });
    } catch {
      return undefined;
    } finally {
      reader.close();
    }
  }
}

/** A signal that fires with either. */
function anySignal(first: AbortSignal, second: AbortSignal | undefined): AbortSignal {
  return second ? AbortSignal.any([first, second]) : first;
}

/** Erase the last `rows` rows, the cursor's row included, and leave the cursor at the start of the first one. */
export function eraseRows(output: NodeJS.WriteStream, rows: number): void {
  cursorTo(output, 0);
  if (rows > 1) moveCursor(output, 0, 1 - rows);
  clearScreenDown(output);
}

/** A command's output on a screen; with `json` only rows reach stdout. */
export function outputOn(screen: Screen, json: boolean): Output {
  let progressShown = false;
  const clearProgress = () => {
    if (progressShown) process.stderr.write('\r\u001b[K');
    progressShown = false;
  };
  return {
    line(text) {
      clearProgress();
      if (!json) screen.line(printable(text));
    },
    row(value) {
      clearProgress();
      if (json) screen.line(JSON.stringify(value));
    },
    note(text) {
      clearProgress();
      screen.note(printable(text));
    },
    progress(text) {
      if (!process.stderr.isTTY) return;
      process.stderr.write(`\r\u001b[K${printable(text).slice(0, screen.columns - 1)}`);
      progressShown = true;
    },
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
