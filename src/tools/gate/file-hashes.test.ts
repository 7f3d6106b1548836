import { renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { sha256 } from '../../base/json.ts';
import { temporaryFolder } from '../../testing/home.ts';
import { FileHashes } from './file-hashes.ts';

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
