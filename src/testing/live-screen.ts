import xterm from '@xterm/headless';
import { onTestFinished, vi } from 'vitest';
import type { HistoryEntry } from '../repl/edit/history.ts';
import { LiveTerminal } from '../repl/live-terminal.ts';
import type { Completions } from '../repl/prompt/state.ts';
import type { Ink } from '../repl/tty/wrap.ts';

/** The window and what the person has; a terminal of 80x24 that can do everything unless given. */
export interface LiveScreenOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly ink?: Partial<Ink>;
  readonly history?: readonly HistoryEntry[];
  readonly complete?: (text: string, cursor: number) => Promise<Completions | undefined>;
  readonly idleMs?: number;
  readonly editOutside?: (text: string) => Promise<string | undefined>;
}

/** The REPL's terminal on a real terminal emulator in this process. */
export interface LiveScreen {
  readonly terminal: LiveTerminal;
  /** Send bytes as a keyboard would, in one read. */
  type(text: string): void;
  /** The visible rows without trailing blanks; empty rows at the end are left out. */
  shown(): Promise<string[]>;
  /** Everything, scrolled away rows included. */
  transcript(): Promise<string[]>;
  /** Column and row of the cursor in the window, from 0. */
  cursor(): Promise<{ x: number; y: number }>;
  /** Wait until the window shows `text`. */
  see(text: string): Promise<void>;
  resize(columns: number, rows: number): Promise<void>;
  /** All bytes that were written. */
  readonly bytes: string;
  /** Forget the bytes so far. */
  clearBytes(): void;
  readonly remembered: HistoryEntry[];
  /** Is the terminal in raw mode? */
  readonly isRaw: boolean;
}

const PLAIN: Ink = { styles: true, unicode: true };

/** Open the terminal; it is closed with the test. */
export function openLiveScreen(options: LiveScreenOptions = {}): LiveScreen {
  const { columns = 80, rows = 24 } = options;
  const emulator = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 20_000 });
  let bytes = '';
  let size = { columns, rows };
  const listeners: { data: (chunk: string) => void; resize: () => void } = { data: () => {}, resize: () => {} };
  emulator.onData((answer) => listeners.data(answer));
  const remembered: HistoryEntry[] = [];
  const raw = { on: false };
  const terminal = new LiveTerminal({
    input: {
      setEncoding: () => {},
      on: (event: string, listener: (chunk: string) => void) => {
        if (event === 'data') listeners.data = listener;
      },
    },
    output: {
      write: (text: string) => {
        bytes += text;
        emulator.write(text);
      },
      get columns() {
        return size.columns;
      },
      get rows() {
        return size.rows;
      },
      on: (_event, listener) => {
        listeners.resize = listener;
      },
    },
    note: undefined,
    raw: {
      enter: () => {
        raw.on = true;
      },
      leave: () => {
        raw.on = false;
      },
      suspend: (resumed) => resumed(),
    },
    ink: { ...PLAIN, ...options.ink },
    history: options.history ?? [],
    idleMs: options.idleMs,
    remember: (entry) => void remembered.push(entry),
    complete: options.complete ?? (async () => undefined),
    editOutside: options.editOutside ?? (async () => undefined),
  });
  onTestFinished(() => terminal.close());
  // The first read counts as typed before the terminal was ours.
  listeners.data('');
  const drawn = () => new Promise<void>((resolve) => emulator.write('', resolve));
  const read = (from: number, to: number) => {
    const { active } = emulator.buffer;
    const lines = Array.from(
      { length: to - from },
      (_, row) => active.getLine(from + row)?.translateToString(true) ?? '',
    );
    while (lines.length > 0 && lines.at(-1) === '') lines.pop();
    return lines.map((line) => line.trimEnd());
  };
  const shown = async () => {
    await drawn();
    const { baseY } = emulator.buffer.active;
    return read(baseY, baseY + size.rows);
  };
  return {
    ...{ terminal, shown, remembered },
    type: (text) => listeners.data(text),
    async transcript() {
      await drawn();
      return read(0, emulator.buffer.active.length).reduce<string[]>((joined, line, row) => {
        // The emulator has wrapped a row itself, in a window that has become narrower.
        if (emulator.buffer.active.getLine(row)?.isWrapped && joined.length > 0)
          joined.push((joined.pop() ?? '') + line);
        else joined.push(line);
        return joined;
      }, []);
    },
    async cursor() {
      await drawn();
      const { cursorX, cursorY } = emulator.buffer.active;
      return { x: cursorX, y: cursorY };
    },
    see: (text) =>
      vi.waitFor(
        async () => {
          const lines = await shown();
          if (!lines.join('\n').includes(text)) throw new Error(`not shown: ${text}\n${lines.join('\n')}`);
        },
        { timeout: 30_000, interval: 5 },
      ),
    async resize(newColumns, newRows) {
      await drawn();
      size = { columns: newColumns, rows: newRows };
      emulator.resize(newColumns, newRows);
      listeners.resize();
      await drawn();
      await drawn();
    },
    get bytes() {
      return bytes;
    },
    clearBytes() {
      bytes = '';
    },
    get isRaw() {
      return raw.on;
    },
  };
}
