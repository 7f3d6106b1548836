import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/home.ts';
import { draftIn, growFile, replaceFile } from './replace-file.ts';

/** A program that is killed before its file has the new content. */
const KILLED = `
  const { replaceFile } = await import(${JSON.stringify(join(import.meta.dirname, 'replace-file.ts'))});
  await replaceFile(process.argv[1], 'new', { get signal() { return { throwIfAborted: () => process.kill(process.pid, 'SIGKILL') }; } });
`;

/** A file with the text "old, ", and what is done to it. */
function fileOf(text = 'old, ') {
  const dir = temporaryFolder();
  const path = join(dir, 'journal.md');
  writeFileSync(path, text);
  const grow = (before: string | undefined, after: string) =>
    growFile(path, {
      before: before === undefined ? undefined : Buffer.from(before),
      after: Buffer.from(after),
    });
  const number = () => statSync(path).ino;
  return { dir, path, grow, number, text: () => readFileSync(path, 'utf8') };
}

test('a file that only grows stays the same file', async () => {
  const { grow, number, text } = fileOf();
  const before = number();
  await grow('old, ', 'old, new');
  expect([text(), number()]).toEqual(['old, new', before]);
});

test('a file that changes in the middle, shrinks, or is read-only is replaced', async () => {
  const { dir, path, grow, text } = fileOf();
  await grow('old, ', 'new');
  expect(text()).toBe('new');
  await grow('new', 'n');
  expect(text()).toBe('n');
  chmodSync(path, 0o400);
  await grow('n', 'not');
  expect([text(), statSync(path).mode & 0o777]).toEqual(['not', 0o400]);
  expect(readdirSync(dir)).toEqual(['journal.md']);
});

test('a file that was not there is made, and a long addition is never there in part', async () => {
  const { grow, number, text } = fileOf('');
  const first = number();
  await grow(undefined, 'new');
  expect([text(), number() === first]).toEqual(['new', false]);
  const second = number();
  const long = 'x'.repeat(100_000);
  await grow('new', `new${long}`);
  expect([text().length, number() === second]).toEqual([100_003, false]);
});

test('after the lock is lost nothing is added', async () => {
  const { path, text } = fileOf();
  const signal = AbortSignal.abort(new Error('lost'));
  const content = { before: Buffer.from('old, '), after: Buffer.from('old, new') };
  await expect(growFile(path, content, { signal })).rejects.toThrow('lost');
  expect(text()).toBe('old, ');
});

test('a new file is its owner’s alone, unless something else is said; one that is there keeps its mode', async () => {
  const dir = temporaryFolder();
  const mode = (name: string) => statSync(join(dir, name)).mode & 0o777;
  await replaceFile(join(dir, 'own'), 'a');
  await replaceFile(join(dir, 'shared'), 'a', { mode: 0o644 });
  expect([mode('own'), mode('shared')]).toEqual([0o600, 0o644]);
  await replaceFile(join(dir, 'shared'), Buffer.from('b'), { mode: 0o600 });
  expect([mode('shared'), readFileSync(join(dir, 'shared'), 'utf8')]).toEqual([0o644, 'b']);
  expect(readdirSync(dir).toSorted()).toEqual(['own', 'shared']);
});

test('what a killed program has left half-written goes with the next file; what others are writing stays', async () => {
  const { dir, path } = fileOf();
  const child = spawnSync(process.execPath, ['--no-warnings', '--input-type=module-typescript', '-e', KILLED, path]);
  expect(child.signal).toBe('SIGKILL');
  const drafts = () => readdirSync(dir).filter((name) => name.startsWith('.draft_'));
  expect(drafts()).toHaveLength(1);
  writeFileSync(draftIn(dir), 'mine');
  const theirs = join(dir, `.draft_${Buffer.from('elsewhere:1@boot#1/00000000').toString('base64url')}`);
  writeFileSync(theirs, 'theirs');
  writeFileSync(join(dir, '.draft_of_somebody'), 'not ours');
  await replaceFile(path, 'new');
  expect(drafts()).toHaveLength(3);
  expect(existsSync(theirs)).toBe(true);
});

test('a file that cannot be replaced is as it was, and no draft is left', async () => {
  const { dir, path, text } = fileOf();
  await expect(replaceFile(path, 'new', { signal: AbortSignal.abort(new Error('lost')) })).rejects.toThrow('lost');
  mkdirSync(join(dir, 'folder'));
  await expect(replaceFile(join(dir, 'folder'), 'new')).rejects.toMatchObject({ code: 'EISDIR' });
  await expect(replaceFile(join(dir, 'none/x'), 'new')).rejects.toMatchObject({ code: 'ENOENT' });
  expect([text(), readdirSync(dir).toSorted()]).toEqual(['old, ', ['folder', 'journal.md']]);
});

test('a file that has changed since it was read, or is as it should be already, is replaced', async () => {
  const { grow, number, text } = fileOf('other, longer');
  const first = number();
  await grow('old, ', 'old, new');
  expect([text(), number() === first]).toEqual(['old, new', false]);
  const second = number();
  await grow('old, new', 'old, new');
  expect([text(), number() === second]).toEqual(['old, new', false]);
});

test('64 KiB are added, and one byte more is not', async () => {
  const { grow, number, text } = fileOf('');
  const first = number();
  const most = 'x'.repeat(64 * 1024);
  await grow('', most);
  expect([text().length, number() === first]).toEqual([most.length, true]);
  await grow(most, `${most}${most}y`);
  expect([text().length, number() === first]).toEqual([2 * most.length + 1, false]);
});

test.runIf(process.platform === 'linux')('a full disk is told', async () => {
  const content = { before: Buffer.from(''), after: Buffer.from('new') };
  await expect(growFile('/dev/full', content)).rejects.toMatchObject({ code: 'ENOSPC' });
});
