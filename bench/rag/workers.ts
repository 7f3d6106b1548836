import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Hit } from '../../src/rag/types.ts';
import { openStore } from '../../src/store/store.ts';
import { DocumentWorker } from '../../src/testing/document-workers.ts';
import { sqlAll } from '../../src/testing/sql.ts';
import { STORE_KINDS, testLocation } from '../../src/testing/stores.ts';
import { findSets, type TestSet, writeDocuments } from './sets.ts';
import { Prose } from './synthetic.ts';

/**
 * Documents across workers: `workers.ts [SETS [CHUNKS]]`. With WOOSTER_TEST_STORE_URL set, whether two workers of a
 * home on PostgreSQL rank as one on SQLite, and how fast a new worker is ready and one that was killed replaced.
 */

const TOP = 10;
const CHUNKS_PER_FILE = 100;

const shown = (hits: readonly Hit[]) =>
  hits.map(({ documentId, lines, score }) => `${documentId} ${lines?.[0]} ${score}`).join('\n');

async function seconds(work: () => Promise<unknown>): Promise<string> {
  const from = performance.now();
  await work();
  return ((performance.now() - from) / 1000).toFixed(2);
}

/** Workers of one home, each with a cache of its own. */
function workersIn(home: string, kind: 'sqlite' | 'postgres') {
  const location = testLocation(join(home, 'w.sqlite3'), kind);
  return (cache: string) => new DocumentWorker({ location, home, vectorDataDir: join(home, kind, cache) });
}

async function rankings(worker: DocumentWorker, set: TestSet): Promise<string[]> {
  const all: string[] = [];
  for (const { text } of set.queries) all.push(shown(await worker.search(text, TOP)));
  return all;
}

async function compare(set: TestSet): Promise<number> {
  const home = mkdtempSync(join(tmpdir(), 'wooster-workers-'));
  writeDocuments(set, join(home, 'documents'));
  const [sqlite, postgres] = [workersIn(home, 'sqlite'), workersIn(home, 'postgres')];
  const indexers = [sqlite('a'), postgres('a')];
  const others = [sqlite('a'), postgres('b')];
  try {
    const [one, shared] = await Promise.all(indexers.map((worker) => worker.ingest([join(home, 'documents')])));
    const [expected = [], ...rest] = await Promise.all([...indexers, ...others].map((worker) => rankings(worker, set)));
    const different = rest.map((found) => found.filter((hits, query) => hits !== expected[query]).length);
    const counts = [set.name, set.queries.length, one?.chunks, shared?.chunks];
    console.log(`| ${[...counts, different[1], different[0], different[2]].join(' | ')} |`);
    return set.queries.length;
  } finally {
    await Promise.all([...indexers, ...others].map((worker) => worker.stop()));
    rmSync(home, { recursive: true, force: true });
  }
}

function writeProse(folder: string, chunks: number): void {
  mkdirSync(folder, { recursive: true });
  const prose = new Prose(7);
  for (let at = 0; at < chunks; at += CHUNKS_PER_FILE) {
    const passages = Array.from({ length: Math.min(CHUNKS_PER_FILE, chunks - at) }, (_, passage) => {
      return `## Passage ${at + passage}\n\n${prose.text(60, (at + passage) % 300)}`;
    });
    writeFileSync(join(folder, `${at}.md`), `# File ${at}\n\n${passages.join('\n\n')}\n`);
  }
}

/** A new worker, a new row, and a kill, with `chunks` made-up chunks. */
async function measure(chunks: number): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'wooster-workers-'));
  const docs = join(home, 'documents');
  const start = workersIn(home, 'postgres');
  const store = await openStore(testLocation(join(home, 'w.sqlite3'), 'postgres'));
  const [first, second] = [start('a'), start('b')];
  const query = new Prose(7).query(4, 5);
  try {
    writeProse(docs, chunks);
    console.log(`ingest of ${chunks} chunks: ${await seconds(() => first.ingest([docs]))} s`);
    const [size] = await sqlAll(store, 'SELECT sum(length(bytes)) AS bytes, count(*) AS parts FROM index_files');
    console.log(`published: ${(Number(size?.bytes) / 2 ** 20).toFixed(1)} MB in ${size?.parts} parts`);
    console.log(
      `new worker without files, from its start to its first answer: ${await seconds(() => second.search(query))} s`,
    );
    await second.stop();
    const again = start('b');
    console.log(`the same with the files: ${await seconds(() => again.search(query))} s`);
    writeFileSync(join(docs, 'new.md'), '# New\n\nquetzalcoatlus\n');
    await first.ingest();
    const found = async () => {
      while ((await again.search('quetzalcoatlus', 1)).length === 0) await sleep(5);
    };
    console.log(`a new row is found by the other worker: ${await seconds(found)} s after its ingest`);
    await takeOver(home, [first, again], chunks);
    await again.stop();
  } finally {
    await Promise.all([first, second].map((worker) => worker.stop()));
    await store.close();
    rmSync(home, { recursive: true, force: true });
  }
}

/** Kill a worker while it indexes as many chunks again, and let the other finish. */
async function takeOver(
  home: string,
  [first, second]: [DocumentWorker, DocumentWorker],
  chunks: number,
): Promise<void> {
  const store = await openStore(testLocation(join(home, 'w.sqlite3'), 'postgres'));
  writeProse(join(home, 'documents', 'more'), chunks);
  const ingesting = first.ingest().catch(() => undefined);
  const taken = async () => {
    const lock = await store.lock('index:home');
    await lock?.[Symbol.asyncDispose]();
    return lock === undefined;
  };
  while (!(await taken())) await sleep(5);
  await sleep(500);
  const from = performance.now();
  await first.kill();
  while (await taken()) await sleep(5);
  console.log(`the lock of a killed worker is free after ${(performance.now() - from).toFixed(0)} ms`);
  console.log(`what it left is indexed by the other worker in ${await seconds(() => second.ingest())} s`);
  await ingesting;
  await store.close();
}

if (!STORE_KINDS.includes('postgres')) console.log('skipped: set WOOSTER_TEST_STORE_URL to a PostgreSQL server');
else {
  const [folder, chunks = '5000'] = process.argv.slice(2);
  const sets = findSets(folder);
  if (sets.length > 0) {
    const differing = 'other top 10: second on SQLite | first on PostgreSQL | second';
    console.log(`| set | queries | chunks, SQLite | chunks, PostgreSQL | ${differing} |`);
    console.log('|---|---|---|---|---|---|---|');
  }
  for (const set of sets) await compare(set);
  await measure(Number(chunks));
}
