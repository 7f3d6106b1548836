import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { silentLog } from '../base/log.ts';
import { type StartedDocuments, startDocuments } from '../testing/documents.ts';
import { temporaryFolder } from '../testing/home.ts';
import { openTestStore } from '../testing/stores.ts';

const signal = new AbortController().signal;
const FILES = 600;

async function homeWithIndex(start: (home: string) => Promise<StartedDocuments> = startDocuments): Promise<string> {
  const home = temporaryFolder();
  mkdirSync(join(home, 'docs'));
  for (let file = 0; file < FILES; file++)
    writeFileSync(
      join(home, 'docs', `${file}.md`),
      `# Part ${file}\n\nserial${file} of group${file % 30} in hall${file % 7}\n`,
    );
  const { documents, stop } = await start(home);
  await documents.ingest('home', [join(home, 'docs')], { signal });
  await stop();
  return home;
}

/** For tests about the lock file: a server's locks are not files. */
async function startOnFile(home: string): Promise<StartedDocuments> {
  const store = await openTestStore(join(home, 'w.sqlite3'), { kind: 'sqlite' });
  onTestFinished(() => store.close());
  return startDocuments(home, { store });
}

const indexDir = (home: string) => join(home, 'vector_data', 'home');
/** For an SQLite store, which keeps its locks next to the database. */
const lockFile = (home: string) => join(home, 'locks', 'index%3Ahome.lock');
const filesOf = (home: string) => readdirSync(indexDir(home)).sort();

test('an index is made of files that a second start uses as they are', async () => {
  const home = await homeWithIndex();
  const before = filesOf(home);
  // On a server each name has a part of its own, since several workers make files.
  const names = before.map((name) => name.replace(/-[0-9a-f]{8}(?=\.bin$)/u, ''));
  expect(names).toEqual(['lsa-2.bin', 'manifest.json', 'segment-1.bin', 'vectors-3.bin']);
  const { documents } = await startDocuments(home);
  expect((await documents.search('home', 'serial77', { k: 1 }))[0]?.file).toBe('77.md');
  await documents.ingest('home', [], { signal });
  expect(filesOf(home)).toEqual(before);
});

test.each(['segment', 'lsa', 'vectors'])('a corrupted %s file is found, moved aside and made anew', async (kind) => {
  const home = await homeWithIndex();
  const name = filesOf(home).find((file) => file.startsWith(kind)) ?? '';
  const bytes = readFileSync(join(indexDir(home), name));
  bytes.fill(0xff, bytes.length >> 1, (bytes.length >> 1) + 64);
  writeFileSync(join(indexDir(home), name), bytes);
  const warn = vi.fn();
  const { documents } = await startDocuments(home, { log: { ...silentLog, warn } });
  expect((await documents.search('home', 'serial77 group17', { k: 1 }))[0]?.file).toBe('77.md');
  expect(warn).toHaveBeenCalledWith(
    expect.stringContaining('moved aside'),
    expect.objectContaining({ damaged: [name] }),
  );
  await vi.waitFor(() => expect(filesOf(home).filter((file) => file.startsWith(`${kind}-`))).toHaveLength(1), {
    timeout: 20_000,
  });
  expect(filesOf(home)).toContain(`damaged-${name}`);
  expect((await documents.search('home', 'serial78', { k: 1 }))[0]?.file).toBe('78.md');
});

test('a cut-off file, a broken manifest and a deleted folder cost nothing but time', async () => {
  const home = await homeWithIndex();
  const segment = join(indexDir(home), filesOf(home).find((name) => name.startsWith('segment-1')) ?? '');
  truncateSync(segment, statSync(segment).size >> 1);
  const find = async () => {
    const { documents, stop } = await startDocuments(home);
    const [hit] = await documents.search('home', 'serial5', { k: 1 });
    await documents.ingest('home', [], { signal });
    await stop();
    return hit?.file;
  };
  expect(await find()).toBe('5.md');
  writeFileSync(join(indexDir(home), 'manifest.json'), '{"format": 1, "segm');
  expect(await find()).toBe('5.md');
  rmSync(join(home, 'vector_data'), { recursive: true });
  expect(await find()).toBe('5.md');
  expect(filesOf(home)).toContain('manifest.json');
});

test('while another process writes, searching goes on and an ingest is told', async () => {
  const home = await homeWithIndex();
  const other = await openTestStore(join(home, 'w.sqlite3'));
  const lock = await other.lock('index:home');
  const { documents } = await startDocuments(home);
  expect((await documents.search('home', 'serial9', { k: 1 }))[0]?.file).toBe('9.md');
  await expect(documents.ingest('home', [], { signal })).rejects.toMatchObject({ code: 'index_busy' });
  await lock?.[Symbol.asyncDispose]();
  await other.close();
  expect(await documents.ingest('home', [], { signal })).toMatchObject({ unchanged: FILES });
});

test('where the index cannot be written a search answers, and an ingest says what is wrong', async () => {
  const home = await homeWithIndex(startOnFile);
  rmSync(lockFile(home));
  mkdirSync(lockFile(home));
  const { documents } = await startOnFile(home);
  expect((await documents.search('home', 'serial9', { k: 1 }))[0]?.file).toBe('9.md');
  await expect(documents.ingest('home', [], { signal })).rejects.toMatchObject({ code: 'home_not_writable' });
});

test('a lock that is broken is not taken for another process', async () => {
  const home = await homeWithIndex(startOnFile);
  writeFileSync(lockFile(home), 'no database at all'.repeat(100));
  const { documents } = await startOnFile(home);
  await expect(documents.ingest('home', [], { signal })).rejects.toThrow('not a database');
});

test('an open search sees what another start of the program ingests', async () => {
  const home = await homeWithIndex();
  const reader = await startDocuments(home);
  expect(await reader.documents.search('home', 'zeppelin', { k: 1 })).toEqual([]);
  for (let file = 0; file < 400; file++)
    writeFileSync(join(home, 'docs', `new${file}.md`), `# New\n\nzeppelin number${file}\n`);
  rmSync(join(home, 'docs', '3.md'));
  const writer = await startDocuments(home);
  await writer.documents.ingest('home', [], { signal });
  expect((await reader.documents.search('home', 'zeppelin number399', { k: 1 }))[0]?.file).toBe('new399.md');
  expect((await reader.documents.search('home', 'serial3', { k: 5 })).map(({ file }) => file)).not.toContain('3.md');
});

test('a project that is forgotten is found no more, and its files stay', async () => {
  const home = await homeWithIndex();
  const { documents } = await startDocuments(home);
  await documents.forget('home');
  expect(await documents.search('home', 'serial9', { k: 1 })).toEqual([]);
  expect(readdirSync(join(home, 'docs'))).toHaveLength(FILES);
});
