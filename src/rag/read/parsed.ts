/** A part of a picture: left, top, right and bottom as shares of its width and height, from 0 to 1, as it is shown. */
export type Box = readonly [left: number, top: number, right: number, bottom: number];

/** What is known of a text that was read from a picture. */
export interface Seen {
  /** Where its lines are, from top to bottom. */
  readonly boxes: readonly Box[];
  /** From 0 to 100: of its figures the least sure one, or else of all its words the mean. */
  readonly confidence: number;
}

/** Where a block is. Lines and pages count from 1. `place` is for formats with neither: `slide 3`, `Budget!4-9`. */
export interface Position {
  /** Only of a text that was read from a picture. */
  readonly seen?: Seen | undefined;
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

/** What a camera noted of a picture. It is private: kept with the document, and in no passage that a model may get. */
export interface Taken {
  /** `2026-11-03T14:22:05`, by the camera's clock, with `+01:00` behind it where the camera noted that, too. */
  readonly at?: string | undefined;
  /** Degrees north and east. */
  readonly place?: readonly [latitude: number, longitude: number] | undefined;
}

/** A file as its reader understood it. */
export interface Parsed {
  readonly title?: string | undefined;
  readonly blocks: readonly Block[];
  /** What the person should know although the file was read, such as pages without text. */
  readonly note?: string | undefined;
  /** Pages that are pictures, from 1, which `look` reads: their text is not among the blocks. */
  readonly pictures?: readonly number[] | undefined;
  /** Only when it was asked for. */
  readonly taken?: Taken | undefined;
}

/** A page that was read from its picture, or why it could not be. */
export type SeenPage = { readonly page: number } & ({ readonly blocks: readonly Block[] } | { readonly why: string });

/** `unsupported`: not a text format, such as a picture. `unreadable`: damaged, encrypted or too costly. */
export type UnreadableReason = 'unsupported' | 'unreadable';

/** A file that cannot be read. The message says why, in words for people. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
  readonly reason: UnreadableReason;

  constructor(message: string, reason: UnreadableReason = 'unreadable', options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
