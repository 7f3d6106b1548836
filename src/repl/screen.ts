import { clearScreenDown, cursorTo, moveCursor } from 'node:readline';
import { createInterface } from 'node:readline/promises';
import type { Output } from './command.ts';

/** The terminal as views and commands see it. Text is shown as it is: pass strangers' text through `printable`. */
export interface Screen {
  readonly isTerminal: boolean;
  readonly columns: number;
  readonly rows: number;
  /** Raw, to stdout. */
  write(text: string): void;
  /** Take back the last `rows` rows, the one with the cursor included. Terminals only. */
  erase(rows: number): void;
  /** A whole line, to stdout. */
  line(text: string): void;
  /** A whole line, to stderr. */
  note(text: string): void;
  /** Ask a question; undefined when nobody is there to answer it, or `signal` fires first. */
  ask(question: string, signal?: AbortSignal): Promise<string | undefined>;
}

/** The screen of a one-shot command: no line editor is open unless a question is asked. */
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

function anySignal(first: AbortSignal, second: AbortSignal | undefined): AbortSignal {
  return second ? AbortSignal.any([first, second]) : first;
}

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
 * Text that cannot drive the terminal: escape sequences and other control characters are taken out, tabs and line ends
 * stay. Documents, web pages and models may carry such sequences.
 */
export function printable(text: string): string {
  return text
    .replace(/\u001b(?:\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[[?][0-?]*[ -/]*[@-~]|.)/gsu, '')
    .replace(/\r\n/gu, '\n')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/gu, '');
}
