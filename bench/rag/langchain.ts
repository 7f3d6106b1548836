import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { Document } from '@langchain/core/documents';
import { mulberry32, seededNormals } from '../../src/rag/index/linear-algebra.ts';
import { HashedEmbeddings } from '../../src/rag/langchain/hashed-embeddings.ts';
import { LocalVectorStore } from '../../src/rag/langchain/local-vector-store.ts';
import type { Figure } from '../harness/figure.ts';
import { report } from '../harness/report.ts';

/**
 * A large vector store: how long each step takes, and how long the caller's event loop waits meanwhile.
 * `npm run bench -- rag-langchain [VECTORS [DIMENSIONS]]`
 */
const count = Number(process.argv[2] ?? 100_000);
const dimensions = Number(process.argv[3] ?? 384);
const BATCH = 1000;
const CLUSTERS = 500;
const QUERIES = 200;

const centres = seededNormals(CLUSTERS * dimensions, 1);
const random = mulberry32(2);
const noise = seededNormals(100_003, 3);

/** Clustered, as texts give them; cheap, so that making them does not hold up the event loop itself. */
function vector(): number[] {
  const from = Math.floor(random() * CLUSTERS) * dimensions;
  const at = Math.floor(random() * noise.length);
  return Array.from(
    { length: dimensions },
    (_, axis) => (centres[from + axis] ?? 0) + 0.8 * (noise[(at + axis) % noise.length] ?? 0),
  );
}

const figures: Figure[] = [];
const loop = monitorEventLoopDelay({ resolution: 1 });
loop.enable();
/** Longest time of this thread's own work between two turns of the loop; other programs do not count. */
const own = { longestMs: 0, before: process.threadCpuUsage() };
const ticking = setInterval(() => {
  const { user, system } = process.threadCpuUsage(own.before);
  own.before = process.threadCpuUsage();
  own.longestMs = Math.max(own.longestMs, (user + system) / 1000);
});

async function step(name: string, work: () => Promise<void>): Promise<void> {
  await setTimeout(5);
  loop.reset();
  own.longestMs = 0;
  const from = performance.now();
  await work();
  const ms = performance.now() - from;
  await setTimeout(5);
  figures.push({ what: name, unit: 'ms', samples: [ms] });
  const note = `longest own work ${own.longestMs.toFixed(1)} ms`;
  figures.push({ what: `${name}: event loop p99`, unit: 'ms', samples: [loop.percentile(99) / 1e6], must: 20, note });
}

const dir = mkdtempSync(join(tmpdir(), 'wooster-langchain-'));
const embeddings = new HashedEmbeddings();
let store = new LocalVectorStore(embeddings);
const queries = Array.from({ length: QUERIES }, vector);
const filter = ({ metadata }: { metadata: Record<string, unknown> }) => Number(metadata.row) % 2 === 0;

async function search(name: string, only?: typeof filter): Promise<void> {
  const times: number[] = [];
  await step(`${QUERIES} searches ${name}`, async () => {
    for (const query of queries) {
      const from = performance.now();
      await store.similaritySearchVectorWithScore(query, 10, only);
      times.push(performance.now() - from);
    }
  });
  figures.push({ what: `one search ${name}`, unit: 'ms', samples: times });
}

await step(`add in batches of ${BATCH}`, async () => {
  for (let at = 0; at < count; at += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, count - at) }, (_, row) => at + row);
    const documents = rows.map((row) => new Document({ pageContent: `document ${row}`, metadata: { row } }));
    const vectors: number[][] = [];
    for (const row of rows) {
      vectors.push(vector());
      if (row % 100 === 0) await setImmediate();
    }
    await store.addVectors(vectors, documents, { ids: rows.map(String) });
  }
});
await search('while the graph is built');
await step('rest of the build', () => store.settle());
await search('by graph');
await search('with a filter', filter);
await step('save', () => store.save(dir));
await store.close();
await step('load', async () => {
  store = await LocalVectorStore.load(dir, embeddings);
});
await search('by the loaded graph');
const fresh = Array.from({ length: BATCH }, vector);
await step(`add ${BATCH} more and settle`, async () => {
  await store.addVectors(
    fresh,
    fresh.map((_, row) => new Document({ pageContent: `new ${row}` })),
  );
  await store.settle();
});
await step('delete 1,000', () => store.delete({ ids: Array.from({ length: 1000 }, (_, row) => `${row}`) }));
await step('save again', () => store.save(dir));
await store.close();
clearInterval(ticking);
rmSync(dir, { recursive: true, force: true });
report(figures);
