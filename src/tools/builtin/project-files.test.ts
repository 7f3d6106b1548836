import { createHash } from 'node:crypto';
import { linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
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

test('the hash of a file tells what it holds; what is no file has none', async () => {
  const { files } = await space();
  await files.write('home', 'b/a.md', 'roses');
  expect(await files.hash('home', 'b/a.md')).toBe(createHash('sha256').update('roses').digest('hex'));
  expect([await files.hash('home', 'b'), await files.hash('home', 'no.md')]).toEqual([undefined, undefined]);
  await expect(files.hash('home', '../secret.txt')).rejects.toMatchObject({ code: 'path_refused' });
});

test('a file is moved with its content, never over another one, and only if it is there', async () => {
  const { dir, files } = await space();
  await files.write('home', 'a.md', 'roses');
  await files.move('home', { from: 'a.md', to: 'deep/er/b.md' });
  expect(await files.read('home', 'deep/er/b.md')).toBe('roses');
  expect(await files.exists('home', 'a.md')).toBe(false);
  await files.write('home', 'a.md', 'tulips');
  await expect(files.move('home', { from: 'a.md', to: 'deep/er/b.md' })).rejects.toMatchObject({
    code: 'path_refused',
    message: expect.stringContaining('"deep/er/b.md" is refused: it exists already.'),
  });
  expect(readFileSync(join(dir, 'a.md'), 'utf8')).toBe('tulips');
  await expect(files.move('home', { from: 'no.md', to: 'c.md' })).rejects.toMatchObject({ code: 'file_not_found' });
});

test('a file is deleted, a folder is not', async () => {
  const { files } = await space();
  await files.write('home', 'b/a.md', 'roses');
  await expect(files.delete('home', 'b')).rejects.toMatchObject({
    code: 'path_refused',
    message: expect.stringContaining('"b" is refused: it is a folder; delete its files one by one.'),
  });
  await files.delete('home', 'b/a.md');
  expect(await files.exists('home', 'b/a.md')).toBe(false);
  await expect(files.delete('home', 'b/a.md')).rejects.toMatchObject({ code: 'file_not_found' });
  // What is gone already need not be removed.
  await files.remove('home', 'b/a.md');
});

test('an edit gets what is there, and makes a file where none is', async () => {
  const { dir, files } = await space();
  const seen: (string | undefined)[] = [];
  const edit = (text: string) =>
    files.edit('home', 'b/a.md', (before) => {
      seen.push(before);
      return text;
    });
  expect([await edit('roses'), await edit('roses'), await edit('tulips')]).toEqual(['roses', 'roses', 'tulips']);
  expect(seen).toEqual([undefined, 'roses', 'roses']);
  expect(readFileSync(join(dir, 'b', 'a.md'), 'utf8')).toBe('tulips');
});

test('files below a folder are listed with their size, by the names they have in the project', async () => {
  const { files } = await space();
  await files.write('home', 'b/c/a.md', 'roses');
  await files.write('home', 'b.md', 'x');
  const all = await files.files('home', '.');
  expect(all.sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
    { path: 'b.md', bytes: 1 },
    { path: 'b/c/a.md', bytes: 5 },
  ]);
  expect(await files.files('home', 'b')).toEqual([{ path: 'b/c/a.md', bytes: 5 }]);
  await expect(files.files('home', 'none')).rejects.toMatchObject({ code: 'file_not_found' });
  await expect(files.list('home', 'none')).rejects.toMatchObject({ code: 'file_not_found' });
  expect((await files.list('home', '')).map(({ name }) => name)).toEqual(['b', 'b.md']);
});

test('a file that is too large says what to do instead', async () => {
  const { dir, files } = await space();
  writeFileSync(join(dir, 'large.bin'), '');
  truncateSync(join(dir, 'large.bin'), 50_000_000);
  await expect(files.read('home', 'large.bin')).rejects.toMatchObject({
    code: 'path_refused',
    message: expect.stringMatching(/^large\.bin is too large \(50000000 bytes\)\. /u),
    hint: expect.stringMatching(/^Files up to \d+ bytes can be read; ingest larger ones and ask query_rag\.$/u),
  });
});

test.each([
  ['/etc/passwd', 'it is absolute'],
  ['c:/x', 'it is absolute'],
  ['a\\b', 'it has a backslash; use /'],
  ['a\u0000b', 'it has invisible characters'],
  ['e\u0301.md', 'its characters are not in composed form (NFC)'],
  ['a/../b', 'it leaves the folder'],
  ['a/\uff0e\uff0e/b', 'it leaves the folder'],
  ['con', 'con is a reserved name'],
  ['a/LPT1.txt', 'LPT1.txt is a reserved name'],
  ['a.', 'a. is a reserved name'],
  ['ab/aux:b', 'aux:b is a reserved name'],
  ['', 'it names no file'],
  ['./', 'it names no file'],
])('%j is refused: %s', async (path, why) => {
  const { files } = await space();
  const hint = "Give a path inside the project's folder, like ideas/garden.md.";
  await expect(files.write('home', path, 'x')).rejects.toMatchObject({
    ...{ code: 'path_refused', message: `${JSON.stringify(path)} is refused: ${why}. ${hint}`, hint },
  });
});
