import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Hit } from '../../src/rag/types.ts';
import { openStore } from '../../src/store/store.ts';
import { DocumentWorker } from '../../src/testing/document-workers.ts';
import { sqlAll } from '../../src/testing/sql.ts';
import { STORE_KINDS, testLocation } from '../../src/testing/stores.ts';
import type { Figure } from '../harness/figure.ts';
import { report } from '../harness/report.ts';
import { timed } from '../harness/statistics.ts';
import { findSets, type TestSet, writeDocuments } from './sets.ts';
import { Prose } from './synthetic.ts';

/**
 * Documents across workers: `npm run bench -- rag-workers [SETS [CHUNKS]]`. With WOOSTER_TEST_STORE_URL set, whether two workers of a
 * home on PostgreSQL rank as one on SQLite, and how fast a new worker is ready and one that was killed replaced.
 */

const TOP = 10;
const CHUNKS_PER_FILE = 100;

const shown = (hits: readonly Hit[]) =>
  hits.map(({ documentId, lines, score }) => `${documentId} ${lines?.[0]} ${score}`).join('\n');

async function time(what: string, work: () => Promise<unknown>): Promise<void> {
  figures.push({ what, unit: 'ms', samples: [await timed(work)] });
}

const figures: Figure[] = [];

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
    const note = `${set.queries.length} queries, ${one?.chunks} chunks on SQLite, ${shared?.chunks} on PostgreSQL`;
    const who = ['first on PostgreSQL', 'second on SQLite', 'second on PostgreSQL'];
    for (const [at, count] of different.entries())
      figures.push({ what: `${set.name}: other top 10, ${who[at]}`, unit: 'queries', samples: [count], note });
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
    await time(`ingest of ${chunks} chunks`, () => first.ingest([docs]));
    const [size] = await sqlAll(store, 'SELECT sum(length(bytes)) AS bytes, count(*) AS parts FROM index_files');
    figures.push({
      what: 'published',
      unit: 'MB',
      samples: [Number(size?.bytes) / 2 ** 20],
      note: `${size?.parts} parts`,
    });
    await time('a new worker is ready, without files', () => second.search(query));
    await second.stop();
    const again = start('b');
    await time('a new worker is ready, the files there', () => again.search(query));
    writeFileSync(join(docs, 'new.md'), '# New\n\nquetzalcoatlus\n');
    await first.ingest();
    const found = async () => {
      while ((await again.search('quetzalcoatlus', 1)).length === 0) await sleep(5);
    };
    await time('a new row is found by the other worker', found);
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
  figures.push({ what: 'the lock of a killed worker is free', unit: 'ms', samples: [performance.now() - from] });
  await time('what it left is indexed by the other worker', () => second.ingest());
  await ingesting;
  await store.close();
}

if (!STORE_KINDS.includes('postgres')) throw new Error('Set WOOSTER_TEST_STORE_URL to a PostgreSQL server.');
const [folder, chunks = '5000'] = process.argv.slice(2);
if (folder) for (const set of findSets(folder)) await compare(set);
await measure(Number(chunks));
report(figures);
