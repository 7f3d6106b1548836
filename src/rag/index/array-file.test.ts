import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../testing/home.ts';
import { ArrayFile, BLOCK_BYTES, Damaged, type Written } from './array-file.ts';
import { writeArrays } from './array-file-writer.ts';

const LARGE = Uint32Array.from({ length: (5 * BLOCK_BYTES) / 4 + 7 }, (_, at) => at * 3 + 1);
const SMALL = Float32Array.of(0.5, -1);

function written(): { path: string; file: Written } {
  const path = join(temporaryFolder(), 'some.bin');
  return { path, file: writeArrays(path, { odd: Uint8Array.of(1, 2, 3), small: SMALL, large: LARGE }) };
}

function open(path: string, file: Written): ArrayFile {
  const opened = new ArrayFile(path, file);
  onTestFinished(() => opened.close());
  return opened;
}

/** Flip the bits of one byte. */
function flip(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes[at] = (bytes[at] ?? 0) ^ 0xff;
  writeFileSync(path, bytes);
}

test('what was brought is what was written, and stays after closing', () => {
  const { path, file } = written();
  const opened = open(path, file);
  opened.bringAll();
  opened.close();
  expect(opened.arrays).toEqual({ odd: Uint8Array.of(1, 2, 3), small: SMALL, large: LARGE });
  expect(statSync(path).size).toBe(file.bytes);
});

test('a part is brought without the rest, across the edges of blocks', () => {
  const { path, file } = written();
  const opened = open(path, file);
  const perBlock = BLOCK_BYTES / 4;
  opened.bring('large', 2 * perBlock - 5, 2 * perBlock + 5);
  const large = opened.arrays.large as Uint32Array;
  expect(large.subarray(2 * perBlock - 5, 2 * perBlock + 5)).toEqual(
    LARGE.subarray(2 * perBlock - 5, 2 * perBlock + 5),
  );
  expect(large.at(-1)).toBe(0);
  opened.bring('large');
  expect(large).toEqual(LARGE);
});

test('a broken block is found when it is asked for, and only then', () => {
  const { path, file } = written();
  flip(path, file.bytes - BLOCK_BYTES);
  const opened = open(path, file);
  opened.bring('large', 0, 100);
  expect((opened.arrays.large as Uint32Array)[99]).toBe(LARGE[99]);
  expect(() => opened.bring('large')).toThrow(Damaged);
  expect(() => open(path, file).bringAll()).toThrow(/checksum of block/u);
});

test.each([
  ['another kind of file', (path: string) => flip(path, 0), 'not an index file'],
  ['a broken table', (path: string) => flip(path, 20), 'wrong checksum'],
  ['a table that claims to be longer than the file', (path: string) => flip(path, 7), 'cut off'],
  ['a file cut off', (path: string) => truncateSync(path, 900), 'wrong size'],
])('%s is refused when it is opened', (_name, spoil, why) => {
  const { path, file } = written();
  spoil(path);
  expect(() => new ArrayFile(path, file)).toThrow(why);
});

test('an empty file is damaged, not a crash', () => {
  const path = join(temporaryFolder(), 'empty.bin');
  writeFileSync(path, '');
  expect(() => new ArrayFile(path, { bytes: 0, crc: 0 })).toThrow(Damaged);
});
