import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { silentLog } from '../../src/base/log.ts';
import { createDocuments } from '../../src/rag/documents.ts';
import { RAG_DEFAULTS } from '../../src/rag/options.ts';
import { createProjects } from '../../src/rag/projects.ts';
import { openStore } from '../../src/store/store.ts';
import type { Figure } from '../harness/figure.ts';
import { report } from '../harness/report.ts';
import { quantile } from '../harness/statistics.ts';
import { Prose } from './synthetic.ts';
import { asModel } from './through-tool.ts';

/** Ingest and search of made-up prose: `npm run bench -- rag-speed [CHUNKS [WORDS [CHUNKS_PER_FILE]]]` */
const chunks = Number(process.argv[2] ?? 100_000);
const wordsPerChunk = Number(process.argv[3] ?? 60);
const chunksPerFile = Number(process.argv[4] ?? 50);
const QUERIES = 300;

const home = mkdtempSync(join(tmpdir(), 'wooster-speed-'));
const store = await openStore(join(home, 'state', 'w.sqlite3'));
const projects = createProjects({ projectsDir: join(home, 'projects'), homeDir: home, log: silentLog, store });
const parts = { store, projects, log: silentLog, options: RAG_DEFAULTS, vectorDataDir: join(home, 'vector_data') };
const signal = new AbortController().signal;
const prose = new Prose(1);
const figures: Figure[] = [];
const row = (what: string, unit: string, value: number | readonly number[], must?: number) =>
  figures.push({ what, unit, samples: [value].flat(), ...(must === undefined ? {} : { must }) });

mkdirSync(join(home, 'documents'));
for (let file = 0; file < chunks / chunksPerFile; file++) {
  const sections = Array.from(
    { length: chunksPerFile },
    (_, at) => `## Part ${at}\n\n${prose.text(wordsPerChunk, file % 997)}\n`,
  );
  writeFileSync(join(home, 'documents', `${file}.md`), sections.join('\n'));
}

const loop = monitorEventLoopDelay({ resolution: 1 });
loop.enable();
const writing = createDocuments(parts);
let started = performance.now();
const done = await writing.ingest('home', [join(home, 'documents')], { signal });
row(`ingest of ${done.chunks} chunks`, 's', (performance.now() - started) / 1000);
row('event loop delay while ingesting, p99', 'ms', loop.percentile(99) / 1e6, 20);
started = performance.now();
await writing.ingest('home', [], { signal });
row('same again, nothing changed', 's', (performance.now() - started) / 1000, 1);
await writing.close();

const bytes = readdirSync(join(home, 'vector_data', 'home')).map(
  (name) => statSync(join(home, 'vector_data', 'home', name)).size,
);
const rawMb = bytes.reduce((sum, size) => sum + size, 0) / 1024 / 1024;
const before = process.memoryUsage().rss;
const documents = createDocuments(parts);
started = performance.now();
await documents.open('home');
row('open', 'ms', performance.now() - started, 400);
started = performance.now();
await documents.search('home', prose.query(6, 1), { k: 10 });
row('first query', 'ms', performance.now() - started, 600);
loop.reset();
const times: number[] = [];
for (let at = 0; at < QUERIES; at++) {
  const query = prose.query(3 + (at % 10), at % 997);
  const from = performance.now();
  await documents.search('home', query, { k: 10 });
  times.push(performance.now() - from);
}
row('query', 'ms', times, 25);
row('query, p95', 'ms', quantile(times, 0.95), 60);
const model = asModel(documents);
const toolTimes: number[] = [];
for (let at = 0; at < QUERIES; at++) {
  const query = prose.query(3 + (at % 10), at % 997);
  const from = performance.now();
  await model(query, 5);
  toolTimes.push(performance.now() - from);
}
row('query_rag', 'ms', toolTimes, 30);
row('event loop delay while searching, p99', 'ms', loop.percentile(99) / 1e6, 20);
row('index files', 'MB', rawMb);
const added = (process.memoryUsage().rss - before) / 1024 / 1024;
row('memory added by opening and searching', 'MB', added, Math.round(2 * rawMb + 150));
await documents.close();
await store.close();
rmSync(home, { recursive: true, force: true });
report(figures);
