import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/home.ts';
import { EMPTY_MANIFEST, type Manifest, readManifest, writeManifest } from './manifest.ts';

const FILE = { file: 'segment-1.bin', bytes: 4096, crc: 123, chunks: 10 };
const MANIFEST: Manifest = { ...EMPTY_MANIFEST, revision: 7, next: 2, segments: [FILE] };

test('a manifest is read as it was written, and a folder without one has an empty index', () => {
  const dir = temporaryFolder();
  expect(readManifest(dir)).toEqual(EMPTY_MANIFEST);
  writeManifest(dir, MANIFEST);
  expect(readManifest(dir)).toEqual(MANIFEST);
});

test.each([
  ['a changed number', (text: string) => text.replace('4096', '4097')],
  ['another version of the analysis', (text: string) => text.replace(/"analysis": \d+/u, '"analysis": 0')],
  ['a missing field', (text: string) => text.replace(/"revision": 7,/u, '')],
  ['no object', () => 'null'],
  ['half a file', (text: string) => text.slice(0, 40)],
])('%s makes it an empty index, not an error', (_name, spoil) => {
  const dir = temporaryFolder();
  writeManifest(dir, MANIFEST);
  const path = join(dir, 'manifest.json');
  const text = readFileSync(path, 'utf8');
  expect(spoil(text)).not.toBe(text);
  writeFileSync(path, spoil(text));
  expect(readManifest(dir)).toEqual(EMPTY_MANIFEST);
});
