/** Where a block is. Lines and pages count from 1. `place` is for formats with neither: `slide 3`, `Budget!4-9`. */
export interface Position {
  readonly lines?: readonly [number, number] | undefined;
  readonly page?: number | undefined;
  readonly place?: string | undefined;
}

/** A piece of a document that should not be split without need. */
export type Block = Position &
  (
    | { readonly kind: 'heading'; readonly level: number; readonly text: string }
    | { readonly kind: 'text' | 'code'; readonly text: string }
    /** Rows of a table; the header is repeated in each chunk. */
    | { readonly kind: 'table'; readonly header: string; readonly rows: readonly TableRow[] }
  );

export interface TableRow {
  readonly text: string;
  readonly line?: number | undefined;
  readonly number: number;
}

/** A file as its reader understood it. */
export interface Parsed {
  readonly title?: string | undefined;
  readonly blocks: readonly Block[];
  /** What the person should know although the file was read, such as pages that need OCR. */
  readonly note?: string | undefined;
}

/** `unsupported`: not a text format, such as a picture. `unreadable`: damaged, encrypted or too costly. */
export type UnreadableReason = 'unsupported' | 'unreadable';

/** A file that cannot be read. The message says why, in words for people. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
  readonly reason: UnreadableReason;

  constructor(message: string, reason: UnreadableReason = 'unreadable') {
    super(message);
    this.reason = reason;
  }
}
