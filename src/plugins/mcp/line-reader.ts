/** Longest line that is accepted. One message of this size does not block the program for long. */
export const MAX_LINE_BYTES = 4_000_000;

const NEWLINE = 0x0a;
/** Time and lines per slice before the event loop gets a break; the work that a line triggers comes on top. */
const SLICE_MS = 8;
const SLICE_LINES = 20;

/** Handlers of the lines of a stream. */
export interface LineSink {
  /** One line without its end. */
  line(line: Buffer): void;
  /** A line is longer than allowed; nothing is read after it. */
  tooLong(): void;
}

/**
 * Splits a stream into lines. However much arrives at once, the event loop is blocked for only a few milliseconds at a
 * time: the stream is paused meanwhile.
 */
export class LineReader {
  readonly #stream: NodeJS.ReadableStream;
  readonly #sink: LineSink;
  #parts: Buffer[] = [];
  #bytes = 0;
  #waiting: Buffer[] = [];
  #isBusy = false;
  #ended = false;
  /** Lines that still fit in this slice. */
  #left = 0;

  constructor(stream: NodeJS.ReadableStream, sink: LineSink) {
    this.#stream = stream;
    this.#sink = sink;
    stream.on('data', (part: Buffer) => {
      this.#waiting.push(part);
      if (!this.#isBusy) this.#work();
    });
  }

  stop(): void {
    this.#ended = true;
    this.#waiting = [];
    this.#parts = [];
  }

  #work(): void {
    this.#isBusy = true;
    this.#left = SLICE_LINES;
    const until = performance.now() + SLICE_MS;
    for (let part = this.#waiting.shift(); part !== undefined && !this.#ended; part = this.#waiting.shift()) {
      const rest = this.#take(part, until);
      if (rest === undefined) continue;
      this.#waiting.unshift(rest);
      this.#later();
      return;
    }
    this.#isBusy = false;
  }

  #later(): void {
    this.#stream.pause();
    setImmediate(() => {
      this.#work();
      if (!this.#isBusy) this.#stream.resume();
    });
  }

  /** @returns the rest of the chunk when the time is up. */
  #take(part: Buffer, until: number): Buffer | undefined {
    let from = 0;
    for (let end = part.indexOf(NEWLINE); end >= 0 && !this.#ended; end = part.indexOf(NEWLINE, from)) {
      this.#add(part.subarray(from, end));
      from = end + 1;
      this.#emit();
      this.#left -= 1;
      if (this.#left <= 0 || performance.now() > until) return part.subarray(from);
    }
    if (!this.#ended) this.#add(part.subarray(from));
    return undefined;
  }

  #add(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#bytes > MAX_LINE_BYTES) {
      this.stop();
      this.#sink.tooLong();
    } else this.#parts.push(piece);
  }

  #emit(): void {
    const line = Buffer.concat(this.#parts);
    this.#parts = [];
    this.#bytes = 0;
    if (line.length > 0) this.#sink.line(line);
  }
}
