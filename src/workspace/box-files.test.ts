import { expect, test, vi } from 'vitest';
import type { BoxResult, BoxRun } from './backend.ts';
import { BoxFiles } from './box-files.ts';

/** Files in a box in which every command comes to this. */
function filesIn(result: Partial<BoxResult>) {
  const runs: BoxRun[] = [];
  const run = async (command: BoxRun) => {
    runs.push(command);
    return { exitCode: 0, stdout: '', stderr: '', ...result };
  };
  const files = new BoxFiles(async () => ({ run, close: async () => {} }));
  return { files, runs };
}

test('a command in the box gets the whole path as a word, ten seconds, and room for a large file', async () => {
  const timeUp = new AbortController();
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(timeUp.signal);
  const { files, runs } = filesIn({});
  await files.read('home', 'a b.txt');
  expect(runs).toEqual([
    {
      argv: ['sh', '-c', expect.stringContaining('base64 -w0'), 'sh', '/workspace/a b.txt'],
      stdin: undefined,
      timeoutMs: 10_000,
      signal: timeUp.signal,
      maxOutputChars: 10_000_000,
    },
  ]);
  expect(timeout.mock.calls).toEqual([[10_000]]);
  timeout.mockRestore();
});

test('content crosses in base64, both ways', async () => {
  const base64 = Buffer.from('ünïcode ✓\n').toString('base64');
  const reading = filesIn({ stdout: base64 });
  expect(await reading.files.read('home', 'a.txt')).toBe('ünïcode ✓\n');
  const writing = filesIn({});
  await writing.files.write('home', 'a.txt', 'ünïcode ✓\n');
  expect(writing.runs).toMatchObject([
    { stdin: base64, argv: ['sh', '-c', expect.stringMatching(/base64 -d/u), 'sh', '/workspace/a.txt'] },
  ]);
});

test('an edit reads, changes and writes; of a file that is not there it makes one', async () => {
  const old = filesIn({ stdout: Buffer.from('one').toString('base64') });
  expect(await old.files.edit('home', 'a.txt', async (text) => `${text} two`)).toBe('one two');
  expect(old.runs.map(({ argv }) => argv[4])).toEqual(Array(3).fill('/workspace/a.txt'));
  expect(old.runs[2]?.stdin).toBe(Buffer.from('one two').toString('base64'));
  const codes = [1, 0];
  const runs: BoxRun[] = [];
  const run = async (command: BoxRun) => {
    runs.push(command);
    return { exitCode: codes.shift() ?? 1, stdout: '', stderr: '' };
  };
  const files = new BoxFiles(async () => ({ run, close: async () => {} }));
  expect(await files.edit('home', 'a.txt', async (text) => String(text))).toBe('undefined');
  expect(runs.map(({ stdin }) => stdin)).toEqual([undefined, Buffer.from('undefined').toString('base64')]);
});

test('a file is moved, deleted and looked for by its whole path', async () => {
  const { files, runs } = filesIn({});
  await files.move('home', { from: 'a', to: 'b/c' });
  await files.delete('home', 'd');
  expect(await files.exists('home', 'e')).toBe(true);
  expect(runs.map(({ argv }) => argv.slice(4))).toEqual([
    ['/workspace/a', '/workspace/b/c'],
    ['/workspace/d'],
    ['/workspace/e'],
  ]);
  expect(await filesIn({ exitCode: 1 }).files.exists('home', 'e')).toBe(false);
});

test('a folder is listed by name, whatever the names are', async () => {
  const stdout = 'regular file|3|./b|c.txt\nregular empty file|0|./a.txt\n\ndirectory|4096|./B\nsymbolic link|12|./c\n';
  const { files, runs } = filesIn({ stdout });
  expect(await files.list('home', '')).toEqual([
    { name: 'B', folder: true },
    { name: 'a.txt', folder: false, bytes: 0 },
    { name: 'b|c.txt', folder: false, bytes: 3 },
    { name: 'c', folder: false, bytes: 12 },
  ]);
  expect(runs[0]?.argv[4]).toBe('/workspace');
});

test('all files below a folder are named from the workspace, in order', async () => {
  const { files, runs } = filesIn({ stdout: '12|/workspace/b/2|x.txt\n\n0|/workspace/a.txt\n7|/workspace/b/1.txt\n' });
  expect(await files.files('home', 'b')).toEqual([
    { path: 'a.txt', bytes: 0 },
    { path: 'b/1.txt', bytes: 7 },
    { path: 'b/2|x.txt', bytes: 12 },
  ]);
  expect(runs[0]?.argv[4]).toBe('/workspace/b');
});

test('what follows a line break in a name is no file of its own', async () => {
  const listed = filesIn({ stdout: 'regular file|1|./a\nb\nregular file|2|./c\n' });
  expect(await listed.files.list('home', '.')).toEqual([
    { name: 'a', folder: false, bytes: 1 },
    { name: 'c', folder: false, bytes: 2 },
  ]);
  const found = filesIn({ stdout: '1|/workspace/a\nb\nx2|/workspace/b\n2|/workspace/c\n' });
  expect(await found.files.files('home', '.')).toEqual([
    { path: 'a', bytes: 1 },
    { path: 'c', bytes: 2 },
  ]);
});

test.each([
  ['', '/workspace'],
  ['.', '/workspace'],
  ['/workspace', '/workspace'],
  ['/workspace/', '/workspace'],
  ['a/../b', '/workspace/b'],
  ['/workspace/../workspace/a', '/workspace/a'],
])('%j is the place %s', async (path, place) => {
  const { files, runs } = filesIn({});
  await files.exists('home', path);
  expect(runs[0]?.argv[4]).toBe(place);
});

test.each(['..', '/etc/passwd', '/workspace2/a', 'a/../../b', '/', 'a\0b'])('%j is refused unseen', async (path) => {
  const { files, runs } = filesIn({});
  const hint = 'Give a path below /workspace.';
  const refused = {
    code: 'path_refused',
    message: `${JSON.stringify(path)} is refused: it is outside the workspace. ${hint}`,
    hint,
  };
  await expect(files.read('home', path)).rejects.toMatchObject(refused);
  await expect(files.write('home', path, '')).rejects.toMatchObject(refused);
  await expect(files.move('home', { from: 'a', to: path })).rejects.toMatchObject(refused);
  await expect(files.move('home', { from: path, to: 'a' })).rejects.toMatchObject(refused);
  await expect(files.delete('home', path)).rejects.toMatchObject(refused);
  await expect(files.list('home', path)).rejects.toMatchObject(refused);
  await expect(files.files('home', path)).rejects.toMatchObject(refused);
  await expect(files.exists('home', path)).rejects.toMatchObject(refused);
  expect(runs).toEqual([]);
});

const MISSING_HINT = 'list_directory shows what is there.';

test.each([
  [
    { exitCode: 90 },
    {
      code: 'path_refused',
      message: '"a" is refused: it is outside the workspace. Give a path below /workspace.',
      hint: 'Give a path below /workspace.',
    },
  ],
  [
    { exitCode: 91 },
    { code: 'file_not_found', message: `a is not in the workspace. ${MISSING_HINT}`, hint: MISSING_HINT },
  ],
  [{ exitCode: 92 }, { message: 'a is larger than 5000000 bytes; read part of it with execute_command' }],
  [{ exitCode: 1, stderr: ' rm: no\n' }, { message: 'a: rm: no' }],
  [{ exitCode: 7, stderr: ' \n' }, { message: 'a: exit 7' }],
])('what went wrong inside is said: %j', async (result, error) => {
  const { files } = filesIn(result);
  await expect(files.read('home', 'a')).rejects.toMatchObject(error);
  await expect(files.write('home', 'a', '')).rejects.toMatchObject(error);
  await expect(files.move('home', { from: 'a', to: 'b' })).rejects.toMatchObject(error);
  await expect(files.delete('home', 'a')).rejects.toMatchObject(error);
  await expect(files.list('home', 'a')).rejects.toMatchObject(error);
  await expect(files.files('home', 'a')).rejects.toMatchObject(error);
});
