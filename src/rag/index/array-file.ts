import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';

/**
 * The format of an array file, which contains named typed arrays: magic, length of the table, number of blocks (32 bits
 * each, little endian); the table (JSON); a checksum per block; then the blocks, which are the arrays, each at a
 * multiple of 8.
 */
export const MAGIC = 0x57525832;
export const HEAD_BYTES = 12;
export const TYPES = { u8: Uint8Array, u32: Uint32Array, f32: Float32Array } as const;
/** Checksums cover blocks of this size, so that a part of a large file can be trusted without reading the rest. */
export const BLOCK_BYTES = 1 << 14;
/** Named typed arrays, as a file contains them. */
export type Arrays = Readonly<Record<string, Uint8Array | Uint32Array | Float32Array>>;

const MOST_BYTES_PER_READ = 1 << 30;

/** Where an array lies in the body, in bytes; its length in elements. */
export interface Entry {
  readonly name: string;
  readonly type: keyof typeof TYPES;
  readonly offset: number;
  readonly length: number;
}

export interface Written {
  readonly bytes: number;
  readonly crc: number;
}

/** The file is not what was written: it is truncated, corrupted or in another format. */
export class Damaged extends Error {
  override readonly name = 'Damaged';
  readonly path: string;

  constructor(path: string, why: string) {
    super(`${path}: ${why}`);
    this.path = path;
  }
}

/**
 * An array file open for reading. Its arrays have their full size from the start, but contain data only in the parts
 * that were loaded; the other parts take no memory.
 */
export class ArrayFile {
  readonly arrays: Arrays;
  readonly path: string;
  readonly #file: number;
  readonly #table: readonly Entry[];
  readonly #body: Uint8Array;
  readonly #bodyStart: number;
  readonly #checksums: Uint32Array;
  /** 1 for blocks that are in memory. */
  readonly #here: Uint8Array;
  #open = true;

  /** @throws Damaged if the size or the head is wrong, and whatever the file system throws. */
  constructor(path: string, expected: Written) {
    this.path = path;
    this.#file = openSync(path, 'r');
    try {
      if (fstatSync(this.#file).size !== expected.bytes) throw new Damaged(path, 'wrong size');
      const head = this.#readHead(expected);
      this.#table = head.table;
      this.#checksums = head.checksums;
      this.#bodyStart = head.bytes;
      this.#here = new Uint8Array(head.checksums.length);
      const body = new ArrayBuffer(expected.bytes - head.bytes);
      this.#body = new Uint8Array(body);
      this.arrays = Object.fromEntries(
        head.table.map(({ name, type, offset, length }) => [name, new TYPES[type](body, offset, length)]),
      );
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /**
   * Read elements `from` to `to` of an array, unless they are in memory already.
   *
   * @throws Damaged when the checksum of one of their blocks does not match.
   */
  bring(name: string, from = 0, to = Number.POSITIVE_INFINITY): void {
    const entry = this.#table.find((each) => each.name === name);
    if (!entry) throw new Damaged(this.path, `array ${name} is not there`);
    const size = TYPES[entry.type].BYTES_PER_ELEMENT;
    const end = entry.offset + Math.min(to, entry.length) * size;
    this.#bringBlocks(Math.floor((entry.offset + from * size) / BLOCK_BYTES), Math.ceil(end / BLOCK_BYTES));
  }

  bringAll(): void {
    this.#bringBlocks(0, this.#here.length);
  }

  /** Close the file. What has been loaded stays usable; nothing more can be read. */
  close(): void {
    if (this.#open) closeSync(this.#file);
    this.#open = false;
  }

  #readHead(expected: Written): { table: readonly Entry[]; checksums: Uint32Array; bytes: number } {
    const first = this.#read(0, Math.min(HEAD_BYTES, expected.bytes));
    if (first.length < HEAD_BYTES || first.readUInt32LE(0) !== MAGIC) throw new Damaged(this.path, 'not an index file');
    const tableBytes = first.readUInt32LE(4);
    const blocks = first.readUInt32LE(8);
    const bytes = align(HEAD_BYTES + tableBytes + 4 * blocks);
    if (bytes > expected.bytes) throw new Damaged(this.path, 'cut off');
    const head = this.#read(0, bytes);
    if (crc32(head) !== expected.crc) throw new Damaged(this.path, 'wrong checksum');
    // The checksum matched, so the shape need not be checked.
    const table = JSON.parse(head.toString('utf8', HEAD_BYTES, HEAD_BYTES + tableBytes)) as Entry[];
    const checksums = Uint32Array.from({ length: blocks }, (_, block) =>
      head.readUInt32LE(HEAD_BYTES + tableBytes + 4 * block),
    );
    return { table, checksums, bytes };
  }

  #bringBlocks(from: number, to: number): void {
    for (let block = from; block < to; block++) {
      if (this.#here[block] === 1) continue;
      let end = block + 1;
      while (end < to && this.#here[end] === 0) end++;
      this.#load(block, end);
      block = end;
    }
  }

  #load(from: number, to: number): void {
    const target = this.#body.subarray(from * BLOCK_BYTES, to * BLOCK_BYTES);
    this.#readInto(target, this.#bodyStart + from * BLOCK_BYTES);
    for (let block = from; block < to; block++) {
      const bytes = this.#body.subarray(block * BLOCK_BYTES, (block + 1) * BLOCK_BYTES);
      if (crc32(bytes) !== this.#checksums[block]) throw new Damaged(this.path, `wrong checksum of block ${block}`);
      this.#here[block] = 1;
    }
  }

  #read(position: number, bytes: number): Buffer {
    const target = Buffer.alloc(bytes);
    this.#readInto(target, position);
    return target;
  }

  #readInto(target: Uint8Array, position: number): void {
    if (!this.#open) throw new Error(`${this.path} is closed`);
    for (let at = 0; at < target.length; ) {
      const wanted = Math.min(target.length - at, MOST_BYTES_PER_READ);
      const read = readSync(this.#file, target, at, wanted, position + at);
      if (read === 0) throw new Damaged(this.path, 'cut off');
      at += read;
    }
  }
}

/** Where the next array may begin: aligned to 8 bytes, the width of the widest element type. */
export function align(offset: number): number {
  return Math.ceil(offset / 8) * 8;
}
