import { closeSync, createReadStream, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { type Arrays, align, BLOCK_BYTES, type Entry, HEAD_BYTES, MAGIC, TYPES, type Written } from './array-file.ts';

const BYTES_PER_READ = 1 << 20;

/**
 * Write an array file (see array-file.ts for the format) under a temporary name, flush it and rename it.
 *
 * @returns the file's size and the checksum of its head, which contains the checksums of the rest.
 */
export function writeArrays(path: string, arrays: Arrays): Written {
  const { table, bodyBytes } = layOut(arrays);
  const body = table.map(({ name, length, type }) => padded(arrays[name], length * TYPES[type].BYTES_PER_ELEMENT));
  const json = Buffer.from(JSON.stringify(table));
  const checksums = blockChecksums(body, bodyBytes);
  const head = Buffer.alloc(align(HEAD_BYTES + json.length + checksums.byteLength));
  head.writeUInt32LE(MAGIC, 0);
  head.writeUInt32LE(json.length, 4);
  head.writeUInt32LE(checksums.length, 8);
  json.copy(head, HEAD_BYTES);
  for (const [block, checksum] of checksums.entries())
    head.writeUInt32LE(checksum, HEAD_BYTES + json.length + 4 * block);
  const { bytes } = writeParts(path, [head, ...body]);
  return { bytes, crc: crc32(head) };
}

/** Write any file atomically: a process killed meanwhile leaves either the old or the new file intact. */
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

/** Compute size and checksum of a file, reading it in small pieces. */
export async function measureFile(path: string): Promise<Written> {
  let crc = 0;
  let bytes = 0;
  for await (const piece of createReadStream(path, { highWaterMark: BYTES_PER_READ })) {
    crc = crc32(piece, crc);
    bytes += piece.length;
  }
  return { bytes, crc };
}

/** Sync a folder: a rename is durable only after its folder is synced. */
export function syncFolder(dir: string): void {
  const folder = openSync(dir, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

function layOut(arrays: Arrays): { table: Entry[]; bodyBytes: number } {
  const table: Entry[] = [];
  let offset = 0;
  for (const [name, array] of Object.entries(arrays)) {
    const type = array instanceof Uint8Array ? 'u8' : array instanceof Uint32Array ? 'u32' : 'f32';
    table.push({ name, type, offset, length: array.length });
    offset = align(offset + array.byteLength);
  }
  return { table, bodyBytes: offset };
}

function padded(array: Arrays[string] | undefined, bytes: number): Uint8Array {
  const view = array ? new Uint8Array(array.buffer, array.byteOffset, bytes) : new Uint8Array(0);
  if (align(bytes) === bytes) return view;
  const whole = new Uint8Array(align(bytes));
  whole.set(view);
  return whole;
}

/** One checksum per block of the concatenated parts. */
function blockChecksums(parts: readonly Uint8Array[], bytes: number): Uint32Array {
  const checksums = new Uint32Array(Math.ceil(bytes / BLOCK_BYTES));
  let at = 0;
  for (const part of parts)
    for (let from = 0; from < part.length; ) {
      const block = Math.floor(at / BLOCK_BYTES);
      const some = part.subarray(from, from + (block + 1) * BLOCK_BYTES - at);
      checksums[block] = crc32(some, checksums[block]);
      from += some.length;
      at += some.length;
    }
  return checksums;
}
