import { expect, onTestFinished, test } from 'vitest';
import type { ChunkRow } from '../../store/schema.ts';
import { openTestStore } from '../../testing/stores.ts';
import { Corpus, searchable, toHit } from './corpus.ts';

type Row = Partial<Omit<ChunkRow, 'id'>>;

async function makeCorpus() {
  const store = await openTestStore();
  onTestFinished(() => store.close());
  /** A file with its chunks. @returns their ids. */
  const add = async (path: string, chunks: readonly Row[], project = 'home') => {
    const named = { project, root: '/', path, document_id: path.slice(0, -3), sha256: path, title: `of ${path}` };
    const read = { kind: 'text', size: 1, mtime_us: 1, version: '1', indexed_at: '', state: 'indexed' as const };
    const source = store.db.insertInto('sources').values({ ...named, ...read });
    const { id } = await source.returning('id').executeTakeFirstOrThrow();
    const rows = chunks.map((chunk, ordinal) => {
      const text = chunk.text ?? `${path} ${ordinal}`;
      return { project, source_id: id, ordinal, heading: '[]', text_sha: `sha of ${text}`, ...chunk, text };
    });
    const added = await store.db.insertInto('chunks').values(rows).returning('id').execute();
    return { source: id, ids: added.map((row) => row.id) };
  };
  return { store, add, corpus: new Corpus(store, 'home') };
}

test('a chunk is read with its file and its place in it', async () => {
  const { add, corpus } = await makeCorpus();
  const { source, ids } = await add('notes/a.md', [
    { text: 'one', heading: '["A","B"]', line_from: 3, line_to: 4, metadata: '{"tag":"sea"}' },
    { text: 'two', page_from: 1, page_to: 2, place: 'slide 3' },
  ]);
  const [first = 0, second = 0] = ids;
  const of = { title: 'of notes/a.md', file: 'notes/a.md', documentId: 'notes/a', sourceId: source };
  const found = await corpus.getMany([second, 999, first]);
  expect([...found.keys()]).toEqual([second, first]);
  expect(found.get(first)).toEqual({
    ...{ ...of, id: first, text: 'one', heading: ['A', 'B'], ordinal: 0, sha: 'sha of one', lines: [3, 4] },
    ...{ place: undefined, pages: undefined, metadata: { tag: 'sea' }, changedAt: new Date(0) },
  });
  expect(found.get(second)).toEqual({
    ...{ ...of, id: second, text: 'two', heading: [], ordinal: 1, sha: 'sha of two', pages: [1, 2], place: 'slide 3' },
    ...{ lines: undefined, metadata: undefined, changedAt: new Date(0) },
  });
  const [one, two] = [first, second].map((id) => found.get(id));
  expect(one && searchable(one)).toBe('of notes/a.md\nA\nB\none');
  const plain = { file: 'notes/a.md', documentId: 'notes/a', score: 0.5 };
  expect(one && toHit(one, 0.5)).toEqual({
    ...{ ...plain, chunkId: first, text: 'one', heading: ['A', 'B'], lines: [3, 4], metadata: { tag: 'sea' } },
    ...{ citation: '[notes/a.md, B, lines 3-4]', day: '1970-01-01' },
  });
  expect(two && 'metadata' in toHit(two, 0.5)).toBe(false);
});

test('the ids, their number and the revision are those of the project', async () => {
  const { store, add, corpus } = await makeCorpus();
  expect([await corpus.ids(), await corpus.count(), await corpus.revision()]).toEqual([[], 0, 0]);
  const { ids } = await add('a.md', [{}, {}]);
  await add('b.md', [{}], 'garden');
  await store.db
    .insertInto('corpora')
    .values([
      { project: 'home', revision: 7 },
      { project: 'garden', revision: 9 },
    ])
    .execute();
  expect([await corpus.ids(), await corpus.count(), await corpus.revision()]).toEqual([ids, 2, 7]);
});

test('of thousands of chunks each is read, in the order that was asked for', async () => {
  const { add, corpus } = await makeCorpus();
  const { ids } = await add(
    'a.md',
    Array.from({ length: 1001 }, () => ({})),
  );
  const asked = ids.toReversed();
  expect([...(await corpus.getMany(asked)).keys()]).toEqual(asked);
});

test('the neighbours of a chunk are those of its file, as far as asked', async () => {
  const { add, corpus } = await makeCorpus();
  const { ids } = await add('a.md', [{}, {}, {}, {}, {}]);
  const other = await add('b.md', [{}]);
  const [first = 0, , third = 0] = ids;
  const texts = async (asked: readonly number[], distance: number) =>
    Object.fromEntries(
      [...(await corpus.around(asked, distance))].map(([id, around]) => [id, around.map(({ ordinal }) => ordinal)]),
    );
  expect(await texts([third], 1)).toEqual({ [third]: [1, 2, 3] });
  expect(await texts([first, third], 2)).toEqual({ [first]: [0, 1, 2], [third]: [0, 1, 2, 3, 4] });
  expect(await texts([...other.ids, 999], 2)).toEqual({ [other.ids[0] ?? 0]: [0], 999: [] });
});

test('vectors are those of the model, zeros where there is none of its length', async () => {
  const { store, add, corpus } = await makeCorpus();
  const { ids } = await add('a.md', [{ text: 'a' }, { text: 'b' }, { text: 'c' }]);
  const vector = (...values: number[]) => new Uint8Array(Float32Array.from(values).buffer);
  const row = (text: string, model: string, ...values: number[]) => {
    return { text_sha: `sha of ${text}`, model, dimensions: values.length, vector: vector(...values) };
  };
  await store.db
    .insertInto('vectors')
    .values([row('a', 'm', 1, 2), row('c', 'm', 3, 4), row('a', 'n', 5, 6), row('b', 'n', 7)])
    .execute();
  expect(await corpus.vectorDimensions('m')).toBe(2);
  expect(await corpus.vectorDimensions('none')).toBe(0);
  const of = async (asked: readonly number[], model: string) => [
    ...(await corpus.vectors(Uint32Array.from(asked), model, 2)),
  ];
  expect(await of(ids, 'm')).toEqual([1, 2, 0, 0, 3, 4]);
  expect(await of(ids.toReversed(), 'm')).toEqual([3, 4, 0, 0, 1, 2]);
  expect(await of(ids, 'n')).toEqual([5, 6, 0, 0, 0, 0]);
  const many = [...Array.from({ length: 500 }, () => 9999), ids[0] ?? 0];
  expect((await of(many, 'm')).slice(-4)).toEqual([0, 0, 1, 2]);
});
