import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { startDocuments } from '../testing/documents.ts';
import type { IngestProgress } from './types.ts';

const signal = new AbortController().signal;

async function makeHome() {
  const { home, documents, projects } = await startDocuments();
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
    return join(home, path);
  };
  const ingest = (...paths: string[]) =>
    documents.ingest(
      'home',
      paths.map((path) => join(home, path)),
      { signal },
    );
  const search = (query: string) => documents.search('home', query, { k: 5 });
  return { home, documents, projects, write, ingest, search };
}

const OSLO =
  '# Oslo\n\n## Ferries\n\nThe ferry to Nesodden leaves every hour.\n\n## Food\n\nTry the waffles with brown cheese.\n';

test('a passage is found with file, heading path and lines', async () => {
  const { write, ingest, search } = await makeHome();
  write('docs/travel/oslo.md', OSLO);
  write('docs/tax.txt', 'Tax return\n\nThe deadline is the last day of April.\n');
  expect(await ingest('docs')).toMatchObject({ indexed: 2, unchanged: 0, chunks: 3 });
  const [first] = await search('when does the ferry leave');
  expect(first).toMatchObject({
    file: 'travel/oslo.md',
    documentId: 'travel/oslo',
    heading: ['Oslo', 'Ferries'],
    lines: [5, 5],
    citation: '[travel/oslo.md, Ferries, line 5]',
  });
});

test('a misspelt query finds the word', async () => {
  const { write, ingest, search } = await makeHome();
  write('docs/oslo.md', OSLO);
  write('docs/tax.txt', 'Tax return\n\nThe deadline is the last day of April.\n');
  await ingest('docs');
  expect((await search('wafles'))[0]?.heading).toEqual(['Oslo', 'Food']);
});

test('a note just written is found also where a look at the whole folder takes long', async () => {
  const { documents, projects, write } = await makeHome();
  for (let file = 0; file < 200; file++) write(`projects/home/${file}.md`, `# File ${file}\n\nnumber${file}\n`);
  expect((await documents.search('home', 'number7', { k: 1 }))[0]?.file).toBe('7.md');
  await projects.appendJournal('home', 'The plumber is called Anders.', {
    at: new Date('2026-01-02T03:05:00Z'),
    timeZone: 'UTC',
  });
  expect((await documents.search('home', 'plumber', { k: 1 }))[0]?.text).toBe('The plumber is called Anders.');
});

test('unchanged files cost nothing, changed ones are replaced, deleted ones leave, renamed ones move', async () => {
  const { home, write, ingest, search } = await makeHome();
  write('docs/a.md', '# A\n\nalpha one\n');
  write('docs/b.md', '# B\n\nbeta two\n');
  write('docs/c.md', '# C\n\ngamma three\n');
  await ingest('docs');
  expect(await ingest('docs')).toMatchObject({ indexed: 0, unchanged: 3, removed: 0, renamed: 0 });
  write('docs/a.md', '# A\n\ndelta four and more\n');
  rmSync(join(home, 'docs/b.md'));
  renameSync(join(home, 'docs/c.md'), join(home, 'docs/d.md'));
  expect(await ingest('docs')).toMatchObject({ indexed: 1, unchanged: 0, removed: 1, renamed: 1, chunks: 2 });
  expect(await search('alpha')).toEqual([]);
  expect(await search('beta')).toEqual([]);
  expect((await search('gamma'))[0]).toMatchObject({ file: 'd.md', documentId: 'd' });
  expect((await search('delta'))[0]).toMatchObject({ file: 'a.md' });
});

test('missing, empty, binary and too large files are named and the others are taken', async () => {
  const { home, write, ingest, documents } = await makeHome();
  write('docs/good.md', '# Good\n\ntext\n');
  write('docs/empty.md', '');
  write('docs/picture.bin', 'a\u0000b');
  write('docs/large.txt', 'x'.repeat(51 * 1024 * 1024));
  const report = await ingest('docs', 'nowhere.md');
  expect(report).toMatchObject({ indexed: 1, empty: ['empty.md'], missing: [join(home, 'nowhere.md')] });
  expect(report.skipped).toEqual([
    { file: 'large.txt', why: 'larger than 50 MB (RAG_MAX_FILE_MB)' },
    { file: 'picture.bin', why: 'binary file' },
  ]);
  const states = (await documents.sources('home')).map(({ file, state }) => `${file} ${state}`);
  expect(states).toEqual(['empty.md empty', 'good.md indexed', 'large.txt skipped', 'picture.bin skipped']);
});

test('document ids drop the extension unless two would be equal', async () => {
  const { write, ingest, documents } = await makeHome();
  write('docs/x/plan.md', 'one');
  write('docs/x/plan.txt', 'two');
  write('docs/x/v1.2.md', 'three');
  await ingest('docs');
  const ids = (await documents.sources('home')).map(({ documentId }) => documentId);
  expect(ids).toEqual(['x/plan.md', 'x/plan.txt', 'x/v1.2']);
});

test('an aborted ingest keeps what it did and the next one completes it', async () => {
  const { home, documents, write, ingest } = await makeHome();
  for (let index = 0; index < 1000; index++) write(`docs/${index}.md`, `# D${index}\n\nnumber ${index}\n`);
  const controller = new AbortController();
  const onProgress = () => controller.abort();
  const first = await documents.ingest('home', [join(home, 'docs')], { signal: controller.signal, onProgress });
  expect(first.aborted).toBe(true);
  const second = await ingest('docs');
  expect(first.indexed + second.indexed).toBe(1000);
  expect(second).toMatchObject({ aborted: false, chunks: 1000 });
});

test('whoever gives up while the index is built does not wait for it, and finds what was read', async () => {
  const { home, documents, write, ingest, search } = await makeHome();
  const total = 1600;
  write('docs/log.md', Array.from({ length: total }, (_, n) => `# D${n}\n\nnumber n${n}\n`).join('\n'));
  const controller = new AbortController();
  let indexed = 0;
  const onProgress = ({ stage, done }: IngestProgress) => {
    if (stage !== 'index') return;
    indexed = done;
    controller.abort();
  };
  const first = await documents.ingest('home', [join(home, 'docs')], { signal: controller.signal, onProgress });
  expect(first).toMatchObject({ aborted: true, indexed: 1, chunks: total });
  expect(indexed).toBeLessThan(total);
  expect((await search('n1599'))[0]?.text).toContain('n1599');
  expect(await ingest('docs')).toMatchObject({ aborted: false, unchanged: 1 });
});

async function whole<T>(parts: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const part of parts) all.push(part);
  return all;
}

test('files are listed a page at a time, in order and none twice, and counted by their state', async () => {
  const { documents, write, ingest } = await makeHome();
  const names = Array.from({ length: 1100 }, (_, n) => `${String(n).padStart(4, '0')}.md`);
  for (const name of names) write(`docs/${name}`, name === '0007.md' ? '' : `# ${name}\n\nwords\n`);
  await ingest('docs');
  const pages = await whole(documents.sourcePages('home'));
  expect(pages.length).toBeGreaterThan(2);
  expect(pages.flat().map(({ file }) => file)).toEqual(names);
  expect(await documents.sources('home')).toEqual(pages.flat());
  const empty = await whole(documents.sourcePages('home', { states: ['empty', 'failed'] }));
  expect(empty.flat()).toMatchObject([{ file: '0007.md', state: 'empty' }]);
  expect(await documents.sourceCounts('home')).toEqual({ files: 1100, passages: 1099, byState: [1099, 1, 0, 0] });
});

test('conditions narrow a search by file, day, exact words and words that must not stand there', async () => {
  const { projects, write, ingest, search } = await makeHome();
  write('docs/pier.md', '# Piers\n\nThe boat lies at the north pier.\n');
  write('docs/crane/lift.md', '# Crane\n\nThe boat is lifted by the crane.\n');
  await ingest('docs');
  await projects.appendJournal('home', 'Painted the boat.', { at: new Date('2020-05-06T07:08:00Z'), timeZone: 'UTC' });
  const files = async (query: string) => (await search(query)).map(({ file }) => file).sort();
  expect(await files('boat')).toEqual(['crane/lift.md', 'home.md', 'pier.md']);
  expect(await files('boat file:crane')).toEqual(['crane/lift.md']);
  expect(await files('boat file:*.md -"crane"')).toEqual(['home.md', 'pier.md']);
  expect(await files('boat +"at the north"')).toEqual(['pier.md']);
  expect(await files('boat dt<2021')).toEqual(['home.md']);
  expect(await files('boat dt=2020-05-06')).toEqual(['home.md']);
  expect(await files('file:crane')).toEqual(['crane/lift.md']);
  expect(await files('boat dt>=2021')).toEqual(['crane/lift.md', 'pier.md']);
});

test('a note just written is found without an ingest', async () => {
  const { projects, search } = await makeHome();
  const note = (text: string, at: string) =>
    projects.appendJournal('home', text, { at: new Date(at), timeZone: 'UTC' });
  await note('The spare key lies under the third flowerpot.', '2026-01-02T03:04:00Z');
  expect(await search('where is the spare key')).toMatchObject([{ citation: '[home.md, line 3]' }]);
  await note('The plumber is called Anders.', '2026-01-02T03:05:00Z');
  expect((await search('plumber'))[0]?.text).toBe('The plumber is called Anders.');
});

test('passages that say the same are given once', async () => {
  const { write, ingest, search } = await makeHome();
  write('docs/a.md', '# Dock\n\nThe dock opens at six.\n');
  write('docs/copy.md', '# Dock\n\nThe dock opens at six.\n');
  await ingest('docs');
  const found = await search('when does the dock open');
  expect(found).toMatchObject([
    { citation: '[a.md, Dock, line 3]', copies: [{ citation: '[copy.md, Dock, line 3]' }] },
  ]);
});

test('neighbours come along when asked for, and a second citation covers all that is shown', async () => {
  const { documents, write, ingest } = await makeHome();
  const day = '# Day\n\n## One\n\nFirst tea.\n\n## Two\n\nThen the mast is raised.\n\n## Three\n\nLast supper.\n';
  write('docs/b.md', day);
  await ingest('docs');
  const [mast] = await documents.search('home', 'mast raised', { k: 1, neighbours: 1 });
  expect(mast).toMatchObject({
    text: 'Then the mast is raised.',
    citation: '[b.md, Two, line 9]',
    heading: ['Day', 'Two'],
  });
  const whole = { file: 'b.md', heading: ['Day'], lines: [5, 13], citation: '[b.md, Day, lines 5-13]' };
  expect(mast?.context).toMatchObject({ ...whole, before: 'First tea.', after: 'Last supper.' });
  const [supper] = await documents.search('home', 'last supper', { k: 1, neighbours: 1 });
  expect(supper?.context).toMatchObject({ before: 'Then the mast is raised.', after: '', lines: [9, 13] });
  expect((await documents.search('home', 'mast raised', { k: 1 }))[0]).not.toHaveProperty('context');
});

test('a watched folder is followed: what is written, changed and deleted', async () => {
  const { home, documents, write, ingest, search } = await makeHome();
  write('docs/a.md', '# A\n\nalpha\n');
  await ingest('docs');
  const controller = new AbortController();
  const onReport = vi.fn();
  const watching = documents.watch('home', { signal: controller.signal, onReport });
  // The watcher does not report when it is ready, so write until it has noticed.
  await vi.waitFor(
    async () => {
      write('docs/b.md', `# B\n\nbravo ${performance.now()}\n`);
      await vi.waitFor(() => expect(onReport).toHaveBeenCalled(), { timeout: 3000 });
    },
    { timeout: 20_000 },
  );
  expect((await search('bravo'))[0]?.file).toBe('b.md');
  rmSync(join(home, 'docs/a.md'));
  await vi.waitFor(async () => expect(await search('alpha')).toEqual([]), { timeout: 15_000, interval: 300 });
  controller.abort();
  await watching;
});

test.each(['../x', 'a/b', '..', '/etc'])('the project name %j reaches no folder', async (name) => {
  const { home, documents } = await makeHome();
  await expect(documents.search(name, 'x', { k: 1 })).rejects.toMatchObject({ code: 'bad_usage' });
  await expect(documents.ingest(name, [home], { signal })).rejects.toMatchObject({ code: 'bad_usage' });
  await expect(documents.forget(name)).rejects.toMatchObject({ code: 'bad_usage' });
  expect(existsSync(join(home, 'x'))).toBe(false);
});
