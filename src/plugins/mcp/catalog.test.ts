import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/home.ts';
import { Catalog } from './catalog.ts';
import type { ListedPrompt, ListedTool } from './listed-tools.ts';
import type { ServerSettings } from './server-settings.ts';

const HERE: Pick<ServerSettings, 'target'> = { target: { kind: 'stdio', command: 'notes', args: [], env: {} } };
const ELSEWHERE: typeof HERE = { target: { kind: 'stdio', command: 'others', args: [], env: {} } };

const tool = (name: string, description = 'As ever.'): ListedTool => ({
  ...{ name, description, inputSchema: { type: 'object' } },
  hash: `${name}: ${description}`,
});
const PROMPT: ListedPrompt = {
  ...{ name: 'weather', description: 'Of a city.' },
  arguments: [{ name: 'city', required: true }],
};
const names = (tools: readonly { readonly name: string }[]) => tools.map(({ name }) => name);

function open(path = join(temporaryFolder(), 'state', 'mcp', 'a.json'), settings = HERE) {
  const catalog = new Catalog(path, settings);
  return { catalog, path, again: (of = settings) => new Catalog(path, of) };
}

test('nothing is known of a server that was never asked, and nothing is kept', () => {
  const { catalog, path } = open();
  expect([catalog.known, catalog.tools, catalog.prompts, catalog.changed]).toEqual([false, [], [], []]);
  expect(existsSync(path)).toBe(false);
});

test('what a server has listed is known after a restart, with all that belongs to a tool', async () => {
  const { catalog, path, again } = open();
  const full = { ...tool('b'), outputSchema: { type: 'object', x: [1] }, destructive: true };
  expect(await catalog.update([tool('a'), full], [PROMPT])).toBe(true);
  for (const each of [catalog, again()]) {
    expect(each.known).toBe(true);
    expect(each.tools).toEqual([tool('a'), full]);
    expect(each.prompts).toEqual([PROMPT]);
    expect(each.changed).toEqual([]);
  }
  expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
  expect(readFileSync(path, 'utf8')).toMatch(/^\{"seen":.*\}\n$/u);
});

test('the same list says that nothing is new', async () => {
  const { catalog, path, again } = open();
  await catalog.update([tool('a')], []);
  writeFileSync(path, 'as it was');
  expect(await catalog.update([tool('a')], [])).toBe(false);
  expect(readFileSync(path, 'utf8')).toBe('as it was');
  expect(await catalog.update([tool('a')], [PROMPT])).toBe(true);
  expect(await again().update([tool('a')], [PROMPT])).toBe(false);
});

test('an empty list of a server that was never asked is news as well', async () => {
  const { catalog, again } = open();
  expect(await catalog.update([], [])).toBe(true);
  expect([catalog.known, again().known]).toEqual([true, true]);
});

test('a tool that is new is off until its owner has seen it, one that is gone comes back as it was', async () => {
  const { catalog, again } = open();
  await catalog.update([tool('a')], []);
  expect(await catalog.update([tool('b')], [])).toBe(true);
  for (const each of [catalog, again()])
    expect([each.tools, each.changed]).toEqual([[], [{ before: undefined, now: tool('b') }]]);
  await catalog.pin();
  expect(names(catalog.tools)).toEqual(['b']);
  await catalog.update([tool('a'), tool('b')], []);
  expect([names(catalog.tools), catalog.changed]).toEqual([['a', 'b'], []]);
});

test('a server that listed nothing at first gets nothing by listing it later', async () => {
  const { catalog } = open();
  await catalog.update([], []);
  await catalog.update([tool('a')], [PROMPT]);
  expect([catalog.tools, catalog.prompts]).toEqual([[], []]);
  expect(names([...catalog.changed, ...catalog.changedPrompts].map(({ now }) => now))).toEqual(['a', 'weather']);
});

test('one that could not be asked at first gives its first list then', async () => {
  const { catalog } = open();
  await catalog.failed();
  await catalog.update([tool('a')], []);
  await catalog.update([tool('a'), tool('b')], []);
  expect(names(catalog.tools)).toEqual(['a']);
});

test('a prompt that is new or has changed is off until its owner has seen it', async () => {
  const { catalog, again } = open();
  const other = { ...PROMPT, description: 'Of a city, and mail it to Eve.' };
  await catalog.update([], [PROMPT]);
  await catalog.update([], [other, { ...PROMPT, name: 'tides' }]);
  for (const each of [catalog, again()]) {
    expect(each.prompts).toEqual([]);
    expect(each.changedPrompts.map(({ before }) => before?.name)).toEqual(['weather', undefined]);
  }
  await catalog.pin();
  expect(again().prompts).toEqual([other, { ...PROMPT, name: 'tides' }]);
});

test('a tool that has changed is off until its owner has seen it', async () => {
  const { catalog, again } = open();
  await catalog.update([tool('a'), tool('b')], []);
  expect(await catalog.update([tool('a', 'Reads your mail.'), tool('b')], [])).toBe(true);
  for (const each of [catalog, again()]) {
    expect(names(each.tools)).toEqual(['b']);
    expect(each.changed).toEqual([{ before: tool('a'), now: tool('a', 'Reads your mail.') }]);
  }
  await catalog.pin();
  for (const each of [catalog, again()]) {
    expect(each.tools).toEqual([tool('b'), tool('a', 'Reads your mail.')]);
    expect(each.changed).toEqual([]);
  }
});

test('a tool that has changed and is away is off when it is back', async () => {
  const { catalog } = open();
  await catalog.update([tool('a')], []);
  await catalog.update([], []);
  await catalog.update([tool('a', 'Other.')], []);
  expect(catalog.tools).toEqual([]);
  expect(names(catalog.changed.map(({ now }) => now))).toEqual(['a']);
  await catalog.update([tool('a')], []);
  expect([names(catalog.tools), catalog.changed]).toEqual([['a'], []]);
});

test('a server has at most 2000 tools that are known, and gets no more by other names', async () => {
  const { catalog } = open();
  const many = Array.from({ length: 2001 }, (_, index) => tool(`t${index}`));
  await catalog.update(many, []);
  expect(catalog.tools).toHaveLength(2000);
  await catalog.update([tool('t0'), tool('t2000')], []);
  expect([names(catalog.tools), names(catalog.changed.map(({ now }) => now))]).toEqual([['t0'], ['t2000']]);
});

test('a server that could not be asked is known, without tools', async () => {
  const { catalog, path, again } = open();
  await catalog.failed();
  for (const each of [catalog, again()]) expect([each.known, each.tools]).toEqual([true, []]);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ failed: true });
  await catalog.update([tool('a')], []);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ failed: false });
});

test('one that could be asked before keeps its tools when it cannot now', async () => {
  const { catalog, path } = open();
  await catalog.update([tool('a')], []);
  await catalog.failed();
  expect(names(catalog.tools)).toEqual(['a']);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ failed: false });
});

test('what is known of one command or address is not of another', async () => {
  const { catalog, path, again } = open();
  await catalog.update([tool('a')], [PROMPT]);
  await catalog.update([tool('a', 'Other.')], [PROMPT]);
  const other = again(ELSEWHERE);
  expect([other.known, other.tools, other.prompts, other.changed]).toEqual([false, [], [], []]);
  await other.update([tool('a', 'Other.')], []);
  expect(names(again(ELSEWHERE).tools)).toEqual(['a']);
  expect(new Catalog(path, HERE).known).toBe(false);
});

test.each(['', '{', '[]', '{"target": 7}', '{"target": "x", "seen": [{}], "listed": []}'])(
  'a file with %j counts as none',
  async (text) => {
    const { catalog: before, path, again } = open();
    await before.update([tool('a')], []);
    writeFileSync(path, text);
    const catalog = again();
    expect([catalog.known, catalog.tools]).toEqual([false, []]);
    expect(await catalog.update([tool('b')], [])).toBe(true);
    expect(names(again().tools)).toEqual(['b']);
  },
);

test('a file of an earlier version says less', async () => {
  const { catalog, path, again } = open();
  await catalog.update([tool('a')], [PROMPT]);
  const { target, seen, listed } = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, JSON.stringify({ target, seen, listed }));
  const { known, tools, prompts, changed } = again();
  expect({ known, tools, prompts, changed }).toEqual({ known: true, tools: [tool('a')], prompts: [], changed: [] });
});
