import { stripVTControlCharacters } from 'node:util';
import { cellsOf } from './width.ts';

/** The terminal as the region uses it. */
export interface Tty {
  write(bytes: string): void;
  readonly columns: number;
  readonly rows: number;
  /** Its input is read, so it can be asked where its cursor is. */
  readonly answers: boolean;
}

/** The part of an output stream, perhaps a terminal, that we use. */
export interface TtyStream {
  write(bytes: string): unknown;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
  on(event: 'resize', listener: () => void): unknown;
}

/** @param answers  the terminal's input is read, so it can be asked. */
export function ttyOn(stream: TtyStream, answers: boolean): Tty {
  return {
    answers,
    write: (bytes) => void stream.write(bytes),
    get columns() {
      return stream.columns || 80;
    },
    get rows() {
      return stream.rows || 24;
    },
  };
}

/** What is drawn at the bottom of the terminal. */
export interface Frame {
  /** At most `rows - 1` of the terminal, each at most `columns - 1` cells wide. */
  readonly rows: readonly string[];
  /** Where the cursor belongs: a row of `rows`, and cells from its start. */
  readonly cursor: { readonly row: number; readonly cell: number };
}

const NOTHING: Frame = { rows: [], cursor: { row: 0, cell: 0 } };
/** Every terminal draws frames smaller than this in one go. */
const SYNCHRONIZED_BYTES = 120;
/** How long to wait for a terminal to say where its cursor is. */
const REPORT_MS = 100;
const PRINTABLE_ASCII = /^[\u0020-\u007e]*$/u;
/** Drawn into the cell of the character before. */
const JOINING = /\u200d|\p{M}/u;

/**
 * The few rows at the bottom that may change. Finished rows are printed above them once and never touched again, so
 * that scrollback, selection and search work as usual. The screen is never cleared, and rows are only addressed
 * relative to the cursor.
 */
export class LiveRegion {
  readonly #tty: Tty;
  #shown: Frame = NOTHING;
  /** Where the cursor really is, in rows and cells of the region. */
  #at = { row: 0, cell: 0 };
  #columns: number;
  /** Drawing pauses while the terminal is asked where its cursor went. */
  #resizing: NodeJS.Timeout | undefined;
  #held: { frame: Frame; finished: string[] } | undefined;

  constructor(tty: Tty) {
    this.#tty = tty;
    this.#columns = tty.columns;
  }

  /** Draw `frame`; rows of `finished` go above it for good. One write. */
  paint(frame: Frame, finished: readonly string[] = []): void {
    if (this.#resizing) {
      this.#held = { frame, finished: [...(this.#held?.finished ?? []), ...finished] };
      return;
    }
    let bytes = '';
    if (finished.length > 0) {
      bytes += this.#clear() + finished.map((row) => `${row}\r\n`).join('');
      this.#shown = NOTHING;
      this.#at = { row: 0, cell: 0 };
    }
    bytes += this.#difference(frame);
    bytes += this.#moveTo(frame.cursor.row, frame.cursor.cell);
    this.#shown = frame;
    if (bytes === '') return;
    const whole = bytes.length > SYNCHRONIZED_BYTES;
    this.#tty.write(whole ? `\u001b[?2026h${bytes}\u001b[?2026l` : bytes);
  }

  /** The window was resized: find out where the region went. The next frame is drawn when that is known. */
  resize(): void {
    if (this.#shown.rows.length === 0) {
      this.#columns = this.#tty.columns;
      return;
    }
    clearTimeout(this.#resizing);
    this.#resizing = setTimeout(() => this.#settle(undefined), REPORT_MS);
    if (this.#tty.answers) this.#tty.write('\u001b[6n');
  }

  /** The terminal's answer to `resize`. @param column counts from 1. */
  cursorAt(column: number): void {
    if (this.#resizing) this.#settle(column);
  }

  /** Erase the region; later output starts where it was. */
  leave(): void {
    const waiting = this.#held?.finished ?? [];
    clearTimeout(this.#resizing);
    this.#resizing = undefined;
    this.#held = undefined;
    this.paint(NOTHING, waiting);
  }

  /**
   * Terminals differ in what they reflow: some every row, some all but the cursor's. The column tells which. When in
   * doubt, assume no reflow: a stale copy is better than a lost row.
   */
  #settle(column: number | undefined): void {
    clearTimeout(this.#resizing);
    this.#resizing = undefined;
    this.#columns = this.#tty.columns;
    const { row, cell } = this.#at;
    const wrapped = column !== undefined && column === (cell % this.#columns) + 1;
    const above = this.#shown.rows.slice(0, row).map((text) => (wrapped ? this.#wrappedRows(text) : 1));
    const up = above.reduce((sum, rows) => sum + rows, 0) + (wrapped ? Math.floor(cell / this.#columns) : 0);
    this.#tty.write(`\r${up > 0 ? `\u001b[${up}A` : ''}\u001b[J`);
    this.#shown = NOTHING;
    this.#at = { row: 0, cell: 0 };
    const held = this.#held;
    this.#held = undefined;
    this.onSettled(held?.finished ?? []);
  }

  /** Called after a resize: whoever owns the region paints it again. */
  onSettled: (finished: readonly string[]) => void = () => {};

  #wrappedRows(text: string): number {
    return Math.max(1, Math.ceil(widthOf(text) / this.#columns));
  }

  #clear(): string {
    if (this.#shown.rows.length === 0) return '';
    return `${this.#moveTo(0, 0)}\u001b[J`;
  }

  /** Redraw only rows that differ, and of those only what follows their common prefix. */
  #difference(frame: Frame): string {
    let bytes = '';
    const old = this.#shown.rows;
    frame.rows.forEach((text, row) => {
      const before = old[row];
      if (before === text) return;
      if (row >= old.length && row > 0) {
        bytes += `${this.#moveTo(row - 1, this.#at.row === row - 1 ? this.#at.cell : 0)}\r\n`;
        this.#at = { row, cell: 0 };
      }
      bytes += this.#tail(row, before ?? '', text);
    });
    if (old.length > frame.rows.length && old.length > 0) {
      const first = frame.rows.length;
      bytes += `${this.#moveTo(first, 0)}\u001b[J`;
    }
    return bytes;
  }

  #tail(row: number, before: string, text: string): string {
    const same = commonAscii(before, text);
    const bytes = this.#moveTo(row, same) + text.slice(same);
    const cells = widthOf(text);
    this.#at = { row, cell: cells };
    return widthOf(before) > cells ? `${bytes}\u001b[K` : bytes;
  }

  /** The shortest cursor movement; empty when it is there already. */
  #moveTo(row: number, cell: number): string {
    const { row: fromRow, cell: fromCell } = this.#at;
    this.#at = { row, cell };
    const down = row - fromRow;
    const vertical = down === 0 ? '' : `\u001b[${Math.abs(down)}${down > 0 ? 'B' : 'A'}`;
    if (cell === fromCell) return vertical;
    if (cell === 0) return `${vertical}\r`;
    if (cell === fromCell - 1) return `${vertical}\b`;
    return `${vertical}\u001b[${cell + 1}G`;
  }
}

/** Cells of a row with its styles and links. */
export function widthOf(row: string): number {
  return cellsOf(row.includes('\u001b') ? stripVTControlCharacters(row) : row);
}

/** The length of two rows' common prefix of unstyled characters of one cell each. */
function commonAscii(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at] && PRINTABLE_ASCII.test(a[at] ?? '')) at++;
  // A combining mark of the last common letter must be written together with it.
  return at > 0 && (isMark(a[at]) || isMark(b[at])) ? at - 1 : at;
}

function isMark(char: string | undefined): boolean {
  return char !== undefined && JOINING.test(char);
}
