import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HNSWLib } from '@langchain/community/vectorstores/hnswlib';
import { Document } from '@langchain/core/documents';
import { RunnableLambda } from '@langchain/core/runnables';
import { expect, test } from 'vitest';
import { startDocuments } from '../../testing/documents.ts';
import { temporaryFolder } from '../../testing/home.ts';
import { mulberry32 } from '../index/linear-algebra.ts';
import { HashedEmbeddings } from './hashed-embeddings.ts';
import { LocalVectorStore } from './local-vector-store.ts';
import { ProjectRetriever } from './project-retriever.ts';

const TEXTS = ['The ferry leaves at six.', 'Bread needs flour and water.', 'A ferry ticket costs ten crowns.'];
const documents = TEXTS.map(
  (pageContent, index) => new Document({ pageContent, metadata: { index, even: index % 2 === 0 } }),
);
const embeddings = new HashedEmbeddings();

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

test("a project's documents are a retriever that can be piped", async () => {
  const { home, documents: source } = await startDocuments();
  mkdirSync(join(home, 'projects', 'home'), { recursive: true });
  writeFileSync(join(home, 'projects', 'home', 'ferry.md'), '# Ferry\n\nThe ferry leaves at six.\n');
  const retriever = new ProjectRetriever({ documents: source, project: 'home', k: 1 });
  const chain = retriever.pipe(
    RunnableLambda.from((found: Document[]) => found.map(({ metadata }) => metadata.citation)),
  );
  expect(await chain.invoke('when does the ferry leave')).toEqual(['[ferry.md, line 3]']);
});
