import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { silentLog } from '../../src/base/log.ts';
import { createDocuments } from '../../src/rag/documents.ts';
import { RAG_DEFAULTS } from '../../src/rag/options.ts';
import { createProjects } from '../../src/rag/projects.ts';
import { openStore } from '../../src/store/store.ts';
import { Prose, percentile } from './synthetic.ts';
import { asModel } from './through-tool.ts';

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
const row = (what: string, value: string, bar = '') => console.log(`| ${what} | ${value} | ${bar} |`);

mkdirSync(join(home, 'documents'));
for (let file = 0; file < chunks / chunksPerFile; file++) {
  const sections = Array.from(
    { length: chunksPerFile },
    (_, at) => `## Part ${at}\n\n${prose.text(wordsPerChunk, file % 997)}\n`,
  );
  writeFileSync(join(home, 'documents', `${file}.md`), sections.join('\n'));
}

console.log(`| ${chunks} chunks of ${wordsPerChunk} words | measured | bar |\n|---|---|---|`);
const loop = monitorEventLoopDelay({ resolution: 1 });
loop.enable();
const writing = createDocuments(parts);
let started = performance.now();
const report = await writing.ingest('home', [join(home, 'documents')], { signal });
row('ingest', `${((performance.now() - started) / 1000).toFixed(1)} s, ${report.chunks} chunks`);
row('event loop delay while ingesting, p99', `${(loop.percentile(99) / 1e6).toFixed(1)} ms`, '20 ms');
started = performance.now();
await writing.ingest('home', [], { signal });
row('same again, nothing changed', `${((performance.now() - started) / 1000).toFixed(2)} s`, '5 % or 1 s');
await writing.close();

const bytes = readdirSync(join(home, 'vector_data', 'home')).map(
  (name) => statSync(join(home, 'vector_data', 'home', name)).size,
);
const rawMb = bytes.reduce((sum, size) => sum + size, 0) / 1024 / 1024;
const before = process.memoryUsage().rss;
const documents = createDocuments(parts);
started = performance.now();
await documents.open('home');
row('open', `${(performance.now() - started).toFixed(0)} ms`, '400 ms');
started = performance.now();
await documents.search('home', prose.query(6, 1), { k: 10 });
row('first query', `${(performance.now() - started).toFixed(0)} ms`, '600 ms');
loop.reset();
const times: number[] = [];
for (let at = 0; at < QUERIES; at++) {
  const query = prose.query(3 + (at % 10), at % 997);
  const from = performance.now();
  await documents.search('home', query, { k: 10 });
  times.push(performance.now() - from);
}
row('query p50', `${percentile(times, 0.5).toFixed(1)} ms`, '25 ms');
row('query p95', `${percentile(times, 0.95).toFixed(1)} ms`, '60 ms');
const model = asModel(documents);
const toolTimes: number[] = [];
for (let at = 0; at < QUERIES; at++) {
  const query = prose.query(3 + (at % 10), at % 997);
  const from = performance.now();
  await model(query, 5);
  toolTimes.push(performance.now() - from);
}
row('query_rag p50', `${percentile(toolTimes, 0.5).toFixed(1)} ms`, '30 ms');
row('event loop delay while searching, p99', `${(loop.percentile(99) / 1e6).toFixed(1)} ms`, '20 ms');
row('index files', `${rawMb.toFixed(0)} MB`);
row(
  'memory added by opening and searching',
  `${((process.memoryUsage().rss - before) / 1024 / 1024).toFixed(0)} MB`,
  `${(2 * rawMb + 150).toFixed(0)} MB`,
);
await documents.close();
await store.close();
rmSync(home, { recursive: true, force: true });
