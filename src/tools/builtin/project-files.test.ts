import { linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../testing/home.ts';
import { testFiles } from '../../testing/project-files.ts';
import { openTestStore } from '../../testing/stores.ts';

async function space() {
  const store = await openTestStore();
  onTestFinished(() => store.close());
  const root = temporaryFolder();
  const dir = join(root, 'home');
  mkdirSync(dir);
  writeFileSync(join(root, 'secret.txt'), 'outside');
  return { root, dir, files: testFiles(store, () => dir) };
}

test('what is written can be read and listed', async () => {
  const { dir, files } = await space();
  await files.write('home', 'ideas/garden.md', 'roses');
  expect(await files.read('home', 'ideas/garden.md')).toBe('roses');
  expect(await files.list('home', '.')).toEqual([{ name: 'ideas', folder: true }]);
  expect(await files.list('home', 'ideas')).toEqual([{ name: 'garden.md', folder: false, bytes: 5 }]);
  expect(readdirSync(join(dir, 'ideas'))).toEqual(['garden.md']);
});

test('writing replaces the whole file', async () => {
  const { files } = await space();
  await files.write('home', 'a.md', 'a long first text');
  await files.write('home', 'a.md', 'b');
  expect(await files.read('home', 'a.md')).toBe('b');
});

test.each([
  '../secret.txt',
  'a/../../secret.txt',
  '..',
  '/etc/passwd',
  'C:/windows/win.ini',
  'C:secret.txt',
  '..\\secret.txt',
  'a\u0000b',
  'a\u202eb.md',
  'a\u200b.md',
  '\uff0e\uff0e/secret.txt',
  'a\uff0fb',
  'e\u0301.md',
  'CON',
  'nul.txt',
  'lpt1',
  'a.md ',
  'dir./a.md',
  'a.md:stream',
  'COM1.txt',
  'aux.md',
  'Prn',
  'con.tar.gz',
  '.. /secret.txt',
  'a/./../../secret.txt',
  '//etc/passwd',
  'file:///etc/passwd',
  '\\\\server\\share',
  '\u2024\u2024/secret.txt',
  '\u2025/secret.txt',
  'a\nb.md',
  'a\u2066b.md',
  'A\u030a.md',
  '\ufeffa.md',
  '',
  './.',
])('%j is refused for reading and writing', async (path) => {
  const { root, files } = await space();
  await expect(files.read('home', path)).rejects.toMatchObject({ code: 'path_refused' });
  await expect(files.write('home', path, 'x')).rejects.toMatchObject({ code: 'path_refused' });
  expect(readFileSync(join(root, 'secret.txt'), 'utf8')).toBe('outside');
});

test('links of both kinds are refused, in the name and on the way', async () => {
  const { root, dir, files } = await space();
  symlinkSync(join(root, 'secret.txt'), join(dir, 'soft.txt'));
  symlinkSync(root, join(dir, 'up'));
  linkSync(join(root, 'secret.txt'), join(dir, 'hard.txt'));
  for (const path of ['soft.txt', 'up/secret.txt', 'up/new.txt', 'hard.txt']) {
    await expect(files.read('home', path)).rejects.toMatchObject({ code: 'path_refused' });
    await expect(files.write('home', path, 'x')).rejects.toMatchObject({ code: 'path_refused' });
  }
  expect(readFileSync(join(root, 'secret.txt'), 'utf8')).toBe('outside');
});

test('a missing file says how to find out what there is', async () => {
  await expect((await space()).files.read('home', 'no.md')).rejects.toMatchObject({ code: 'file_not_found' });
});
