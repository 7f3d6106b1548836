import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { AssistantError } from '../../base/errors.ts';
import { temporaryFolder } from '../../testing/home.ts';
import { testScope, testToolbox } from '../../testing/scope.ts';
import { openTestStore } from '../../testing/stores.ts';
import { undoWorld } from '../../testing/undo-world.ts';
import type { FileToolParts } from './file-tool-parts.ts';
import { findTools, matching } from './find-files.ts';

interface Given {
  readonly files?: Readonly<Record<string, string | Error>>;
  readonly listed?: readonly { readonly name: string; readonly folder: boolean; readonly bytes?: number }[];
}

/** The tools on files that are there in name only; which of them are read is noted. */
async function world({ files = {}, listed = [] }: Given) {
  const [read, asked]: [string[], string[]] = [[], []];
  const space = {
    list: async (_project: string, path: string) => {
      asked.push(path);
      return listed;
    },
    files: async (_project: string, path: string) => {
      asked.push(path);
      return Object.keys(files).map((each) => ({ path: each, bytes: 1 }));
    },
    read: async (_project: string, path: string) => {
      read.push(path);
      const text = files[path] ?? '';
      if (text instanceof Error) throw text;
      return text;
    },
  };
  const parts = { spaceOf: () => space } as unknown as FileToolParts;
  const scope = await testScope();
  const toolbox = testToolbox(findTools(parts), scope);
  const call = async (name: string, input: object) => {
    const result = await toolbox.call(name, input, scope);
    return result.ok ? result.value : result.error;
  };
  const glob = (pattern: string) => matching(parts, pattern, { ...scope.context, turn: scope.turn } as never);
  return { call, glob, read, asked };
}

const many = (count: number, text: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, nth) => [`${nth}.md`, text]));

test('a folder is listed with what is in it, five hundred at most', async () => {
  const listed = Array.from({ length: 501 }, (_, nth) => ({ name: `${nth}.md`, folder: false, bytes: nth }));
  const { call, asked } = await world({ listed: [{ name: 'deep', folder: true }, ...listed] });
  const rows = (await call('list_directory', { path: '././notes//' })) as object[];
  expect(rows).toHaveLength(500);
  expect([rows[0], rows[1], rows[499]]).toEqual([
    { path: 'notes/deep/' },
    { path: 'notes/0.md', bytes: 0 },
    { path: 'notes/498.md', bytes: 498 },
  ]);
  expect(((await call('list_directory', { path: './' })) as object[])[1]).toEqual({ path: '0.md', bytes: 0 });
  expect(((await call('list_directory', {})) as object[])[0]).toEqual({ path: 'deep/' });
  expect(asked).toEqual(['././notes//', './', '.']);
});

test('a glob names files of the whole project, or it is said that there is none', async () => {
  const { glob } = await world({ files: { 'a.md': '', 'b/c.md': '', 'b/d.txt': '' } });
  expect([await glob('./*.md'), await glob('**/*.md')]).toEqual([['a.md'], ['a.md', 'b/c.md']]);
  const hint = 'list_directory shows the files.';
  await expect(glob('*.pdf')).rejects.toMatchObject({
    ...{ code: 'file_not_found', message: `No file matches "*.pdf". ${hint}`, hint },
  });
});

describe('a search', () => {
  test('reads two thousand files, and says how many are left', async () => {
    const all = await world({ files: many(2000, 'x') });
    expect(await all.call('search_files', { pattern: 'tulip' })).toEqual({ matches: [] });
    const { call, read } = await world({ files: many(2001, 'x') });
    expect(await call('search_files', { pattern: 'tulip' })).toEqual({
      ...{ matches: [], note: '1 files were not searched; give a path.' },
    });
    expect(read).toHaveLength(2000);
  });

  test('ends after a hundred lines, only if there are more', async () => {
    const more = 'There are more; search for something rarer.';
    const hundred = await world({ files: many(100, 'tulip') });
    expect(await hundred.call('search_files', { pattern: 'tulip' })).not.toHaveProperty('note');
    const { call, read } = await world({ files: many(105, 'tulip') });
    expect(await call('search_files', { pattern: 'tulip' })).toMatchObject({ matches: { length: 100 }, note: more });
    expect(read).toHaveLength(101);
  });

  test('shows each line without what is around it, up to 240 characters', async () => {
    const { call } = await world({ files: { 'a.md': `one\n\t tulip ${'x'.repeat(300)}\r\nthree` } });
    expect(await call('search_files', { pattern: 'tulip' })).toEqual({
      matches: [{ path: 'a.md', line: 2, text: `tulip ${'x'.repeat(234)}…` }],
    });
  });

  test('passes over what is no text or cannot be read; other trouble is told', async () => {
    const refused = new AssistantError('path_refused', 'It is too large.', { hint: '' });
    const { call } = await world({ files: { 'a.md': refused, 'b.bin': 'tulip\0', 'c.md': 'tulip' } });
    const matches = [{ path: 'c.md', line: 1, text: 'tulip' }];
    expect(await call('search_files', { pattern: 'tulip' })).toEqual({ matches });
    const broken = await world({ files: { 'a.md': new Error('no disk') } });
    expect(await broken.call('search_files', { pattern: 'tulip' })).toContain('no disk');
  });

  test.each([
    [undefined, ['a.md', 'b/c.md', 'b/d.txt'], '.'],
    ['.', ['a.md', 'b/c.md', 'b/d.txt'], '.'],
    ['./b/*.md', ['b/c.md'], '.'],
    ['**/*.{md,txt}', ['a.md', 'b/c.md', 'b/d.txt'], '.'],
    ['b/[c].md', ['b/c.md'], '.'],
    ['b/?.txt', ['b/d.txt'], '.'],
    ['b', ['a.md', 'b/c.md', 'b/d.txt'], 'b'],
  ])('in %j reads these files: %j', async (path, expected, where) => {
    const { call, read, asked } = await world({ files: { 'a.md': '', 'b/c.md': '', 'b/d.txt': '' } });
    await call('search_files', { pattern: 'x', ...(path !== undefined && { path }) });
    expect([read, asked]).toEqual([expected, [where]]);
  });

  test.each([
    ['tulip', false, true],
    ['Tulip', false, false],
    ['TULIP', false, true],
    ['^tulips$', true, true],
    [String.raw`\Wtulips`, true, false],
    [String.raw`tulips\S?$`, true, true],
    ['^Tulips', true, false],
    ['^tulips$', false, false],
  ])('for %j (an expression: %s) finds "TULIPS": %s', async (pattern, regex, expected) => {
    const { call } = await world({ files: { 'a.md': 'TULIPS\r\n' } });
    const { matches } = (await call('search_files', { pattern, regex })) as { matches: object[] };
    expect(matches.length > 0).toBe(expected);
  });

  test('for an expression that cannot be searched for says what to do', async () => {
    const { call } = await world({});
    const said = await call('search_files', { pattern: '(?=a)', regex: true });
    expect(said).toContain('"(?=a)" is no regular expression that can be searched for.');
  });
});

describe('list_directory by depth', () => {
  const store = () => undoFolder({ 'a/b/c.md': 'x', 'a/d.md': 'x', 'e.md': 'x' });

  test('lists folders with what is in them, as deep as was asked for', async () => {
    const list = await store();
    const paths = async (input: object) => ((await list(input)) as { path: string }[]).map(({ path }) => path);
    expect(await paths({})).toEqual(['a/', 'e.md']);
    expect(await paths({ depth: 2 })).toEqual(['a/', 'a/b/', 'a/d.md', 'e.md']);
    expect(await paths({ path: 'a', depth: 2 })).toEqual(['a/b/', 'a/b/c.md', 'a/d.md']);
  });

  test('a model is told beside the list how much is missing, a script gets all', async () => {
    const many = Object.fromEntries(Array.from({ length: 503 }, (_, at) => [`n${at}.md`, 'x']));
    const list = await undoFolder(many);
    expect(await list({})).toHaveLength(500);
    expect(list.beside()).toBe('3 more are not listed: list one of the folders, or use search_files.');
    expect(await list({}, { script: {} })).toHaveLength(503);
  });
});

/** `list_directory` on real files. */
async function undoFolder(files: Readonly<Record<string, string>>) {
  const opened = await openTestStore();
  onTestFinished(() => opened.close());
  const here = undoWorld(opened, temporaryFolder());
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(here.folder, path, '..'), { recursive: true });
    writeFileSync(join(here.folder, path), content);
  }
  let beside: string | undefined;
  const list = async (input: object, more?: { readonly script: object }) => {
    const result = await here.call('list_directory', input, more);
    beside = result.ok ? result.beside : undefined;
    return result.ok ? result.value : result.error;
  };
  return Object.assign(list, { beside: () => beside });
}
