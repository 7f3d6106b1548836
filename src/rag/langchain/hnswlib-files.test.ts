import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HNSWLib } from '@langchain/community/vectorstores/hnswlib';
import { Document } from '@langchain/core/documents';
import { expect, test } from 'vitest';
import { HashedEmbeddings } from '../../testing/hashed-embeddings.ts';
import { temporaryFolder } from '../../testing/home.ts';
import { readHnswlib } from './hnswlib-files.ts';
import { LocalVectorStore } from './local-vector-store.ts';

const VECTORS = [
  [1, 2, 2],
  [0, 3, 4],
];
/** A row of the index: links of 32 neighbours with their number, a vector, a label. */
const ROW = (32 + 1) * 4 + 3 * 4 + 8;
const HEADER = 96;

/** A folder of two texts and their vectors of three numbers. */
async function makeFolder(vectors = VECTORS): Promise<string> {
  const dir = temporaryFolder();
  const store = new HNSWLib(new HashedEmbeddings(), { space: 'ip' });
  const documents = vectors.map((_, n) => new Document({ pageContent: `text ${n}`, metadata: { n } }));
  await store.addVectors(vectors, documents);
  await store.save(dir);
  return dir;
}

function edit(dir: string, name: string, change: (content: Buffer) => Buffer | string): void {
  writeFileSync(join(dir, name), change(readFileSync(join(dir, name))));
}

/** Write 64-bit fields of the header, at byte offsets. */
const fields = (values: Readonly<Record<number, number>>) => (dir: string) =>
  edit(dir, 'hnswlib.index', (index) => {
    for (const [at, value] of Object.entries(values)) index.writeBigUInt64LE(BigInt(value), Number(at));
    return index;
  });

test('texts, numbers and vectors are those that were saved', async () => {
  const dir = await makeFolder();
  const { texts, dimensions, vectorOf, vectors, ...rest } = await readHnswlib(dir);
  expect({ texts, dimensions, rest }).toEqual({
    texts: [0, 1].map((n) => ({ label: n, pageContent: `text ${n}`, metadata: { n } })),
    dimensions: 3,
    rest: { dir },
  });
  const all = new Map<number, readonly number[]>();
  for await (const [label, vector] of vectors()) all.set(label, [...vector]);
  expect(all).toEqual(new Map(VECTORS.map((vector, label) => [label, vector])));
  expect(vectorOf(1)).toEqual(Float32Array.from(VECTORS[1] ?? []));
  expect(() => vectorOf(7)).toThrow(`${dir} cannot be imported: hnswlib.index has no vector 7.`);
});

test('a store is imported with vectors of length one, and an empty one is one, too', async () => {
  const dir = await makeFolder();
  const store = await LocalVectorStore.importHnswlib(dir, new HashedEmbeddings());
  const found = await store.similaritySearchVectorWithScore([0, 3, 4], 2);
  expect(found.map(([{ id, pageContent, metadata }, score]) => [id, pageContent, metadata, score.toFixed(3)])).toEqual([
    ['1', 'text 1', { n: 1 }, '1.000'],
    ['0', 'text 0', { n: 0 }, '0.933'],
  ]);
  fields({ 16: 0 })(dir);
  edit(dir, 'docstore.json', () => '[]');
  edit(dir, 'hnswlib.index', (index) => index.subarray(0, HEADER));
  expect((await LocalVectorStore.importHnswlib(dir, new HashedEmbeddings())).size).toBe(0);
});

const docstore = (change: (json: string) => string) => (dir: string) =>
  edit(dir, 'docstore.json', (content) => change(content.toString()));
const args = (json: string) => (dir: string) => edit(dir, 'args.json', () => json);

test.each<[string, (dir: string) => void, string]>([
  ['no args.json', (dir) => rmSync(join(dir, 'args.json')), 'args.json is missing'],
  ['no docstore.json', (dir) => rmSync(join(dir, 'docstore.json')), 'docstore.json is missing'],
  ['no index', (dir) => rmSync(join(dir, 'hnswlib.index')), 'hnswlib.index is missing'],
  [
    'a docstore that is a byte too large',
    (dir) => truncateSync(join(dir, 'docstore.json'), 512 * 1024 * 1024 + 1),
    'docstore.json is larger than 512 MB',
  ],
  ['no JSON', args('{'), "args.json is not what HNSWLib writes: Expected property name or '}'"],
  [
    'an unknown space',
    args('{"space":"moon"}'),
    'args.json is not what HNSWLib writes: ✖ Invalid option: expected one of "l2"|"ip"|"cosine"   → at space.',
  ],
  [
    'a negative number',
    docstore((json) => json.replace('["1"', '["-1"')),
    'docstore.json is not what HNSWLib writes: ✖ Too small',
  ],
  ['a number twice', docstore((json) => json.replace('["1"', '["0"')), 'docstore.json repeats a number.'],
  [
    'a text too few',
    docstore((json) => `${json.slice(0, json.indexOf(',["1"'))}]`),
    'docstore.json holds 1 texts, hnswlib.index 2 vectors.',
  ],
  ['a header cut off', (dir) => truncateSync(join(dir, 'hnswlib.index'), HEADER - 1), 'hnswlib.index is cut off.'],
  [
    'a byte cut off',
    (dir) => truncateSync(join(dir, 'hnswlib.index'), HEADER + 2 * (ROW + 4) - 1),
    'hnswlib.index is cut off.',
  ],
  [
    'vectors of another length',
    args('{"space":"ip","numDimensions":4}'),
    'hnswlib.index holds no vectors of 4 numbers.',
  ],
  ['links elsewhere', fields({ 0: 8 }), 'hnswlib.index holds no vectors of 3 numbers.'],
  ['other rows', fields({ 24: ROW + 1 }), 'hnswlib.index holds no vectors of 3 numbers.'],
  ['labels elsewhere', fields({ 32: ROW, 24: ROW + 8 }), 'hnswlib.index holds no vectors of 3 numbers.'],
  ['more links than fit', fields({ 64: 33 }), 'hnswlib.index holds no vectors of 3 numbers.'],
  ['too many neighbours', fields({ 56: 10_001 }), 'hnswlib.index holds no vectors of 3 numbers.'],
  [
    'too many neighbours at the base',
    fields({ 64: 20_002, 40: 80_012, 32: 80_024, 24: 80_032 }),
    'hnswlib.index holds no vectors of 3 numbers.',
  ],
  ['less room than vectors', fields({ 8: 1 }), 'hnswlib.index reserves memory for 1 vectors and holds 2.'],
  [
    'a label twice',
    (dir) => edit(dir, 'hnswlib.index', (index) => index.fill(0, HEADER + 2 * ROW - 8, HEADER + 2 * ROW)),
    'hnswlib.index repeats a number.',
  ],
  [
    'links beyond the end',
    (dir) => edit(dir, 'hnswlib.index', (index) => index.fill(255, index.length - 4)),
    'HNSWLib cannot load it: ',
  ],
  ['too much room', fields({ 8: 1_000_003 }), 'hnswlib.index reserves memory for 1000003 vectors and holds 2.'],
])('%s: the folder is refused', async (_what, spoil, why) => {
  const dir = await makeFolder();
  spoil(dir);
  const message = `${dir} cannot be imported: ${why}`;
  await expect(readHnswlib(dir)).rejects.toMatchObject({
    code: 'index_unavailable',
    message: expect.toSatisfy((said: string) => said.startsWith(message)),
    hint:
      'Give the complete folder that HNSWLib.save wrote: args.json, docstore.json and hnswlib.index; ' +
      'for documents of your own: wooster ingest PATH.',
  });
});

test('a vector without a direction is refused by its number', async () => {
  const dir = await makeFolder([
    [1, 2, 2],
    [0, 0, 0],
  ]);
  await expect(LocalVectorStore.importHnswlib(dir, new HashedEmbeddings())).rejects.toThrow(
    `${dir} cannot be imported: vector 1 is zero or not finite.`,
  );
});

test('a text whose number no vector has is refused', async () => {
  const dir = await makeFolder();
  docstore((json) => json.replace('["1"', '["5"'))(dir);
  await expect(LocalVectorStore.importHnswlib(dir, new HashedEmbeddings())).rejects.toThrow(
    `${dir} cannot be imported: hnswlib.index has no vector 5.`,
  );
});
