import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openStore, type Store } from '../../store/store.ts';
import { temporaryFolder } from '../../testing/home.ts';
import { RAG_DEFAULTS } from '../options.ts';
import { Corpus } from '../search/corpus.ts';
import { OpenIndex } from '../search/open-index.ts';
import { GRAPH_FROM } from './hnsw-graph.ts';
import { mulberry32 } from './linear-algebra.ts';
import { normalise } from './lsa.ts';
import { readManifest } from './manifest.ts';
import { updateIndex } from './writer.ts';

const DIMENSIONS = 16;
const MODEL = 'model:test';
const QUERIES = 40;
const K = 10;
/** The fewest hits that a search asks of each retriever. */
const DEPTH = 200;

/** A project's rows, made without files: as many passages as the switch needs would take minutes to read. */
function fill(store: Store, count: number): void {
  const random = mulberry32(7);
  const { sql } = store;
  const source = sql.prepare(
    `INSERT INTO sources (project, root, path, document_id, kind, size, mtime_us, sha256, version, state, indexed_at)
     VALUES ('home', '/', ?, ?, 'text', 1, 1, ?, '1', 'indexed', '') RETURNING id`,
  );
  const chunk = sql.prepare(
    "INSERT INTO chunks (project, source_id, ordinal, text, text_sha, heading) VALUES ('home', ?, 0, ?, ?, '[]')",
  );
  const vector = sql.prepare('INSERT INTO vectors (text_sha, model, dimensions, vector) VALUES (?, ?, ?, ?)');
  store.transaction(() => {
    for (let at = 0; at < count; at++) {
      const name = `n${at}`;
      chunk.run(Number(source.get(name, name, name)?.id), name, name);
      vector.run(name, MODEL, DIMENSIONS, new Uint8Array(unit(random).buffer));
    }
    bump(store);
  });
}

function bump({ sql }: Store): void {
  sql.exec(
    "INSERT INTO corpora (project, revision) VALUES ('home', 1) ON CONFLICT (project) DO UPDATE SET revision = revision + 1",
  );
}

function unit(random: () => number): Float32Array<ArrayBuffer> {
  const vector = Float32Array.from({ length: DIMENSIONS }, () => random() - 0.5);
  return Float32Array.from(normalise(vector) ?? vector);
}

function makeProject(count: number) {
  const home = temporaryFolder();
  const dir = join(home, 'index');
  const store = openStore(join(home, 'w.sqlite3'));
  onTestFinished(() => store.close());
  fill(store, count);
  const corpus = new Corpus(store.sql, 'home');
  const update = async () => {
    const vectorsOf = (ids: Uint32Array) => corpus.vectors(ids, MODEL, DIMENSIONS);
    const model = { id: MODEL, dimensions: DIMENSIONS, vectorsOf };
    const { signal } = new AbortController();
    await updateIndex({ dir, corpus, options: RAG_DEFAULTS, rebuild: false, model, progress: () => undefined, signal });
    return readManifest(dir).dense?.graph?.chunks;
  };
  const remove = (chunks: readonly number[]) => {
    const sql = store.sql.prepare('DELETE FROM chunks WHERE id = ?');
    store.transaction(() => {
      for (const id of chunks) sql.run(id);
      bump(store);
    });
  };
  const index = new OpenIndex({ dir, corpus, model: MODEL });
  return { corpus, update, remove, index };
}

/** What is found of what should be found, and every id found. */
async function ask(index: OpenIndex) {
  await index.follow();
  await index.dense?.ready();
  const { dense, ids, live } = index;
  const random = mulberry32(11);
  const found = new Set<number>();
  let right = 0;
  for (let query = 0; query < QUERIES; query++) {
    const vector = unit(random);
    const idsOf = (filtered: boolean) =>
      (dense?.search(vector, DEPTH, { mask: live, filtered }) ?? []).slice(0, K).map(({ docId }) => ids[docId] ?? 0);
    const exact = new Set(idsOf(true));
    for (const id of idsOf(false)) {
      found.add(id);
      if (exact.has(id)) right++;
    }
  }
  return { recall: right / (QUERIES * K), found };
}

test('above 20,000 vectors a graph is searched, which finds the same, forgets what is deleted and goes again', async () => {
  const { corpus, update, remove, index } = makeProject(GRAPH_FROM + 300);
  expect(await update()).toBe(GRAPH_FROM + 300);
  const first = await ask(index);
  expect(first.recall).toBeGreaterThanOrEqual(0.97);

  const gone = [...first.found].slice(0, 200);
  remove(gone);
  await update();
  const second = await ask(index);
  expect(gone.filter((id) => second.found.has(id))).toEqual([]);
  expect(second.recall).toBeGreaterThanOrEqual(0.97);

  remove(corpus.ids().slice(0, 8000));
  expect(await update()).toBeUndefined();
  expect((await ask(index)).recall).toBe(1);
}, 120_000);

test('up to 20,000 vectors each one is looked at', async () => {
  const { update, index } = makeProject(GRAPH_FROM);
  expect(await update()).toBeUndefined();
  expect((await ask(index)).recall).toBe(1);
}, 120_000);
