import { stripVTControlCharacters } from 'node:util';
import { cellsOf } from './width.ts';

/** The terminal as the region uses it. */
export interface Tty {
  write(bytes: string): void;
  readonly columns: number;
  readonly rows: number;
  /** Somebody reads the terminal's answers: it can be asked where its cursor is. */
  readonly answers: boolean;
}

/** A stream that may be a terminal, as we draw on it. */
export interface TtyStream {
  write(bytes: string): unknown;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
  on(event: 'resize', listener: () => void): unknown;
}

/** @param answers  somebody reads the terminal's answers. */
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

/** What stands at the bottom of the terminal now. */
export interface Frame {
  /** At most `rows - 1` of the terminal, each at most `columns - 1` cells wide. */
  readonly rows: readonly string[];
  /** Where the cursor belongs: a row of `rows`, and cells from its start. */
  readonly cursor: { readonly row: number; readonly cell: number };
}

const NOTHING: Frame = { rows: [], cursor: { row: 0, cell: 0 } };
/** Smaller frames are drawn by every terminal in one go. */
const SYNCHRONIZED_BYTES = 120;
/** How long to wait for a terminal to say where its cursor is. */
const REPORT_MS = 100;
const PRINTABLE_ASCII = /^[\u0020-\u007e]*$/u;
/** Drawn into the cell of the character before. */
const JOINING = /\u200d|\p{M}/u;

/**
 * The few rows at the bottom that may change. What is finished is printed above them once and never touched again, so
 * scrolling back, selecting and searching work as everywhere. Screens are never cleared, and rows are only addressed
 * relative to the cursor.
 */
export class LiveRegion {
  readonly #tty: Tty;
  #shown: Frame = NOTHING;
  /** Where the cursor really is, in rows and cells of the region. */
  #at = { row: 0, cell: 0 };
  #columns: number;
  /** Drawing waits while the terminal is asked where its cursor went. */
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

  /** The window has another size: find out where the region went. The next frame is drawn when that is known. */
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

  /** Take everything away; what comes next stands where the region stood. */
  leave(): void {
    const waiting = this.#held?.finished ?? [];
    clearTimeout(this.#resizing);
    this.#resizing = undefined;
    this.#held = undefined;
    this.paint(NOTHING, waiting);
  }

  /**
   * Terminals differ in what they wrap: some every row, some not the cursor's. The column tells which it was. When it
   * is not clear, rows are counted plainly: a stale copy is better than a lost row.
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

  /** Only the rows that differ, and of those only what follows their common beginning. */
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

  /** The shortest way; nothing when the cursor is there. */
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

/** How many characters two rows share at the start, one cell each and without styles. */
function commonAscii(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at] && PRINTABLE_ASCII.test(a[at] ?? '')) at++;
  // A mark that belongs to the last common letter must be written together with it.
  return at > 0 && (isMark(a[at]) || isMark(b[at])) ? at - 1 : at;
}

function isMark(char: string | undefined): boolean {
  return char !== undefined && JOINING.test(char);
}
