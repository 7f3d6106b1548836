import type { EmbeddingsInterface } from '@langchain/core/embeddings';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openTestStore } from '../testing/stores.ts';
import { Embedder } from './embedder.ts';
import { Corpus } from './search/corpus.ts';

type Vectors = (texts: readonly string[]) => number[][];

/** A store with passages, and a model that embeds their texts. */
async function makeStore(texts: readonly string[]) {
  const store = await openTestStore();
  onTestFinished(() => store.close());
  const named = { project: 'home', root: '/', path: 'a.md', document_id: 'a', sha256: 'a', title: 'A' };
  const read = { kind: 'text', size: 1, mtime_us: 1, version: '1', indexed_at: '', state: 'indexed' as const };
  const source = store.db.insertInto('sources').values({ ...named, ...read });
  const { id } = await source.returning('id').executeTakeFirstOrThrow();
  const rows = texts.map((text, ordinal) => {
    return { project: 'home', source_id: id, ordinal, heading: '[]', text, text_sha: `sha of ${text}` };
  });
  const added = await store.db.insertInto('chunks').values(rows).returning('id').execute();
  const model = (name: string, vectors: Vectors = (asked) => asked.map(() => [3, 4])) => {
    const embedDocuments = vi.fn(async (asked: string[]) => vectors(asked));
    const embedQuery = vi.fn(async (asked: string) => vectors([asked])[0] ?? []);
    const embeddings: EmbeddingsInterface = { embedDocuments, embedQuery };
    return { embedder: new Embedder(store, { name, embeddings }), embedDocuments };
  };
  const corpus = new Corpus(store, 'home');
  const vectors = async (of: string) => [
    ...(await corpus.vectors(
      Uint32Array.from(added, (row) => row.id),
      of,
      2,
    )),
  ];
  return { store, model, corpus, vectors };
}

const signal = new AbortController().signal;

test('each text is embedded once, with its title, and its vector has the length one', async () => {
  const { model, corpus, vectors } = await makeStore(['one', 'two', 'one']);
  const { embedder, embedDocuments } = model('m', (asked) => asked.map((_, at) => (at === 0 ? [3, 4] : [0, 0])));
  expect([embedder.id, embedder.name]).toEqual(['model:m', 'm']);
  const onProgress = vi.fn();
  await embedder.embedMissing('home', { signal, onProgress });
  expect(embedDocuments.mock.calls).toEqual([[['A\none', 'A\ntwo']]]);
  expect(onProgress.mock.calls).toEqual([[{ done: 2, total: 2, file: 'a.md', stage: 'embed' }]]);
  // A zero vector stays a zero vector.
  expect((await vectors('model:m')).map((value) => Number(value.toFixed(3)))).toEqual([0.6, 0.8, 0, 0, 0.6, 0.8]);
  expect(await corpus.revision()).toBe(1);
  await embedder.embedMissing('home', { signal });
  expect(embedDocuments).toHaveBeenCalledTimes(1);
  expect(await corpus.revision()).toBe(1);
});

test('many texts are embedded some at a time, and what is done stays when it is told to end', async () => {
  const { model, corpus } = await makeStore(Array.from({ length: 130 }, (_, at) => `text ${at}`));
  const { embedder, embedDocuments } = model('m');
  const ending = new AbortController();
  const done: number[] = [];
  await embedder.embedMissing('home', {
    signal: ending.signal,
    onProgress: (progress) => {
      done.push(progress.done, progress.total);
      if (progress.done === 128) ending.abort();
    },
  });
  expect([done, await corpus.revision()]).toEqual([[64, 130, 128, 130], 1]);
  await embedder.embedMissing('home', { signal });
  expect(embedDocuments.mock.calls.map(([texts]) => texts.length)).toEqual([64, 64, 2]);
  await embedder.embedMissing('home', { signal: AbortSignal.abort() });
  expect(await corpus.revision()).toBe(2);
});

test('a model that cannot be asked is named, with what to do', async () => {
  const { model, corpus } = await makeStore(['one']);
  const { embedder } = model('m', () => {
    throw new Error('connection refused');
  });
  await expect(embedder.embedMissing('home', { signal })).rejects.toMatchObject({
    ...{ code: 'model_unreachable', message: 'The embedding model m could not be asked: connection refused.' },
    hint: 'What was read is kept and can be found by its words. Run wooster ingest again when the model is available.',
  });
  expect(await corpus.revision()).toBe(0);
});

test.each<[string, number[], number, number]>([
  ['longer', [1, 2, 3], 3, 2],
  ['shorter', [1], 1, 2],
])('a vector that is %s than those before is refused', async (_what, odd, got, expected) => {
  const { store, model } = await makeStore(['one', 'two']);
  const { embedder } = model('m', () => [[3, 4], odd]);
  await expect(embedder.embedMissing('home', { signal })).rejects.toMatchObject({
    code: 'index_unavailable',
    message: `The embedding model m gave a vector of ${got} numbers where ${expected} were expected.`,
    hint: 'Rename the changed model, or embed everything again: wooster ingest --rebuild',
  });
  expect(await store.db.selectFrom('vectors').selectAll().execute()).toEqual([]);
});

test('a model that gives no numbers is refused, for a query there is none then', async () => {
  const { model } = await makeStore(['one']);
  const { embedder } = model('m', (asked) => asked.map(() => []));
  await expect(embedder.embedMissing('home', { signal })).rejects.toMatchObject({
    message: 'The embedding model m gave a vector of 0 numbers where 0 were expected.',
  });
  expect(await embedder.embedQuery('x')).toBeUndefined();
  const query = await model('n').embedder.embedQuery('x');
  expect(query && [...query].map((value) => Number(value.toFixed(3)))).toEqual([0.6, 0.8]);
});

test('another model is known by vectors that this one has not made itself', async () => {
  const { model } = await makeStore(['one', 'two']);
  const [first, second] = [model('first').embedder, model('second').embedder];
  expect(await second.otherModelOf('home')).toBeUndefined();
  await first.embedMissing('home', { signal });
  expect([await first.otherModelOf('home'), await second.otherModelOf('home')]).toEqual([undefined, 'model:first']);
  expect(await second.otherModelOf('garden')).toBeUndefined();
  await second.embedMissing('home', { signal });
  expect(await second.otherModelOf('home')).toBeUndefined();
});

test.each<[string, number[][], boolean]>([
  ['the same', [[0.6, 0.8]], true],
  ['nearly the same', [[0.7, 0.71]], true],
  ['other ones', [[0.8, 0.6]], false],
  ['of another length', [[0.6, 0.8, 0]], false],
  [
    'more than there are texts',
    [
      [0.6, 0.8],
      [0.6, 0.8],
    ],
    false,
  ],
])('the vectors of a sample are %s', async (_what, vectors, made) => {
  const { model } = await makeStore(['one']);
  const sample = { texts: ['one'], vectors: vectors.map((vector) => Float32Array.from(vector)) };
  expect(await model('m').embedder.made(sample)).toBe(made);
  const { embedder, embedDocuments } = model('m');
  expect(await embedder.made({ texts: [], vectors: [] })).toBe(true);
  expect(embedDocuments).not.toHaveBeenCalled();
});
