import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Document } from '@langchain/core/documents';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/home.ts';
import { HashedEmbeddings } from './hashed-embeddings.ts';
import { LocalVectorStore } from './local-vector-store.ts';
import { SharedVectors } from './shared-vectors.ts';
import { mostSlots, parseDocument, toShared } from './store-files.ts';

const embeddings = new HashedEmbeddings();
const document = (pageContent: string, metadata: Record<string, unknown> = {}) =>
  new Document({ pageContent, metadata });
const [EAST, NORTH, NORTHEAST] = [
  [1, 0],
  [0, 1],
  [3, 4],
] as const;

async function makeStore() {
  const store = new LocalVectorStore(embeddings, { model: 'compass' });
  const documents = [
    document('east', { side: 'right', n: 1 }),
    document('north', { n: 2 }),
    document('both', { side: 'right', n: 2 }),
  ];
  const ids = await store.addVectors([[...EAST], [...NORTH], [...NORTHEAST]], documents, { ids: ['e', 'n', 'b'] });
  return { store, ids };
}

type Filter = Parameters<LocalVectorStore['similaritySearchVectorWithScore']>[2];
async function near(store: LocalVectorStore, vector: readonly number[], k = 9, filter?: Filter) {
  const found = await store.similaritySearchVectorWithScore([...vector], k, filter);
  return found.map(([{ id, pageContent }, score]) => [id, pageContent, Number(score.toFixed(3))]);
}

test('what lies near is found with its cosine, the best first, and what lies across is not', async () => {
  const { store, ids } = await makeStore();
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
  const { store } = await makeStore();
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
  const { store } = await makeStore();
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
  await store.settle();
  await store.close();
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
  const { store } = await makeStore();
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

test('a store may have this many slots before it is laid out anew', () => {
  expect([0, 1, 10, 1000].map(mostSlots)).toEqual([1000, 1002, 1014, 2400]);
});

test('lines of a folder are documents, or an error; what is shared is what was given', () => {
  expect(parseDocument('{"id":"a","pageContent":"b","metadata":{"c":1}}')).toEqual({
    ...{ id: 'a', pageContent: 'b', metadata: { c: 1 } },
  });
  for (const line of ['', '{"id":1,"pageContent":"b","metadata":{}}', '{"id":"a","pageContent":"b"}'])
    expect(() => parseDocument(line)).toThrow();
  expect(Buffer.from(toShared('é')).toString()).toBe('é');
  expect([...new Uint8Array(toShared(Uint8Array.of(1, 2)))]).toEqual([1, 2]);
});

test('vectors stay where they are while their memory grows block by block', () => {
  const vectors = new SharedVectors(2);
  vectors.put(1, Float32Array.of(1, 2));
  const first = vectors.at(1);
  vectors.put(4096, Float32Array.of(3, 4));
  vectors.put(9000, Float32Array.of(5, 6));
  vectors.count = 9001;
  expect([...first, ...vectors.at(1), ...vectors.at(4096), ...vectors.at(9000)]).toEqual([1, 2, 1, 2, 3, 4, 5, 6]);
  expect(vectors.blocks.map(({ byteLength }) => byteLength)).toEqual([32_768, 32_768, 32_768]);
  const parts = vectors.parts(4095);
  expect(parts.map(({ ids, vectors: rows }) => [ids[0], ids.at(-1), ids.length, rows.length])).toEqual([
    [4095, 4095, 1, 2],
    [4096, 8191, 4096, 8192],
    [8192, 9000, 809, 1618],
  ]);
  expect(vectors.parts(9001)).toEqual([]);
  const same = new SharedVectors(2, vectors.blocks, 9001);
  expect([...same.at(9000)]).toEqual([5, 6]);
});
