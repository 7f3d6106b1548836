/** A place in a source text. */
export interface Position {
  /** UTF-16 code units from the start of the text, counting from 0. */
  readonly offset: number;
  /** From 1. */
  readonly line: number;
  /** UTF-16 code units from the start of the line, counting from 1. */
  readonly column: number;
}

/** A range of a source text; `end` is exclusive. */
export interface Location {
  readonly start: Position;
  readonly end: Position;
}

/** Turns offsets into lines and columns. Cheap in any order, cheapest in ascending order. */
export class LineMap {
  readonly #starts: readonly number[];
  readonly #length: number;
  /** The line of the last lookup: a parser's next one is usually near it. */
  #last = 0;

  constructor(source: string) {
    const starts = [0];
    for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
    this.#starts = starts;
    this.#length = source.length;
  }

  get lineCount(): number {
    return this.#starts.length;
  }

  position(offset: number): Position {
    const line = this.#lineOf(offset);
    return { offset, line: line + 1, column: offset - this.#startOf(line) + 1 };
  }

  locate(start: number, end: number): Location {
    return { start: this.position(start), end: this.position(end) };
  }

  /** The offset of a line and column (from 1); positions outside the text are clamped. */
  offsetOf(line: number, column: number): number {
    const index = Math.min(Math.max(line - 1, 0), this.#starts.length - 1);
    const next = this.#starts[index + 1];
    const end = next === undefined ? this.#length : next - 1;
    return Math.min(this.#startOf(index) + Math.max(column - 1, 0), end);
  }

  #startOf(line: number): number {
    return this.#starts[line] ?? this.#length;
  }

  #lineOf(offset: number): number {
    if (offset >= this.#startOf(this.#last) && offset < (this.#starts[this.#last + 1] ?? Infinity)) return this.#last;
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#startOf(middle) <= offset) low = middle;
      else high = middle - 1;
    }
    this.#last = low;
    return low;
  }
}
