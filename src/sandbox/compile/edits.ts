/** Replace the source from `start` to `end`; both are offsets in UTF-16 units, `end` exclusive. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Among edits at the same place, the lowest comes first. */
  readonly order: number;
}

/** Greater than the length of any script. */
const CLOSERS_FIRST = 1e9;

/** A place in a text as people and stack traces name it. */
export interface Position {
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
}

/**
 * Changes to one source, kept apart from it so that every position in the result can be traced back to what the author
 * wrote. Replacements must not overlap; texts inserted at the same place keep the order of insertion.
 */
export class Edits {
  readonly #source: string;
  readonly #edits: Edit[] = [];
  readonly #closers: Edit[] = [];

  constructor(source: string) {
    this.#source = source;
  }

  insert(at: number, text: string): void {
    this.replace(at, at, text);
  }

  /**
   * Put a text on either side of a range. Pairs nest by their ranges, in whatever order they are added; of two around
   * the same range, the first is the outer one.
   */
  wrap(start: number, end: number, texts: readonly [before: string, after: string]): void {
    this.#edits.push({ start, end: start, text: texts[0], order: -(end - start) });
    this.#closers.push({ start: end, end, text: texts[1], order: end - start - CLOSERS_FIRST });
  }

  replace(start: number, end: number, text: string): void {
    this.#edits.push({ start, end, text, order: 0 });
  }

  /** Overwrite with spaces, so that the rest keeps its line and column. */
  blank(start: number, end: number): void {
    this.replace(start, end, blank(this.#source.slice(start, end)));
  }

  apply(): EditedText {
    return new EditedText(this.#source, [...this.#closers.toReversed(), ...this.#edits].sort(byPlace));
  }
}

/**
 * At the same place: closing texts first (inner before outer), then opening ones (outer before inner), then the rest.
 */
function byPlace(a: Edit, b: Edit): number {
  return a.start - b.start || a.order - b.order || a.end - b.end;
}

/** The changed text, and the way back to the source. */
export class EditedText {
  readonly text: string;
  readonly #source: string;
  readonly #pieces: { readonly at: number; readonly from: number; readonly original: boolean }[] = [];

  constructor(source: string, edits: readonly Edit[]) {
    this.#source = source;
    let text = '';
    let from = 0;
    for (const edit of edits) {
      this.#pieces.push({ at: text.length, from, original: true });
      text += source.slice(from, edit.start);
      this.#pieces.push({ at: text.length, from: edit.start, original: false });
      text += edit.text;
      from = Math.max(from, edit.end);
    }
    this.#pieces.push({ at: text.length, from, original: true });
    this.text = text + source.slice(from);
  }

  /** Trace a position in the changed text back to the source. For inserted text, that is where it was inserted. */
  original(position: Position): Position {
    const offset = offsetOf(this.text, position);
    const piece = this.#pieces.findLast(({ at }) => at <= offset) ?? { at: 0, from: 0, original: true };
    return positionOf(this.#source, piece.original ? piece.from + offset - piece.at : piece.from);
  }
}

/** As many spaces, with the same line breaks. */
export function blank(text: string): string {
  return text.replace(/[^\r\n\u2028\u2029]/gu, (character) => ' '.repeat(character.length));
}

/** Lines are counted as V8 does: U+2028 and U+2029 end a line too. */
export function positionOf(text: string, offset: number): Position {
  const before = text.slice(0, offset).split(/\r\n|[\r\n\u2028\u2029]/u);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

function offsetOf(text: string, { line, column }: Position): number {
  let offset = 0;
  const breaks = text.matchAll(/\r\n|[\r\n\u2028\u2029]/gu);
  for (let current = 1; current < line; current++) {
    const next = breaks.next().value;
    if (!next) break;
    offset = next.index + next[0].length;
  }
  return offset + column - 1;
}
