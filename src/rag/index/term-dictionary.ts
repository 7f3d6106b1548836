/** A hash table of terms numbered from 0, in typed arrays, so that it needs no construction after loading. */
export interface TermDictionaryArrays {
  /** UTF-8 of all terms, one after another. */
  readonly bytes: Uint8Array;
  /** Where term i begins in `bytes`; has one more entry than there are terms. */
  readonly offsets: Uint32Array;
  /** Open addressing: term number + 1, 0 = free. A power of two long. */
  readonly slots: Uint32Array;
}

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** A read-only map from term to number. */
export class TermDictionary {
  readonly arrays: TermDictionaryArrays;
  readonly #bytes: Buffer;

  constructor(arrays: TermDictionaryArrays) {
    this.arrays = arrays;
    this.#bytes = Buffer.from(arrays.bytes.buffer, arrays.bytes.byteOffset, arrays.bytes.byteLength);
  }

  static from(terms: readonly string[]): TermDictionary {
    const encoded = terms.map((term) => Buffer.from(term));
    const offsets = new Uint32Array(terms.length + 1);
    for (const [index, bytes] of encoded.entries()) offsets[index + 1] = (offsets[index] ?? 0) + bytes.length;
    return new TermDictionary({ bytes: Uint8Array.from(Buffer.concat(encoded)), offsets, slots: hashSlots(terms) });
  }

  get size(): number {
    return this.arrays.offsets.length - 1;
  }

  /** The number of a term, -1 if there is no such term. */
  find(term: string): number {
    const { slots } = this.arrays;
    const mask = slots.length - 1;
    for (let at = hash(term) & mask; ; at = (at + 1) & mask) {
      const entry = slots[at] ?? 0;
      if (entry === 0) return -1;
      if (this.term(entry - 1) === term) return entry - 1;
    }
  }

  term(number: number): string {
    const { offsets } = this.arrays;
    return this.#bytes.toString('utf8', offsets[number], offsets[number + 1]);
  }
}

function hashSlots(terms: readonly string[]): Uint32Array {
  let size = 8;
  while (size < terms.length * 2) size *= 2;
  const slots = new Uint32Array(size);
  for (const [index, term] of terms.entries()) {
    let at = hash(term) & (size - 1);
    while (slots[at] !== 0) at = (at + 1) & (size - 1);
    slots[at] = index + 1;
  }
  return slots;
}

function hash(term: string): number {
  let value = FNV_OFFSET;
  for (let index = 0; index < term.length; index++) value = Math.imul(value ^ term.charCodeAt(index), FNV_PRIME);
  // The low bits of FNV are weak for short terms.
  return (value ^ (value >>> 15)) >>> 0;
}
