import { sql } from 'kysely';
import { ExactVectors } from '../../src/rag/index/exact-vectors.ts';
import type { VectorRows } from '../../src/rag/index/segment-file.ts';
import { VectorTable } from '../../src/rag/index/vector-table.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { STORE_KINDS, testLocation } from '../../src/testing/stores.ts';
import type { Figure } from '../harness/figure.ts';
import { report } from '../harness/report.ts';
import { Clusters } from './synthetic.ts';

/**
 * The vectors of projects in PostgreSQL, one with nearly all of them, one with 5 % and one with 0.1 %: recall against
 * looking at every vector, and times. `npm run bench -- rag-pgvector [VECTORS [DIMENSIONS]]`. Wants WOOSTER_TEST_STORE_URL.
 */
const count = Number(process.argv[2] ?? 100_000);
const dimensions = Number(process.argv[3] ?? 128);
const SHARES = { large: 1, small: 0.05, tiny: 0.001 };
const SOURCE = 'bench';
const QUERIES = 200;
const TOP = 10;

/** Rows that vectors may belong to. @returns their ids. */
async function addChunks(store: Store, project: string, rows: number): Promise<Uint32Array> {
  const at = new Date().toISOString();
  const source = await store.db
    .insertInto('sources')
    .values({
      ...{ project, root: '/', path: project, document_id: project, kind: 'md', title: null, size: 0, mtime_us: 0 },
      ...{ sha256: '', version: '', state: 'indexed', error: null, chunks: rows, indexed_at: at },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { rows: ids } = await sql<{ id: number }>`
    insert into chunks (project, source_id, ordinal, text, text_sha, heading)
    select ${project}::text, ${source.id}::bigint, n, '', '', '' from generate_series(1, ${rows}::int) as n returning id`.execute(
    store.db,
  );
  return Uint32Array.from(ids, ({ id }) => id);
}

function makeVectors(clusters: Clusters, rows: number, seed: number): Float32Array {
  const all = new Float32Array(rows * dimensions);
  for (let row = 0; row < rows; row++) all.set(clusters.vector(seed + row), row * dimensions);
  return all;
}

async function measure(table: VectorTable, { ids, vectors }: VectorRows, clusters: Clusters): Promise<Figure[]> {
  const part = { ids: Uint32Array.from(ids, (_, row) => row), vectors };
  const exact = new ExactVectors([part], { dimensions, docCount: ids.length }, (id) => id);
  const times: number[] = [];
  let shared = 0;
  for (let at = 0; at < QUERIES; at++) {
    const query = clusters.vector(-at - 1);
    const wanted = new Set(exact.search(query, TOP).map(({ docId }) => ids[docId]));
    const from = performance.now();
    const found = await table.search(SOURCE, query, { depth: TOP });
    times.push(performance.now() - from);
    shared += found.filter(({ id }) => wanted.has(id)).length;
  }
  return [
    { what: 'recall@10', unit: '', better: 'more', samples: [shared / QUERIES / TOP], must: 0.95 },
    { what: 'search', unit: 'ms', samples: times },
  ];
}

async function run(store: Store): Promise<Figure[]> {
  const figures: Figure[] = [];
  const clusters = new Clusters(dimensions);
  const filled = [];
  for (const [project, share] of Object.entries(SHARES)) {
    const rows = Math.round(count * share);
    const [ids, vectors] = [await addChunks(store, project, rows), makeVectors(clusters, rows, 10)];
    const table = new VectorTable(store, project);
    const from = performance.now();
    await table.fill(SOURCE, dimensions, { ids, vectors }, new AbortController().signal);
    filled.push({ project, rows, table, ids, vectors, seconds: (performance.now() - from) / 1000 });
  }
  await sql`analyze ${sql.table(`rag_vectors_${dimensions}`)}`.execute(store.db);
  for (const { project, rows, table, seconds, ...parts } of filled) {
    const named = (figure: Figure) => ({ ...figure, what: `${project} project, ${rows} vectors: ${figure.what}` });
    const filling: Figure = { what: 'filling', unit: 's', samples: [seconds] };
    figures.push(...[filling, ...(await measure(table, parts, clusters))].map(named));
  }
  const { rows } = await sql<{ bytes: number }>`
    select pg_total_relation_size(${`rag_vectors_${dimensions}`}) as bytes`.execute(store.db);
  return [...figures, { what: 'table and indexes', unit: 'MB', samples: [(rows[0]?.bytes ?? 0) / 2 ** 20] }];
}

if (!STORE_KINDS.includes('postgres')) throw new Error('Set WOOSTER_TEST_STORE_URL to a PostgreSQL server.');
const store = await openStore(testLocation(':memory:', 'postgres'));
report(await run(store));
await store.close();
