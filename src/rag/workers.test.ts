import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { mulberry32 } from '../base/mulberry32.ts';
import { lockKey } from '../store/postgres/server.ts';
import { DocumentWorker } from '../testing/document-workers.ts';
import { startDocuments } from '../testing/documents.ts';
import { temporaryFolder } from '../testing/home.ts';
import { sqlAll } from '../testing/sql.ts';
import { openTestStore, STORE_KINDS, testLocation } from '../testing/stores.ts';
import type { Hit } from './types.ts';

const FILES = 700;
const WORDS = 'anchor beacon cabin deck ebb ferry gale harbour island jetty keel lantern mast north oar pier'.split(
  ' ',
);
const signal = new AbortController().signal;

/** Texts in which some words go together, so that LSA finds something. */
function writeTexts(folder: string, count = FILES, from = 0): void {
  mkdirSync(folder, { recursive: true });
  const random = mulberry32(7);
  const word = (topic: number) => WORDS[(topic + Math.floor(random() ** 2 * 6)) % WORDS.length];
  for (let file = from; file < from + count; file++) {
    const text = Array.from({ length: 12 }, () => word(file)).join(' ');
    writeFileSync(join(folder, `${file}.md`), `# Part ${file % 9}\n\nserial${file} ${text}\n`);
  }
}

const QUERIES = [
  ...WORDS,
  ...WORDS.map((word, at) => `${word} ${WORDS[(at * 5 + 3) % WORDS.length]} serial${at * 40}`),
];

/** What must be the same everywhere: the passages, their order and their scores. */
const ranking = (hits: readonly Hit[]) => hits.map(({ documentId, lines, score }) => ({ documentId, lines, score }));

async function rankings(worker: Pick<DocumentWorker, 'search'>) {
  const all = [];
  for (const query of QUERIES) all.push(ranking(await worker.search(query, 10)));
  return all;
}

/** Workers of one home with the same projects, each with index files of its own. */
function workersOf(home: string, kind: 'sqlite' | 'postgres' = 'postgres') {
  const location = testLocation(join(home, 'w.sqlite3'), kind);
  return (name: string) => {
    const worker = new DocumentWorker({ location, home, vectorDataDir: join(home, name) });
    onTestFinished(() => worker.stop());
    return worker;
  };
}

test.each(STORE_KINDS)(
  'two workers find the same in the same order as one, on %s',
  async (kind) => {
    const home = temporaryFolder();
    writeTexts(join(home, 'docs'));
    const alone = temporaryFolder();
    const one = workersOf(alone, 'sqlite')('alone');
    await one.ingest([join(home, 'docs')]);
    const expected = await rankings(one);
    expect(expected.every((hits) => hits.length === 10)).toBe(true);
    const start = workersOf(home, kind);
    // On one machine all programs use the same files.
    const [first, second] = kind === 'sqlite' ? [start('a'), start('a')] : [start('a'), start('b')];
    await first.ingest([join(home, 'docs')]);
    expect(await rankings(first)).toEqual(expected);
    expect(await rankings(second)).toEqual(expected);
  },
  60_000,
);

describe.runIf(STORE_KINDS.includes('postgres'))('on PostgreSQL', () => {
  test('a worker that has nothing fetches the index, and finds what another one writes later', async () => {
    const home = temporaryFolder();
    writeTexts(join(home, 'docs'));
    const start = workersOf(home);
    const [first, second] = [start('a'), start('b')];
    await first.ingest([join(home, 'docs')]);
    expect((await second.search('serial3', 1))[0]?.documentId).toBe('3');
    const binaries = (name: string) => readdirSync(join(home, name, 'home')).filter((file) => file.endsWith('.bin'));
    expect(binaries('b')).toHaveLength(3);
    expect(binaries('b')).toEqual(binaries('a'));
    writeFileSync(join(home, 'docs', 'new.md'), '# New\n\nA narwhal was seen.\n');
    await first.ingest();
    expect((await second.search('narwhal', 1))[0]?.documentId).toBe('new');
    writeFileSync(join(home, 'docs', 'new.md'), '# New\n\nA walrus was seen.\n');
    await second.ingest();
    expect(await first.search('narwhal', 1)).toEqual([]);
    expect((await first.search('walrus', 1))[0]?.documentId).toBe('new');
  }, 180_000);

  test('changes are followed by revision, and pruned when an index with them is published', async () => {
    const { home, documents, store } = await startDocuments();
    writeTexts(join(home, 'docs'), 3);
    await documents.ingest('home', [join(home, 'docs')], { signal });
    const changes = () => sqlAll(store, 'SELECT revision, count(*) AS n FROM chunk_changes GROUP BY revision');
    expect(await changes()).toEqual([{ revision: 1, n: 3 }]);
    expect(await documents.search('home', 'serial2', { k: 1 })).toHaveLength(1);
    writeTexts(join(home, 'docs'), 300, 3);
    await documents.ingest('home', [], { signal });
    expect(await changes()).toEqual([]);
    expect(await sqlAll(store, 'SELECT DISTINCT project FROM index_manifests')).toEqual([{ project: 'home' }]);
    expect(await documents.search('home', 'serial2', { k: 1 })).toHaveLength(1);
    expect(await documents.search('home', 'serial302', { k: 1 })).toHaveLength(1);
  }, 180_000);

  test('what a killed worker left is taken over by the next', async () => {
    const home = temporaryFolder();
    writeTexts(join(home, 'docs'), 2000);
    const start = workersOf(home);
    const [first, second] = [start('a'), start('b')];
    const store = await openTestStore(join(home, 'w.sqlite3'));
    onTestFinished(() => store.close());
    const ingesting = first.ingest([join(home, 'docs')]).catch(() => 'killed');
    const begun = () => sqlAll(store, 'SELECT revision FROM corpora');
    await expect.poll(begun, { timeout: 20_000, interval: 5 }).toHaveLength(1);
    await first.kill();
    expect(await ingesting).toBe('killed');
    const report = await second.ingest([join(home, 'docs')]);
    expect(report).toMatchObject({ aborted: false, chunks: 2000 });
    expect(report.unchanged + report.indexed).toBe(2000);
    expect((await second.search('serial1999', 1))[0]?.documentId).toBe('1999');
  }, 180_000);

  test('rows that nobody has indexed are indexed and published by who searches them', async () => {
    const home = temporaryFolder();
    const { documents, store } = await startDocuments(home);
    writeTexts(join(home, 'docs'), 300);
    await documents.ingest('home', [join(home, 'docs')], { signal });
    // As after a kill between writing rows and publishing.
    for (const table of ['index_manifests', 'index_files']) await sqlAll(store, `DELETE FROM ${table}`);
    const other = workersOf(home)('b');
    expect(await other.search('serial299', 1)).toHaveLength(1);
    await expect.poll(() => sqlAll(store, 'SELECT revision FROM index_manifests'), { timeout: 10_000 }).toHaveLength(1);
  }, 180_000);

  test('a rebuilt index replaces the published one everywhere', async () => {
    const home = temporaryFolder();
    const { documents, store } = await startDocuments(home);
    writeTexts(join(home, 'docs'), 600);
    await documents.ingest('home', [join(home, 'docs')], { signal });
    const other = workersOf(home)('b');
    expect(await other.search('serial5', 1)).toHaveLength(1);
    await documents.ingest('home', [], { signal, rebuild: true });
    expect(await other.search('serial5', 1)).toHaveLength(1);
    expect(readdirSync(join(home, 'b', 'home'))).toEqual(
      expect.arrayContaining(readdirSync(join(home, 'vector_data', 'home')).filter((file) => file.endsWith('.bin'))),
    );
    expect(await sqlAll(store, 'SELECT DISTINCT project FROM index_files')).toEqual([{ project: 'home' }]);
  }, 180_000);

  test('a damaged file of one worker is fetched again', async () => {
    const home = temporaryFolder();
    const { documents, store } = await startDocuments(home);
    writeTexts(join(home, 'docs'), 600);
    await documents.ingest('home', [join(home, 'docs')], { signal });
    const [published] = await sqlAll(store, 'SELECT manifest FROM index_manifests');
    const dir = join(home, 'vector_data', 'home');
    const segment = readdirSync(dir).find((file) => file.startsWith('segment-')) ?? '';
    writeFileSync(join(dir, segment), 'not an index');
    expect(await documents.search('home', 'serial5', { k: 1 })).toHaveLength(1);
    await expect.poll(() => readdirSync(dir).includes(segment)).toBe(true);
    expect(await documents.search('home', 'serial5', { k: 1 })).toHaveLength(1);
    expect(await sqlAll(store, 'SELECT manifest FROM index_manifests')).toEqual([published]);
  }, 180_000);

  test('index files of another home are not used', async () => {
    const home = temporaryFolder();
    writeTexts(join(home, 'docs'), 600);
    await workersOf(temporaryFolder())('x');
    const foreign = temporaryFolder();
    const location = testLocation(join(foreign, 'w.sqlite3'), 'postgres');
    const other = new DocumentWorker({ location, home: foreign, vectorDataDir: join(home, 'a') });
    onTestFinished(() => other.stop());
    await other.ingest([join(home, 'docs')]);
    await other.stop();
    const mine = workersOf(home)('a');
    expect(await mine.search('serial5', 1)).toEqual([]);
    await mine.ingest([join(home, 'docs')]);
    expect((await mine.search('serial5', 1))[0]?.documentId).toBe('5');
  }, 180_000);

  test('an ingest whose lock was lost ends, and the next one goes on', async () => {
    const { home, documents, store } = await startDocuments();
    writeTexts(join(home, 'docs'), 3000);
    const { location } = store;
    if (location.kind !== 'postgres') throw new Error('not on a server');
    const server = new Client({ connectionString: location.url });
    await server.connect();
    onTestFinished(() => server.end());
    const ingesting = documents.ingest('home', [join(home, 'docs')], { signal });
    const settled = ingesting.catch((error: unknown) => error);
    const key = BigInt.asUintN(64, BigInt(lockKey('lock', location.home, 'index:home')));
    const cut = `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'
      and classid = ${key >> 32n}::bigint::oid and objid = ${key & 0xffffffffn}::bigint::oid and granted`;
    await expect.poll(async () => (await server.query(cut)).rowCount, { timeout: 10_000, interval: 5 }).toBe(1);
    expect(await settled).toMatchObject({ code: 'index_unavailable', message: expect.stringContaining('broke') });
    expect(await documents.ingest('home', [], { signal })).toMatchObject({ aborted: false, chunks: 3000 });
  }, 180_000);

  test('a worker that has a project open looks at what another one has written without being asked', async () => {
    const home = temporaryFolder();
    const [first, second] = [await startDocuments(home), await startDocuments(home)];
    writeTexts(join(home, 'docs'), 3);
    await first.documents.ingest('home', [join(home, 'docs')], { signal });
    await second.documents.search('home', 'serial1', { k: 1 });
    const other = await startDocuments(temporaryFolder(), { store: second.store });
    await other.documents.search('home', 'serial1', { k: 1 });
    writeTexts(join(home, 'docs'), 300, 3);
    await first.documents.ingest('home', [], { signal });
    const fetched = join(other.home, 'vector_data', 'home', 'manifest.json');
    await expect.poll(() => existsSync(fetched), { timeout: 30_000 }).toBe(true);
  }, 180_000);
});
