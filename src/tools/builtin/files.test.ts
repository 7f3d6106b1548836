import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../testing/home.ts';
import { openTestStore } from '../../testing/stores.ts';
import { type UndoWorld, undoWorld } from '../../testing/undo-world.ts';
import { notThere } from './project-files.ts';

async function world(files: Readonly<Record<string, string>> = {}) {
  const store = await openTestStore();
  onTestFinished(() => store.close());
  const here = undoWorld(store, temporaryFolder());
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(here.folder, path, '..'), { recursive: true });
    writeFileSync(join(here.folder, path), content);
  }
  const text = (path: string) => readFileSync(join(here.folder, path), 'utf8');
  return { ...here, text };
}

/** The value of a call that has to succeed, or the text of the refusal. */
async function value(here: Pick<UndoWorld, 'call'>, name: string, input: unknown): Promise<unknown> {
  const result = await here.call(name, input);
  return result.ok ? result.value : result.error;
}

describe('read_file', () => {
  const files = { 'a.md': 'one\ntwo\n', 'notes/b.md': 'three', 'notes/c.txt': 'four', '.hidden.md': 'x' };

  test('gives one file as it is', async () => {
    const here = await world(files);
    expect(await value(here, 'read_file', { path: 'a.md' })).toBe('one\ntwo\n');
    expect(await value(here, 'read_file', { path: 'a.md', limit: 1 })).toBe('one');
    expect(await value(here, 'read_file', { path: 'a.md', offset: 2 })).toBe('two');
  });

  test.each([
    [
      ['a.md', 'notes/b.md', 'no.md'],
      ['[a.md, lines 1-2]', '[notes/b.md, line 1]', ''],
    ],
    ['notes/*', ['[notes/b.md, line 1]', '[notes/c.txt, line 1]']],
    ['**/*.md', ['[a.md, lines 1-2]', '[notes/b.md, line 1]']],
    [['*.md', 'a.md'], ['[a.md, lines 1-2]']],
  ])('%j gives passages with citations', async (path, citations) => {
    const here = await world(files);
    const found = (await value(here, 'read_file', { path })) as { citation: string; text: string }[];
    expect(found.map(({ citation }) => citation)).toEqual(citations);
  });

  test('is cited beside its text, and what is missing of it is said there', async () => {
    const lines = Array.from({ length: 900 }, (_, at) => `line ${at + 1} of the diary`);
    const here = await world({ ...files, 'long.md': `${lines.join('\n')}\n` });
    const read = async (input: object) => {
      const result = await here.call('read_file', input);
      if (!result.ok) throw new Error(result.error);
      return { value: String(result.value), beside: result.beside, text: result.text };
    };
    const whole = await read({ path: 'a.md' });
    expect(whole).toEqual({ value: 'one\ntwo\n', beside: '[a.md, lines 1-2]', text: '[a.md, lines 1-2]\none\ntwo\n' });
    const first = await read({ path: 'long.md' });
    const [, last] =
      /^\[long\.md, lines 1-(\d+)\] \d+ lines more: read on with offset \d+\.$/u.exec(first.beside ?? '') ?? [];
    expect(first.value).toBe(lines.slice(0, Number(last)).join('\n'));
    expect(first.text).toBe(`${first.beside}\n${first.value}`);
    const rest = await read({ path: 'long.md', offset: Number(last) + 1, limit: 2 });
    expect(rest.value).toBe(lines.slice(Number(last), Number(last) + 2).join('\n'));
  });

  test('a script gets the whole file, or an error that says how to read it in parts', async () => {
    const most = 'x'.repeat(999_999);
    const here = await world({ 'big.txt': `${most}\n`, 'bigger.txt': `${most}\ny\n` });
    const read = (input: object) => here.call('read_file', input, { script: {} });
    expect(await read({ path: 'big.txt' })).toMatchObject({ ok: true, value: `${most}\n` });
    expect(await read({ path: 'bigger.txt' })).toMatchObject({
      ok: false,
      error: expect.stringContaining(
        'It has 2 lines; one call reads 1000000 characters. Read it in parts, with offset',
      ),
    });
    expect(await read({ path: 'bigger.txt', offset: 2 })).toMatchObject({ ok: true, value: 'y' });
  });

  test('a glob without a file, or with too many, says so', async () => {
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`n${index}.md`, 'x']));
    const here = await world(many);
    expect(await value(here, 'read_file', { path: '*.csv' })).toContain('No file matches "*.csv"');
    expect(await value(here, 'read_file', { path: '*.md' })).toContain('21 files match; at most 20');
  });

  test.each([
    ['minutes/*.md', 'No file matches "minutes/*.md"', 'work/minutes-2026-09-14.md'],
    ['minutes.md', 'There is no minutes.md.', 'work/minutes-2026-09-14.md'],
    ['budgt.csv', 'There is no budgt.csv.', 'budget.csv'],
  ])('%s that is not there says what is near', async (path, problem, near) => {
    const here = await world({ 'work/minutes-2026-09-14.md': 'x', 'budget.csv': 'x', 'notes/garden.md': 'x' });
    const error = String(await value(here, 'read_file', { path }));
    expect(error).toContain(problem);
    expect(error).toMatch(new RegExp(` Near: ${near}\\.$`, 'u'));
  });

  test.each([
    ['edit_file', { path: 'budgt.csv', old: 'x', new: 'y' }],
    ['delete_file', { path: 'budgt.csv' }],
    ['move_file', { from: 'budgt.csv', to: 'b.csv' }],
    ['list_directory', { path: 'budget' }],
    ['search_files', { pattern: 'x', path: 'budgt.csv' }],
    ['search_files', { pattern: 'x', path: 'budget/*' }],
  ])('%s says it as well: %j', async (tool, input) => {
    const here = await world({ 'budget.csv': 'x', 'notes/garden.md': 'x', 'work/log.md': 'x' });
    expect(String(await value(here, tool, input))).toMatch(/ Near: budget\.csv\.$/u);
  });

  test('what is there and not for this program is not called missing', () => {
    const denied = Object.assign(new Error('no'), { code: 'EACCES' });
    expect(notThere('a.md', denied).message).toBe('a.md is there, but this program is not allowed to open it.');
    expect(notThere('a.md').message).toContain('There is no a.md.');
  });

  test('a change that can be taken back says how beside its result', async () => {
    const here = await world(files);
    const beside = async (name: string, input: object) => {
      const result = await here.call(name, input);
      return result.ok ? result.beside : result.error;
    };
    expect(await beside('write_file', { path: 'new.md', content: 'x' })).toBeUndefined();
    const note = String(await beside('delete_file', { path: 'a.md' }));
    const [, id = ''] = /^undo_change (\S+) takes it back\.$/u.exec(note) ?? [];
    expect(await here.undo.effect(id)).toMatchObject({ outcome: 'undone' });
    expect(here.text('a.md')).toBe('one\ntwo\n');
    expect(await beside('edit_file', { path: 'a.md', old: 'two', new: '2' })).toMatch(/^undo_change \S+ takes/u);
  });

  test('a name with brackets is that file', async () => {
    const here = await world({ 'list [old].md': 'x' });
    expect(await value(here, 'read_file', { path: 'list [old].md' })).toBe('x');
  });
});

describe('write_file', () => {
  test('does not replace what the conversation has not read, and says what to do', async () => {
    const here = await world({ 'garden.md': 'roses\n' });
    const input = { path: 'garden.md', content: 'Shed code: 4411' };
    const refused = await value(here, 'write_file', input);
    expect(refused).toContain('it exists and you have not read it since the program started. Call read_file');
    expect(refused).toContain('edit_file');
    expect(here.text('garden.md')).toBe('roses\n');
    await here.call('read_file', { path: './garden.md' });
    expect(await here.call('write_file', input)).toMatchObject({ ok: true });
    expect(await here.call('write_file', { ...input, content: 'again' })).toMatchObject({ ok: true });
  });

  test('what somebody changed meanwhile has to be read again', async () => {
    const here = await world({ 'garden.md': 'roses\n' });
    await here.call('read_file', { path: 'garden.md' });
    writeFileSync(join(here.folder, 'garden.md'), 'tulips');
    expect(await value(here, 'write_file', { path: 'garden.md', content: 'x' })).toContain('changed since you read it');
  });

  test('an edit does not make an unread file known', async () => {
    const here = await world({ 'garden.md': 'roses and tulips' });
    await here.call('edit_file', { path: 'garden.md', old: 'roses', new: 'lilies' });
    expect(await here.call('write_file', { path: 'garden.md', content: 'x' })).toMatchObject({ ok: false });
    await here.call('read_file', { path: 'garden.md' });
    await here.call('edit_file', { path: 'garden.md', old: 'lilies', new: 'roses' });
    expect(await here.call('write_file', { path: 'garden.md', content: 'x' })).toMatchObject({ ok: true });
  });

  test('an empty file, and what is there already, may be written', async () => {
    const here = await world({ 'a.md': '\n', 'b.md': 'same' });
    expect(await here.call('write_file', { path: 'a.md', content: 'x' })).toMatchObject({ ok: true });
    expect(await here.call('write_file', { path: 'b.md', content: 'same' })).toMatchObject({ ok: true });
  });
});

describe('edit_file', () => {
  test.each([
    ['roses', 'lilies', 'line 1', 'lilies\ntulips\ntulips and moss\n'],
    ['tulips and', 'ferns,\nherbs and', 'lines 3-4', 'roses\ntulips\nferns,\nherbs and moss\n'],
    ['roses\ntulips\n', '', 'line 1', 'tulips and moss\n'],
  ])('replaces %j once and says where', async (old, by, where, text) => {
    const here = await world({ 'garden.md': 'roses\ntulips\ntulips and moss\n' });
    expect(await value(here, 'edit_file', { path: 'garden.md', old, new: by })).toBe(
      `Replaced in garden.md, ${where}.`,
    );
    expect(here.text('garden.md')).toBe(text);
  });

  test.each([
    ['tulips', 'x', 'occurs 2 times (lines 2, 3); add what stands before or after it'],
    ['orchids', 'x', 'does not occur in it.'],
    ['  ROSES ', 'x', 'line 1 reads "roses"'],
    ['roses', 'roses', 'old and new are the same'],
  ])('%j -> %j is refused: %s', async (old, by, why) => {
    const here = await world({ 'garden.md': 'roses\ntulips\ntulips and moss\n' });
    expect(await value(here, 'edit_file', { path: 'garden.md', old, new: by })).toContain(why);
    expect(here.text('garden.md')).toBe('roses\ntulips\ntulips and moss\n');
  });

  test('line ends of another system stay', async () => {
    const here = await world({ 'dos.txt': 'one\r\ntwo\r\nthree\r\n' });
    await here.call('edit_file', { path: 'dos.txt', old: 'one\ntwo', new: 'eins\nzwei' });
    expect(here.text('dos.txt')).toBe('eins\r\nzwei\r\nthree\r\n');
  });

  test('a dollar sign is a dollar sign', async () => {
    const here = await world({ 'a.md': 'price' });
    await here.call('edit_file', { path: 'a.md', old: 'price', new: "$& $1 $'" });
    expect(here.text('a.md')).toBe("$& $1 $'");
  });
});

describe('move_file and delete_file', () => {
  test('move, also into a new folder, but over nothing', async () => {
    const here = await world({ 'a.md': 'one', 'b.md': 'two' });
    expect(await value(here, 'move_file', { from: 'a.md', to: 'old/' })).toBe('Moved a.md to old/a.md.');
    expect(here.text('old/a.md')).toBe('one');
    expect(await value(here, 'move_file', { from: 'b.md', to: 'old/a.md' })).toContain('exists already');
    expect(await value(here, 'move_file', { from: 'no.md', to: 'x.md' })).toContain('list_directory shows the files');
    expect(await value(here, 'move_file', { from: 'b.md', to: '../x.md' })).toContain('refused');
  });

  test('delete files, not folders', async () => {
    const here = await world({ 'notes/a.md': 'one' });
    expect(await value(here, 'delete_file', { path: 'notes' })).toContain('it is a folder');
    expect(await value(here, 'delete_file', { path: 'notes/a.md' })).toBe('Deleted notes/a.md.');
    expect(existsSync(join(here.folder, 'notes/a.md'))).toBe(false);
    expect(await value(here, 'delete_file', { path: 'notes/a.md' })).toContain('There is no notes/a.md.');
  });
});

test('list_directory gives paths that the other tools take', async () => {
  const here = await world({ 'notes/b.md': 'three', 'notes/deep/c.md': 'x', 'a.md': 'one' });
  expect(await value(here, 'list_directory', {})).toEqual([{ path: 'a.md', bytes: 3 }, { path: 'notes/' }]);
  const inside = [{ path: 'notes/b.md', bytes: 5 }, { path: 'notes/deep/' }];
  for (const path of ['notes', 'notes/', './notes'])
    expect(await value(here, 'list_directory', { path })).toEqual(inside);
  expect(await value(here, 'read_file', { path: 'notes/b.md' })).toBe('three');
});

describe('search_files', () => {
  const files = {
    'garden.md': 'Roses (red)\n  shed code 4411\n',
    'notes/b.md': 'the shed\nthe Shed',
    'pic.jpg': 'shed\0',
  };

  test.each([
    [{ pattern: 'shed' }, ['garden.md:2', 'notes/b.md:1', 'notes/b.md:2']],
    [{ pattern: 'Shed' }, ['notes/b.md:2']],
    [{ pattern: '(red)' }, ['garden.md:1']],
    [{ pattern: 'shed|rose', regex: true, path: 'garden.md' }, ['garden.md:1', 'garden.md:2']],
    [{ pattern: String.raw`^the\s+Shed$`, regex: true }, ['notes/b.md:2']],
    [{ pattern: String.raw`\d{4}`, regex: true, path: '*.md' }, ['garden.md:2']],
    [{ pattern: 'shed', path: 'notes' }, ['notes/b.md:1', 'notes/b.md:2']],
    [{ pattern: 'orchid' }, []],
  ])('%j', async (input, lines) => {
    const here = await world(files);
    const { matches } = (await value(here, 'search_files', input)) as { matches: { path: string; line: number }[] };
    expect(matches.map(({ path, line }) => `${path}:${line}`)).toEqual(lines);
  });

  test('an expression that would take for ever takes no longer than any other', async () => {
    const here = await world({ 'hostile.txt': `${'a'.repeat(100_000)}!` });
    for (const pattern of ['(a+)+$', '(a|aa)*b', '(.*a){9}c'])
      expect(await here.call('search_files', { pattern, regex: true })).toMatchObject({ ok: true });
    expect(await value(here, 'search_files', { pattern: '(?=a)b', regex: true })).toContain('no regular expression');
    expect(await value(here, 'search_files', { pattern: '(', regex: true })).toContain('no regular expression');
  });

  test('a hundred lines at most', async () => {
    const here = await world({ 'long.txt': 'shed\n'.repeat(200) });
    expect(await value(here, 'search_files', { pattern: 'shed' })).toMatchObject({
      matches: { length: 100 },
      note: expect.stringContaining('more'),
    });
  });
});
