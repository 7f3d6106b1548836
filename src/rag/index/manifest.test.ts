import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/home.ts';
import {
  clearDamaged,
  EMPTY_MANIFEST,
  filesOf,
  type Manifest,
  moveAside,
  readManifest,
  sealManifest,
  unsealManifest,
  writeManifest,
} from './manifest.ts';

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

const named = (file: string) => ({ ...FILE, file });
const DENSE = {
  ...named('vectors-2.bin'),
  id: 'lsa:10',
  dimensions: 4,
  lsa: named('lsa-3.bin'),
  graph: named('graph-4.hnsw'),
};

test('files that are not listed are deleted, those of others stay', () => {
  const dir = temporaryFolder();
  const manifest = { ...MANIFEST, dense: DENSE };
  expect(filesOf(manifest).map(({ file }) => file)).toEqual([
    'segment-1.bin',
    'vectors-2.bin',
    'lsa-3.bin',
    'graph-4.hnsw',
  ]);
  expect(filesOf({ ...manifest, dense: { ...DENSE, lsa: null, graph: null } })).toEqual([FILE, expect.anything()]);
  expect(filesOf(EMPTY_MANIFEST)).toEqual([]);
  const listed = ['segment-1.bin', 'vectors-2.bin', 'lsa-3.bin', 'graph-4.hnsw'];
  const ours = ['segment-9.bin', 'lsa-12-0123abcd.bin', 'graph-9.hnsw.writing', 'vectors-9.bin.12-3.writing'];
  const others = [
    'notes.bin',
    'segment-x.bin',
    'segment-9.txt',
    'my-segment-9.bin',
    'segment-9.bin.bak',
    'lsa-1-xyz.bin',
  ];
  for (const name of [...listed, ...ours, ...others]) writeFileSync(join(dir, name), '');
  writeManifest(dir, manifest, 60_000);
  expect(readdirSync(dir).sort()).toEqual(['manifest.json', ...listed, ...ours, ...others].sort());
  const hourAgo = Date.now() / 1000 - 3600;
  for (const name of [...ours.slice(1), ...others]) utimesSync(join(dir, name), hourAgo, hourAgo);
  writeManifest(dir, manifest, 60_000);
  expect(readdirSync(dir).sort()).toEqual(['manifest.json', ...listed, ...ours.slice(0, 1), ...others].sort());
  writeManifest(dir, manifest);
  expect(readdirSync(dir).sort()).toEqual(['manifest.json', ...listed, ...others].sort());
});

test('damaged files are kept aside until an index is built', () => {
  const dir = temporaryFolder();
  writeFileSync(join(dir, 'segment-1.bin'), 'x');
  moveAside(dir, 'segment-1.bin');
  moveAside(dir, 'segment-2.bin');
  expect(readdirSync(dir)).toEqual(['damaged-segment-1.bin']);
  writeFileSync(join(dir, 'segment-1.bin'), 'y');
  clearDamaged(dir);
  expect(readdirSync(dir)).toEqual(['segment-1.bin']);
});

test('a sealed manifest is one text, which no other text passes for', () => {
  const text = sealManifest(MANIFEST);
  expect(text.endsWith('\n}\n')).toBe(true);
  expect(unsealManifest(text)).toEqual(MANIFEST);
  expect(unsealManifest(text.replace('"checksum": ', '"checksum": 1'))).toEqual(EMPTY_MANIFEST);
  expect(unsealManifest('{')).toEqual(EMPTY_MANIFEST);
  for (const other of [{ format: 1 }, { analysis: 0 }])
    expect(unsealManifest(sealManifest({ ...MANIFEST, ...other } as Manifest))).toEqual(EMPTY_MANIFEST);
});
