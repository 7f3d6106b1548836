import { closeSync, fstatSync, fsyncSync, openSync, readSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';

/** A file of named typed arrays: magic, length of the table, table (JSON), then the arrays, each at a multiple of 8. */
export type Arrays = Readonly<Record<string, Uint8Array | Uint32Array | Float32Array>>;

export interface Written {
  readonly bytes: number;
  readonly crc: number;
}

interface Entry {
  readonly name: string;
  readonly type: keyof typeof TYPES;
  readonly offset: number;
  readonly length: number;
}

const MAGIC = 0x57525831;
const HEAD_BYTES = 8;
const TYPES = { u8: Uint8Array, u32: Uint32Array, f32: Float32Array } as const;

/** The file is not what was written: cut off, changed or of another kind. */
export class Damaged extends Error {
  override readonly name = 'Damaged';
}

/** Write beside, flush, rename: a kill leaves the old file or the new one, whole. */
export function writeArrays(path: string, arrays: Arrays): Written {
  const { table, offset } = layOut(arrays);
  const head = Buffer.alloc(offset);
  const json = Buffer.from(JSON.stringify(table));
  head.writeUInt32LE(MAGIC, 0);
  head.writeUInt32LE(json.length, 4);
  json.copy(head, HEAD_BYTES);
  const parts = [
    head,
    ...table.map(({ name, length, type }) => padded(arrays[name], length * TYPES[type].BYTES_PER_ELEMENT)),
  ];
  return writeParts(path, parts);
}

/** The same care for any content. */
export function writeParts(path: string, parts: readonly Uint8Array[]): Written {
  const temporary = `${path}.writing`;
  const file = openSync(temporary, 'w');
  let crc = 0;
  let bytes = 0;
  try {
    for (const part of parts) {
      for (let at = 0; at < part.length; ) at += writeSync(file, part, at);
      crc = crc32(part, crc);
      bytes += part.length;
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
  syncFolder(dirname(path));
  return { bytes, crc };
}

/** A rename is on disk only when its folder is. */
export function syncFolder(dir: string): void {
  const folder = openSync(dir, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/**
 * Read a whole file into views on one buffer.
 *
 * @throws Damaged when size, checksum or table do not fit.
 */
export function readArrays(path: string, expected: Written): Arrays {
  const buffer = readWhole(path, expected.bytes);
  if (crc32(new Uint8Array(buffer)) !== expected.crc) throw new Damaged(`${path}: wrong checksum`);
  const view = new DataView(buffer);
  if (view.getUint32(0, true) !== MAGIC) throw new Damaged(`${path}: not an index file`);
  const json = new Uint8Array(buffer, HEAD_BYTES, view.getUint32(4, true));
  const table = JSON.parse(Buffer.from(json).toString()) as Entry[];
  const base = align(HEAD_BYTES + json.length);
  return Object.fromEntries(
    table.map(({ name, type, offset, length }) => [name, new TYPES[type](buffer, base + offset, length)]),
  );
}

/** @throws Damaged when the file has another size. */
export function readWhole(path: string, bytes: number): ArrayBuffer {
  const file = openSync(path, 'r');
  try {
    if (fstatSync(file).size !== bytes) throw new Damaged(`${path}: wrong size`);
    const buffer = new ArrayBuffer(bytes);
    const target = new Uint8Array(buffer);
    for (let at = 0; at < bytes; ) {
      const read = readSync(file, target, at, Math.min(bytes - at, 1 << 30), at);
      if (read === 0) throw new Damaged(`${path}: cut off`);
      at += read;
    }
    return buffer;
  } finally {
    closeSync(file);
  }
}

function layOut(arrays: Arrays): { table: Entry[]; offset: number } {
  const table: Entry[] = [];
  let offset = 0;
  for (const [name, array] of Object.entries(arrays)) {
    const type = array instanceof Uint8Array ? 'u8' : array instanceof Uint32Array ? 'u32' : 'f32';
    table.push({ name, type, offset, length: array.length });
    offset = align(offset + array.byteLength);
  }
  return { table, offset: align(HEAD_BYTES + Buffer.byteLength(JSON.stringify(table))) };
}

function padded(array: Arrays[string] | undefined, bytes: number): Uint8Array {
  const view = array ? new Uint8Array(array.buffer, array.byteOffset, bytes) : new Uint8Array(0);
  if (align(bytes) === bytes) return view;
  const whole = new Uint8Array(align(bytes));
  whole.set(view);
  return whole;
}

function align(offset: number): number {
  return Math.ceil(offset / 8) * 8;
}
