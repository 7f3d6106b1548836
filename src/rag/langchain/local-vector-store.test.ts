import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HNSWLib } from '@langchain/community/vectorstores/hnswlib';
import { Document } from '@langchain/core/documents';
import { expect, onTestFinished, test } from 'vitest';
import { mulberry32 } from '../../base/mulberry32.ts';
import { HashedEmbeddings } from '../../testing/hashed-embeddings.ts';
import { temporaryFolder } from '../../testing/home.ts';
import { measureFile } from '../index/array-file-writer.ts';
import { HnswGraph } from '../index/hnsw-graph.ts';
import { normalise } from '../index/lsa.ts';
import { type Filter, LocalVectorStore, type LocalVectorStoreOptions } from './local-vector-store.ts';

const embeddings = new HashedEmbeddings();
const DIMENSIONS = 400;
const hnsw = { vectorIndex: 'hnsw' } as const;

function makeRows(count: number, seed = 1, dimensions = DIMENSIONS) {
  const random = mulberry32(seed);
  const vectors = Array.from({ length: count }, () => Array.from({ length: dimensions }, () => random() - 0.5));
  const ids = vectors.map((_, index) => `${seed}.${index}`);
  const documents = ids.map((id, index) => new Document({ pageContent: `text ${id}`, metadata: { index } }));
  return { vectors, documents, ids };
}

async function makeStore(count: number, options: LocalVectorStoreOptions = hnsw, dimensions = DIMENSIONS) {
  const rows = makeRows(count, 1, dimensions);
  const store = new LocalVectorStore(embeddings, options);
  await store.addVectors(rows.vectors, rows.documents, { ids: rows.ids });
  return { store, ...rows };
}

const load = (dir: string, options: LocalVectorStoreOptions = hnsw) => LocalVectorStore.load(dir, embeddings, options);

async function idsOf(store: LocalVectorStore, vector: number[] | undefined, k: number) {
  const found = await store.similaritySearchVectorWithScore(vector ?? [], k);
  return found.map(([{ id }]) => id);
}

const cosineSign = (a: number[], b: number[]) => a.reduce((sum, value, axis) => sum + value * (b[axis] ?? 0), 0);

const filesOf = (dir: string, kind: string) => readdirSync(dir).filter((name) => name.startsWith(`${kind}-`));

/** Give a saved store a graph whose labels are swapped, so that the answers reveal whether it is used. */
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

test('a store can be searched while it grows', async () => {
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
  const store = new LocalVectorStore(embeddings, hnsw);
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
  const store = new LocalVectorStore(embeddings, hnsw);
  await store.addVectors(rows.vectors, rows.documents, { ids: rows.ids });
  for (const vector of rows.vectors.slice(0, 50)) await idsOf(store, vector, 10);
  const dir = temporaryFolder();
  await store.save(dir);
  const sorted = turns.sort((a, b) => b - a);
  expect(sorted[Math.floor(sorted.length / 100)]).toBeLessThanOrEqual(20);
  expect(sorted[0]).toBeLessThanOrEqual(100);
  expect(filesOf(dir, 'graph')).toHaveLength(1);
});

test('a large folder of HNSWLib is imported with the neighbours it had', async () => {
  const { vectors, documents } = makeRows(1500);
  const theirs = new HNSWLib(embeddings, { space: 'cosine' });
  await theirs.addVectors(vectors, documents);
  const dir = temporaryFolder();
  await theirs.save(dir);
  const store = await LocalVectorStore.importHnswlib(dir, embeddings, hnsw);
  expect(store.size).toBe(1500);
  const [[found, score] = []] = await store.similaritySearchVectorWithScore(vectors[42] ?? [], 1);
  expect(found).toMatchObject({ id: '42', pageContent: 'text 1.42', metadata: { index: 42 } });
  expect(score).toBeCloseTo(1, 5);
});

const document = (pageContent: string, metadata: Record<string, unknown> = {}) =>
  new Document({ pageContent, metadata });
const [EAST, NORTH, NORTHEAST] = [
  [1, 0],
  [0, 1],
  [3, 4],
] as const;

async function compass() {
  const store = new LocalVectorStore(embeddings, { model: 'compass' });
  const documents = [
    document('east', { side: 'right', n: 1 }),
    document('north', { n: 2 }),
    document('both', { side: 'right', n: 2 }),
  ];
  const ids = await store.addVectors([[...EAST], [...NORTH], [...NORTHEAST]], documents, { ids: ['e', 'n', 'b'] });
  return { store, ids };
}

async function near(store: LocalVectorStore, vector: readonly number[], k = 9, filter?: Filter) {
  const found = await store.similaritySearchVectorWithScore([...vector], k, filter);
  return found.map(([{ id, pageContent }, score]) => [id, pageContent, Number(score.toFixed(3))]);
}

test('what lies near is found with its cosine, the best first, and what lies across is not', async () => {
  const { store, ids } = await compass();
  expect([ids, store.size, store._vectorstoreType()]).toEqual([['e', 'n', 'b'], 3, 'wooster']);
  expect(await near(store, EAST)).toEqual([
    ['e', 'east', 1],
    ['b', 'both', 0.6],
  ]);
  expect(await near(store, [0, 7])).toEqual([
    ['n', 'north', 1],
    ['b', 'both', 0.8],
  ]);
  expect(await near(store, NORTH, 1)).toEqual([['n', 'north', 1]]);
  expect(await near(store, [-1, 0])).toEqual([]);
  expect(await near(store, [0, 0])).toEqual([]);
});

test.each<[string, Filter, string[]]>([
  ['a field', { side: 'right' }, ['b', 'e']],
  ['several fields', { side: 'right', n: 1 }, ['e']],
  ['a field that none has', { side: 'left' }, []],
  ['nothing', {}, ['b', 'e', 'n']],
  ['a function', ({ pageContent }) => pageContent !== 'both', ['e', 'n']],
])('searched is by %s', async (_what, filter, expected) => {
  const { store } = await compass();
  await store.delete({ ids: ['missing'] });
  const found = await near(store, [1, 1], 9, filter);
  expect(found.map(([id]) => id).sort()).toEqual(expected);
});

test('ids come from the call, from the documents, or are made', async () => {
  const store = new LocalVectorStore(embeddings);
  const own = new Document({ pageContent: 'own', id: 'mine' });
  const [given, kept, made = ''] = await store.addVectors(
    [[...EAST], [...NORTH], [...NORTH]],
    [own, own, document('x')],
    {
      ids: ['given'],
    },
  );
  expect([given, kept]).toEqual(['given', 'mine']);
  expect(made).toMatch(/^doc_\w+$/u);
  expect(await store.addVectors([], [])).toEqual([]);
  expect(store.size).toBe(3);
});

test('the same id within one call is one document, the last', async () => {
  const store = new LocalVectorStore(embeddings);
  await store.addVectors([[...EAST], [...NORTH]], [document('first'), document('last')], { ids: ['x', 'x'] });
  expect([store.size, await near(store, NORTHEAST)]).toEqual([1, [['x', 'last', 0.8]]]);
});

test('vectors of another length are refused, in a search too, and nothing is added', async () => {
  const { store } = await compass();
  const refused = {
    code: 'index_unavailable',
    message: 'The store was made with vectors of 2 numbers, not with vectors of 3 numbers.',
    hint: 'Use the model it was made with, or embed the documents again into a new store.',
  };
  await expect(store.addVectors([[1, 2, 3]], [document('x')])).rejects.toMatchObject(refused);
  await expect(near(store, [1, 2, 3])).rejects.toMatchObject(refused);
  await expect(store.addVectors([[...EAST]], [document('x'), document('y')])).rejects.toThrow(
    new TypeError('a vector must have a direction and only finite numbers'),
  );
  expect(store.size).toBe(3);
});

test('an empty store finds nothing, and can be emptied, saved, loaded and filled', async () => {
  const store = new LocalVectorStore(embeddings, { model: 'compass' });
  const dir = temporaryFolder();
  await store.delete({ ids: ['x'] });
  expect(await near(store, EAST)).toEqual([]);
  await store.save(dir);
  const again = await LocalVectorStore.load(dir, embeddings, { model: 'compass' });
  expect([again.size, await near(again, EAST)]).toEqual([0, []]);
  await again.addVectors([[1, 2, 3]], [document('x')], { ids: ['x'] });
  expect(await near(again, [1, 2, 3])).toEqual([['x', 'x', 1]]);
  await again.delete({ ids: ['x'] });
  expect([again.size, await near(again, [1, 2, 3])]).toEqual([0, []]);
});

test('a saved store is a manifest, its vectors and its documents as lines, in the order of the vectors', async () => {
  const { store } = await compass();
  await store.delete({ ids: ['n'] });
  const dir = temporaryFolder();
  writeFileSync(join(dir, 'vectors-v_old.bin'), '');
  writeFileSync(join(dir, 'vectors-mine.txt'), '');
  await store.save(dir);
  const [documents = '', manifest, vectors, other, ...more] = readdirSync(dir).sort();
  expect([documents, manifest, vectors, other, more]).toEqual([
    expect.stringMatching(/^documents-v_\w+\.jsonl$/u),
    'store.json',
    expect.not.stringContaining('old'),
    expect.anything(),
    [],
  ]);
  expect([vectors, other]).toContain('vectors-mine.txt');
  expect(readFileSync(join(dir, documents), 'utf8')).toBe(
    '{"id":"e","pageContent":"east","metadata":{"side":"right","n":1}}\n' +
      '{"id":"b","pageContent":"both","metadata":{"side":"right","n":2}}\n',
  );
  expect(JSON.parse(readFileSync(join(dir, 'store.json'), 'utf8'))).toMatchObject({
    ...{ model: 'compass', dimensions: 2, graph: null },
    documents: { file: documents },
  });
  const again = await LocalVectorStore.load(dir, embeddings, { model: 'compass' });
  expect(await near(again, EAST)).toEqual([
    ['e', 'east', 1],
    ['b', 'both', 0.6],
  ]);
  const message = 'The store was made with compass, not with HashedEmbeddings.';
  await expect(LocalVectorStore.load(dir, embeddings)).rejects.toMatchObject({ message });
  await expect(LocalVectorStore.load(temporaryFolder(), embeddings)).rejects.toMatchObject({
    ...{ code: 'index_unavailable', message: expect.stringMatching(/holds no vector store\.$/u) },
    hint: 'Build it again from its documents.',
  });
});

test('texts may have one metadata for all of them, or each its own', async () => {
  const store = await LocalVectorStore.fromTexts(['ferry', 'bread'], { shared: true }, embeddings);
  const [[found] = []] = await store.similaritySearchWithScore('ferry', 1);
  expect(found?.metadata).toEqual({ shared: true });
  const own = await LocalVectorStore.fromTexts(['ferry', 'bread'], [{ n: 1 }], embeddings);
  const metadata = async (text: string) => (await own.similaritySearch(text, 1)).map((each) => each.metadata);
  expect([await metadata('ferry'), await metadata('bread')]).toEqual([[{ n: 1 }], [{}]]);
});

const TEXTS = ['The ferry leaves at six.', 'Bread needs flour and water.', 'A ferry ticket costs ten crowns.'];
const documents = TEXTS.map(
  (pageContent, index) => new Document({ pageContent, metadata: { index, even: index % 2 === 0 } }),
);

test('ids are kept: the same id replaces, a deleted one is gone', async () => {
  const store = new LocalVectorStore(embeddings);
  expect(await store.addDocuments(documents, { ids: ['a', 'b', 'c'] })).toEqual(['a', 'b', 'c']);
  await store.addDocuments([new Document({ pageContent: 'The ferry is cancelled.' })], { ids: ['a'] });
  expect(store.size).toBe(3);
  expect((await store.similaritySearch('ferry', 3)).map(({ id }) => id).sort()).toEqual(['a', 'c']);
  await store.delete({ ids: ['a'] });
  expect((await store.similaritySearch('ferry', 3)).map(({ id }) => id)).toEqual(['c']);
});

test('the higher score is the better one, and filters are functions or fields', async () => {
  const store = await LocalVectorStore.fromDocuments(documents, embeddings);
  const [first, second] = await store.similaritySearchWithScore('ferry ticket', 2);
  expect(first?.[0].pageContent).toBe(TEXTS[2]);
  expect(first?.[1]).toBeGreaterThan(second?.[1] ?? 1);
  const filtered = await store.similaritySearch('bread water ferry', 3, { even: false });
  expect(filtered.map(({ pageContent }) => pageContent)).toEqual([TEXTS[1]]);
  const byFunction = await store.similaritySearch('ferry', 3, ({ metadata }) => metadata.index === 0);
  expect(byFunction.map(({ pageContent }) => pageContent)).toEqual([TEXTS[0]]);
});

test('a saved store loads as it was, and another model is refused', async () => {
  const dir = temporaryFolder();
  const store = await LocalVectorStore.fromTexts(TEXTS, [{ n: 1 }, { n: 2 }, { n: 3 }], embeddings, { model: 'hash' });
  await store.save(dir);
  const again = await LocalVectorStore.load(dir, embeddings, { model: 'hash' });
  expect(await again.similaritySearchWithScore('flour', 1)).toEqual(await store.similaritySearchWithScore('flour', 1));
  await expect(LocalVectorStore.load(dir, embeddings, { model: 'other' })).rejects.toMatchObject({
    code: 'index_unavailable',
  });
});

test('vectors of another length or without numbers are refused', async () => {
  const store = await LocalVectorStore.fromTexts(['a b'], {}, embeddings);
  await expect(store.addVectors([[1, 2, 3]], [documents[0] as Document])).rejects.toMatchObject({
    code: 'index_unavailable',
  });
  await expect(store.addVectors([[Number.NaN]], [documents[0] as Document])).rejects.toThrow(TypeError);
  expect(await new LocalVectorStore(embeddings).similaritySearch('nothing here', 3)).toEqual([]);
});

test('a folder saved by HNSWLib is imported with texts, metadata and neighbours', async () => {
  const dir = temporaryFolder();
  await (await HNSWLib.fromDocuments(documents, embeddings)).save(dir);
  const store = await LocalVectorStore.importHnswlib(dir, embeddings);
  const [found] = await store.similaritySearch('ticket for the ferry', 1);
  expect(found).toMatchObject({ pageContent: TEXTS[2], metadata: { index: 2, even: true } });
  await expect(LocalVectorStore.importHnswlib(temporaryFolder(), embeddings)).rejects.toMatchObject({
    code: 'index_unavailable',
  });
});

test('the graph finds what looking at each vector finds', async () => {
  const random = mulberry32(3);
  const vector = () => Array.from({ length: 24 }, () => random() - 0.5);
  const many = Array.from({ length: 3000 }, (_, index) => new Document({ pageContent: `${index}` }));
  const vectors = many.map(vector);
  const ids = many.map((_, index) => `${index}`);
  const [exact, graph] = (['exact', 'hnsw'] as const).map(
    (vectorIndex) => new LocalVectorStore(embeddings, { vectorIndex }),
  );
  await exact?.addVectors(vectors, many, { ids });
  await graph?.addVectors(vectors, many, { ids });
  let shared = 0;
  for (let round = 0; round < 20; round++) {
    const query = vector();
    const found = await Promise.all(
      [exact, graph].map(async (store) => store?.similaritySearchVectorWithScore(query, 10)),
    );
    const [a = [], b = []] = found.map((hits) => hits?.map(([document]) => document.id));
    shared += a.filter((id) => b.includes(id)).length;
  }
  expect(shared / 200).toBeGreaterThanOrEqual(0.97);
});
