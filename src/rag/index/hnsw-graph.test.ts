import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { mulberry32 } from '../../base/mulberry32.ts';
import { isIn } from '../../store/portable.ts';
import type { Store } from '../../store/store.ts';
import { temporaryFolder } from '../../testing/home.ts';
import { openTestStore } from '../../testing/stores.ts';
import { RAG_DEFAULTS } from '../options.ts';
import { Corpus } from '../search/corpus.ts';
import { OpenIndex } from '../search/open-index.ts';
import { GRAPH_FROM } from './hnsw-graph.ts';
import { normalise } from './lsa.ts';
import { readManifest } from './manifest.ts';
import { updateIndex } from './writer.ts';

const DIMENSIONS = 16;
const MODEL = 'model:test';
const QUERIES = 40;
const K = 10;
/** The smallest number of hits that a search requests from each retriever. */
const DEPTH = 200;
/** Rows per statement. */
const BATCH = 500;

/** A project's rows, created without files: reading enough passages to switch to the graph would take minutes. */
async function fill(store: Store, count: number): Promise<void> {
  const random = mulberry32(7);
  await store.transaction(async () => {
    for (let at = 0; at < count; at += BATCH) await fillSome(store, at, Math.min(at + BATCH, count), random);
    await bump(store);
  });
}

async function fillSome(store: Store, from: number, to: number, random: () => number): Promise<void> {
  const names = Array.from({ length: to - from }, (_, at) => `n${from + at}`);
  const source = { project: 'home', root: '/', kind: 'text', size: 1, mtime_us: 1, version: '1', indexed_at: '' };
  const sources = await store.db
    .insertInto('sources')
    .values(
      names.map((name) => ({ ...source, path: name, document_id: name, sha256: name, state: 'indexed' as const })),
    )
    .returning('id')
    .execute();
  const chunk = { project: 'home', ordinal: 0, heading: '[]' };
  const chunks = names.map((name, at) => ({ ...chunk, source_id: sources[at]?.id ?? 0, text: name, text_sha: name }));
  await store.db.insertInto('chunks').values(chunks).execute();
  const vectorOf = () => new Uint8Array(unit(random).buffer);
  const vectors = names.map((name) => ({ text_sha: name, model: MODEL, dimensions: DIMENSIONS, vector: vectorOf() }));
  await store.db.insertInto('vectors').values(vectors).execute();
}

async function bump(store: Store): Promise<void> {
  await store.db
    .insertInto('corpora')
    .values({ project: 'home', revision: 1 })
    .onConflict((row) => row.columns(['project']).doUpdateSet({ revision: sql`corpora.revision + 1` }))
    .execute();
}

function unit(random: () => number): Float32Array<ArrayBuffer> {
  const vector = Float32Array.from({ length: DIMENSIONS }, () => random() - 0.5);
  return Float32Array.from(normalise(vector) ?? vector);
}

async function makeProject(count: number) {
  const home = temporaryFolder();
  const dir = join(home, 'index');
  const store = await openTestStore(join(home, 'w.sqlite3'));
  onTestFinished(() => store.close());
  await fill(store, count);
  const corpus = new Corpus(store, 'home');
  const update = async () => {
    const vectorsOf = (ids: Uint32Array) => corpus.vectors(ids, MODEL, DIMENSIONS);
    const model = { id: MODEL, dimensions: DIMENSIONS, vectorsOf };
    const { signal } = new AbortController();
    await updateIndex({
      dir,
      corpus,
      options: RAG_DEFAULTS,
      rebuild: false,
      quick: false,
      model,
      progress: () => undefined,
      signal,
    });
    return readManifest(dir).dense?.graph?.chunks;
  };
  const remove = (chunks: readonly number[]) =>
    store.transaction(async () => {
      await store.db
        .deleteFrom('chunks')
        .where(isIn(store, 'id', chunks))
        .execute();
      await bump(store);
    });
  const index = new OpenIndex({ dir, corpus, model: MODEL });
  return { corpus, update, remove, index };
}

/** Recall, and every id found. */
async function ask(index: OpenIndex) {
  await index.follow();
  await index.dense?.ready();
  const { dense, ids, live } = index;
  const random = mulberry32(11);
  const found = new Set<number>();
  let right = 0;
  for (let query = 0; query < QUERIES; query++) {
    const vector = unit(random);
    const idsOf = async (filtered: boolean) => {
      const nearest = (await dense?.search(vector, DEPTH, { mask: live, filtered })) ?? [];
      return nearest.slice(0, K).map(({ docId }) => ids[docId] ?? 0);
    };
    const exact = new Set(await idsOf(true));
    for (const id of await idsOf(false)) {
      found.add(id);
      if (exact.has(id)) right++;
    }
  }
  return { recall: right / (QUERIES * K), found };
}

test('above 20,000 vectors a graph is searched, which finds the same, forgets what is deleted and goes again', async () => {
  const { corpus, update, remove, index } = await makeProject(GRAPH_FROM + 300);
  expect(await update()).toBe(GRAPH_FROM + 300);
  const first = await ask(index);
  expect(first.recall).toBeGreaterThanOrEqual(0.97);

  const gone = [...first.found].slice(0, 200);
  await remove(gone);
  await update();
  const second = await ask(index);
  expect(gone.filter((id) => second.found.has(id))).toEqual([]);
  expect(second.recall).toBeGreaterThanOrEqual(0.97);

  await remove((await corpus.ids()).slice(0, 8000));
  expect(await update()).toBeUndefined();
  expect((await ask(index)).recall).toBe(1);
}, 120_000);

test('up to 20,000 vectors each one is looked at', async () => {
  const { update, index } = await makeProject(GRAPH_FROM);
  expect(await update()).toBeUndefined();
  expect((await ask(index)).recall).toBe(1);
}, 120_000);
