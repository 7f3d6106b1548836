import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { HNSWLib } from '@langchain/community/vectorstores/hnswlib';
import { Document } from '@langchain/core/documents';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../testing/home.ts';
import { measureFile } from '../index/array-file-writer.ts';
import { HnswGraph } from '../index/hnsw-graph.ts';
import { mulberry32 } from '../index/linear-algebra.ts';
import { normalise } from '../index/lsa.ts';
import { HashedEmbeddings } from './hashed-embeddings.ts';
import { LocalVectorStore, type LocalVectorStoreOptions } from './local-vector-store.ts';
import { SharedVectors } from './shared-vectors.ts';
import { VectorCore } from './vector-core.ts';

const embeddings = new HashedEmbeddings();
/** So many that a few of them are worth a thread. */
const DIMENSIONS = 400;
const hnsw = { vectorIndex: 'hnsw' } as const;

function closing(store: LocalVectorStore): LocalVectorStore {
  onTestFinished(() => store.close());
  return store;
}

function makeRows(count: number, seed = 1, dimensions = DIMENSIONS) {
  const random = mulberry32(seed);
  const vectors = Array.from({ length: count }, () => Array.from({ length: dimensions }, () => random() - 0.5));
  const ids = vectors.map((_, index) => `${seed}.${index}`);
  const documents = ids.map((id, index) => new Document({ pageContent: `text ${id}`, metadata: { index } }));
  return { vectors, documents, ids };
}

async function makeStore(count: number, options: LocalVectorStoreOptions = hnsw, dimensions = DIMENSIONS) {
  const rows = makeRows(count, 1, dimensions);
  const store = closing(new LocalVectorStore(embeddings, options));
  await store.addVectors(rows.vectors, rows.documents, { ids: rows.ids });
  return { store, ...rows };
}

const load = async (dir: string, options: LocalVectorStoreOptions = hnsw) =>
  closing(await LocalVectorStore.load(dir, embeddings, options));

async function idsOf(store: LocalVectorStore, vector: number[] | undefined, k: number) {
  const found = await store.similaritySearchVectorWithScore(vector ?? [], k);
  return found.map(([{ id }]) => id);
}

const cosineSign = (a: number[], b: number[]) => a.reduce((sum, value, axis) => sum + value * (b[axis] ?? 0), 0);

const filesOf = (dir: string, kind: string) => readdirSync(dir).filter((name) => name.startsWith(`${kind}-`));

/** Put a graph into a saved store in which each label stands for another vector, so that its answers show its use. */
async function swapGraph(dir: string, vectors: readonly number[][]): Promise<void> {
  const dimensions = vectors[0]?.length ?? 0;
  const graph = await HnswGraph.create(dimensions, vectors.length);
  for (const [label, vector] of vectors.toReversed().entries())
    graph?.add(label, normalise(Float32Array.from(vector)) ?? new Float32Array(dimensions));
  const path = join(dir, 'store.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8'));
  const file = join(dir, manifest.graph.file);
  await graph?.save(file);
  writeFileSync(path, JSON.stringify({ ...manifest, graph: { ...manifest.graph, ...(await measureFile(file)) } }));
}

test.each([
  ['large', DIMENSIONS],
  ['small', 16],
])('the graph of a %s store lies in its folder, is read again, and takes changes', async (_size, dimensions) => {
  const { store, vectors } = await makeStore(2000, hnsw, dimensions);
  const dir = temporaryFolder();
  await store.save(dir);
  await swapGraph(dir, vectors);

  const again = await load(dir);
  expect(await idsOf(again, vectors[7], 1)).toEqual(['1.1992']);
  const more = makeRows(3, 2, dimensions);
  await again.addVectors(more.vectors, more.documents, { ids: more.ids });
  await again.delete({ ids: ['1.1992'] });
  await again.save(dir);
  expect(filesOf(dir, 'vectors')).toHaveLength(1);

  const last = await load(dir);
  expect(last.size).toBe(2002);
  expect(await idsOf(last, more.vectors[2], 1)).toEqual(['2.2']);
  expect(await idsOf(last, vectors[8], 1)).toEqual(['1.1991']);
  expect(await idsOf(last, vectors[7], 5)).not.toContain('1.1992');
  const [file = ''] = filesOf(dir, 'graph');
  // The deleted one is still in the graph, marked.
  expect((await HnswGraph.load(join(dir, file), dimensions))?.size).toBe(2003);
});

test.each([
  ['cut off', (path: string) => writeFileSync(path, readFileSync(path).subarray(0, 5000))],
  ['of an earlier save', (path: string, earlier: string) => copyFileSync(earlier, path)],
])('a graph file that is %s is moved aside and made anew', async (_what, spoil) => {
  const { store, vectors } = await makeStore(1500);
  const earlier = temporaryFolder();
  await store.save(earlier);
  await store.delete({ ids: ['1.3'] });
  const dir = temporaryFolder();
  await store.save(dir);
  const [file = ''] = filesOf(dir, 'graph');
  spoil(join(dir, file), join(earlier, filesOf(earlier, 'graph')[0] ?? ''));
  const again = await load(dir);
  expect(existsSync(join(dir, file))).toBe(false);
  expect(existsSync(join(dir, `damaged-${file}`))).toBe(true);
  expect(await idsOf(again, vectors[9], 1)).toEqual(['1.9']);
  await again.save(dir);
  const [fresh = ''] = filesOf(dir, 'graph');
  expect((await HnswGraph.load(join(dir, fresh), DIMENSIONS))?.size).toBe(1499);
});

test.each([
  ['vectors', (bytes: Buffer) => bytes.length - 20],
  ['documents', (bytes: Buffer) => bytes.indexOf('text 1.3')],
] as const)('damaged %s are an error that says what to do', async (kind, place) => {
  const { store } = await makeStore(10, { vectorIndex: 'exact' });
  const dir = temporaryFolder();
  await store.save(dir);
  const path = join(dir, filesOf(dir, kind)[0] ?? '');
  const bytes = readFileSync(path);
  bytes[place(bytes)] = (bytes[place(bytes)] ?? 0) ^ 1;
  writeFileSync(path, bytes);
  const expected = { code: 'index_unavailable', hint: expect.stringContaining('Build it again') };
  await expect(load(dir, { vectorIndex: 'exact' })).rejects.toMatchObject(expected);
  await expect(load(dir)).rejects.toMatchObject(expected);
});

test('a manifest that names a file elsewhere is refused', async () => {
  const { store } = await makeStore(10, { vectorIndex: 'exact' });
  const dir = join(temporaryFolder(), 'store');
  await store.save(dir);
  const path = join(dir, 'store.json');
  const [vectors = ''] = filesOf(dir, 'vectors');
  renameSync(join(dir, vectors), join(dir, '..', vectors));
  writeFileSync(path, readFileSync(path, 'utf8').replace('"file":"vectors-', '"file":"../vectors-'));
  await expect(load(dir)).rejects.toMatchObject({ code: 'index_unavailable' });
});

test('most of a store may go: it is laid out anew and finds what is left', async () => {
  const { store, vectors, ids } = await makeStore(3000);
  await store.delete({ ids: ids.slice(0, 2500) });
  expect(store.size).toBe(500);
  expect(await idsOf(store, vectors[2600], 1)).toEqual(['1.2600']);
  const likeIt = vectors.slice(2500).filter((vector) => cosineSign(vector, vectors[2600] ?? []) > 0);
  expect(await idsOf(store, vectors[2600], 600)).toHaveLength(likeIt.length);
  const dir = temporaryFolder();
  await store.save(dir);
  const [file = ''] = filesOf(dir, 'graph');
  expect((await HnswGraph.load(join(dir, file), DIMENSIONS))?.size).toBe(500);
  await store.addVectors([vectors[0] ?? []], [new Document({ pageContent: 'back' })], { ids: ['back'] });
  expect(await idsOf(store, vectors[0], 1)).toEqual(['back']);
});

test('a search while the graph is built finds every vector, and each once', async () => {
  const vectors = new SharedVectors(16);
  for (const [slot, vector] of makeRows(3000, 1, 16).vectors.entries())
    vectors.put(slot, normalise(Float32Array.from(vector)) ?? new Float32Array(16));
  const { dimensions, blocks } = vectors;
  const state = { dimensions, blocks, count: 3000, removed: new Uint32Array(0) };
  const query = { vector: vectors.at(2999), k: 3000 };
  const expected = (await new VectorCore({ ...state, vectorIndex: 'exact' }).search(query)).length;
  const core = new VectorCore({ ...state, vectorIndex: 'hnsw' });
  let settled = false;
  void core.settle().then(() => {
    settled = true;
  });
  let searches = 0;
  for (; !settled; searches++) {
    const ids = (await core.search(query)).map(({ id }) => id);
    expect(ids[0]).toBe(2999);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(expected);
    await setImmediate();
  }
  expect(searches).toBeGreaterThan(2);
});

test('a store that grows moves into a thread and finds what it found', async () => {
  const { store, vectors } = await makeStore(1000);
  expect(await idsOf(store, vectors[7], 1)).toEqual(['1.7']);
  const more = makeRows(1000, 2);
  const adding = store.addVectors(more.vectors, more.documents, { ids: more.ids });
  expect(await idsOf(store, vectors[8], 1)).toEqual(['1.8']);
  await adding;
  expect(await idsOf(store, vectors[9], 1)).toEqual(['1.9']);
  expect(await idsOf(store, more.vectors[999], 1)).toEqual(['2.999']);
});

test('changes and searches may overlap; a batch with one bad vector leaves nothing', async () => {
  const store = closing(new LocalVectorStore(embeddings, hnsw));
  const batches = [1, 2, 3, 4].map((seed) => makeRows(500, seed));
  const adding = batches.map(({ vectors, documents, ids }) => store.addVectors(vectors, documents, { ids }));
  const bad = [...(batches[0]?.vectors.slice(0, 3) ?? []), Array.from({ length: DIMENSIONS }, () => Number.NaN)];
  await expect(store.addVectors(bad, batches[0]?.documents.slice(0, 4) ?? [])).rejects.toThrow(TypeError);
  await Promise.all(adding);
  const asked = batches.map(async ({ vectors }, index) => [index + 1, await idsOf(store, vectors[100], 1)]);
  const removing = store.delete({ ids: ['1.0'] });
  expect(await Promise.all(asked)).toEqual([1, 2, 3, 4].map((seed) => [seed, [`${seed}.100`]]));
  await removing;
  expect(store.size).toBe(1999);
});

test('a closed store works on, its thread is told everything again', async () => {
  const { store, vectors, ids } = await makeStore(1500);
  await store.delete({ ids: [ids[5] ?? ''] });
  await store.close();
  expect(await idsOf(store, vectors[6], 1)).toEqual(['1.6']);
  const found = await idsOf(store, vectors[5], 3);
  expect(found).toHaveLength(3);
  expect(found).not.toContain('1.5');
});

/** Milliseconds of this thread's own processor time between turns of the event loop: other programs do not count. */
function watchTurns() {
  const turns: number[] = [];
  let before = process.threadCpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(before);
    before = process.threadCpuUsage();
    turns.push((user + system) / 1000);
  });
  onTestFinished(() => clearInterval(timer));
  return turns;
}

test('the event loop stays free while a graph is built, searched and saved', async () => {
  const rows = makeRows(12_000, 1, 48);
  const turns = watchTurns();
  const store = closing(new LocalVectorStore(embeddings, hnsw));
  await store.addVectors(rows.vectors, rows.documents, { ids: rows.ids });
  for (const vector of rows.vectors.slice(0, 50)) await idsOf(store, vector, 10);
  const dir = temporaryFolder();
  await store.save(dir);
  const sorted = turns.sort((a, b) => b - a);
  expect(sorted[Math.floor(sorted.length / 100)]).toBeLessThanOrEqual(20);
  expect(sorted[0]).toBeLessThanOrEqual(100);
  expect(filesOf(dir, 'graph')).toHaveLength(1);
});

test('a large folder of HNSWLib is imported in a thread, with the neighbours it had', async () => {
  const { vectors, documents } = makeRows(1500);
  const theirs = new HNSWLib(embeddings, { space: 'cosine' });
  await theirs.addVectors(vectors, documents);
  const dir = temporaryFolder();
  await theirs.save(dir);
  const store = closing(await LocalVectorStore.importHnswlib(dir, embeddings, hnsw));
  expect(store.size).toBe(1500);
  const [[found, score] = []] = await store.similaritySearchVectorWithScore(vectors[42] ?? [], 1);
  expect(found).toMatchObject({ id: '42', pageContent: 'text 1.42', metadata: { index: 42 } });
  expect(score).toBeCloseTo(1, 5);
});
