import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/home.ts';
import { growFile } from './replace-file.ts';

/** A file with the text "old, " and what is done to it. */
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
