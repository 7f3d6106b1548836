/** A frame: four bytes of length, big-endian, then that many bytes of JSON in UTF-8. */
export function encodeFrame(text: string): Buffer {
  const body = Buffer.from(text, 'utf8');
  const frame = Buffer.allocUnsafe(body.length + 4);
  frame.writeUInt32BE(body.length);
  body.copy(frame, 4);
  return frame;
}

/** Assembles frames from bytes as they arrive. A frame that is too long or not JSON means that the child is broken. */
export class FrameReader {
  readonly #maxBytes: number;
  #parts: Buffer[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** @throws RangeError for a frame over the limit, SyntaxError for one that is not JSON. */
  *read(bytes: Buffer): Generator<unknown> {
    this.#parts.push(bytes);
    this.#bytes += bytes.length;
    for (let length = this.#nextLength(); length !== undefined; length = this.#nextLength()) {
      if (length > this.#maxBytes) throw new RangeError(`a frame of ${length} bytes`);
      if (this.#bytes < length + 4) return;
      const whole = this.#join();
      this.#parts = [whole.subarray(length + 4)];
      this.#bytes = whole.length - length - 4;
      yield JSON.parse(whole.toString('utf8', 4, length + 4));
    }
  }

  #nextLength(): number | undefined {
    if (this.#bytes < 4) return undefined;
    if ((this.#parts[0]?.length ?? 0) < 4) this.#parts = [this.#join()];
    return this.#parts[0]?.readUInt32BE();
  }

  #join(): Buffer {
    const [first] = this.#parts;
    return this.#parts.length === 1 && first ? first : Buffer.concat(this.#parts);
  }
}
