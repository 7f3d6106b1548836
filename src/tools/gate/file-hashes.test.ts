import { mkdirSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { sha256 } from '../../base/json.ts';
import { temporaryFolder } from '../../testing/home.ts';
import { FileHashes, hashOfFile } from './file-hashes.ts';

const LATER = () => Date.now() + 60_000;

/** Whatever anybody does to a file: as many bytes, and the time it had. */
const CHANGES = {
  'written over': (path: string) => writeFileSync(path, 'evil'),
  'put in its place': (path: string) => {
    writeFileSync(`${path}.new`, 'evil');
    renameSync(`${path}.new`, path);
  },
};

test.each(Object.entries(CHANGES))(
  'a file that was %s is read again, though size and time are the same',
  async (_, change) => {
    const path = join(temporaryFolder(), 'prompt.txt');
    writeFileSync(path, 'good');
    const hashes = new FileHashes(LATER);
    expect(await hashes.of(path)).toBe(sha256('good'));
    const { atime, mtime } = statSync(path);
    // Longer than a tick of the file system's clock, as the hour between two turns is.
    await sleep(30);
    change(path);
    utimesSync(path, atime, mtime);
    expect(await hashes.of(path)).toBe(sha256('evil'));
    rmSync(path);
    expect(await hashes.of(path)).toBeUndefined();
  },
);

test('a file that was changed a moment ago may change again unseen, so its hash is not kept', async () => {
  const path = join(temporaryFolder(), 'prompt.txt');
  const now = new FileHashes();
  for (let at = 0; at < 50; at++) {
    writeFileSync(path, `text ${at % 10}`);
    expect(await now.of(path)).toBe(sha256(`text ${at % 10}`));
  }
});

/** Hashes of files in a folder, each of which holds its name, and which of them were read. */
function scene(now: () => number = LATER) {
  const folder = temporaryFolder();
  const read: string[] = [];
  const hashes = new FileHashes(now, async (path) => {
    read.push(basename(path));
    return hashOfFile(path);
  });
  const of = (name: string) => hashes.of(join(folder, name));
  const write = (name: string) => writeFileSync(join(folder, name), name);
  const changedMs = (name: string) => Math.floor(statSync(join(folder, name)).ctimeMs);
  return { folder, read, of, write, changedMs };
}

test.each([
  [1999, 2],
  [2000, 1],
])('a file that was changed %d ms ago and is asked for twice is read %d times', async (agoMs, times) => {
  let now = 0;
  const { read, of, write, changedMs } = scene(() => now);
  write('a');
  now = changedMs('a') + agoMs;
  expect([await of('a'), await of('a')]).toEqual([sha256('a'), sha256('a')]);
  expect(read).toHaveLength(times);
});

test('200 files are known; one more, and the one that was read first is read again', async () => {
  const { read, of, write } = scene();
  const names = Array.from({ length: 201 }, (_, index) => `f${index}`);
  for (const name of names) write(name);
  for (const name of [...names.slice(0, 200), ...names.slice(0, 200)]) await of(name);
  expect(read).toEqual(names.slice(0, 200));
  expect(await of('f200')).toBe(sha256('f200'));
  for (const name of ['f1', 'f199', 'f200', 'f0']) expect(await of(name)).toBe(sha256(name));
  expect(read.slice(200)).toEqual(['f200', 'f0']);
});

test('what is no file has no hash, and is looked at anew each time', async () => {
  const { folder, of, write } = scene();
  mkdirSync(join(folder, 'folder'));
  symlinkSync('loop', join(folder, 'loop'));
  for (const name of ['none', 'folder', 'loop', 'n'.repeat(300)]) expect(await of(name), name).toBeUndefined();
  for (const name of ['folder', 'loop']) rmSync(join(folder, name), { recursive: true });
  for (const name of ['none', 'folder', 'loop']) {
    write(name);
    expect(await of(name), name).toBe(sha256(name));
  }
});
