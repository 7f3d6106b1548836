import { expect, onTestFinished, test } from 'vitest';
import { openTestStore } from '../../testing/stores.ts';
import { fitsPath, fittingChunks } from './filter.ts';
import { parseQuery } from './query.ts';

test.each([
  ['notes/Ferry.md', 'ferry', true],
  ['notes/ferry.md', 'NOTES/F', true],
  ['notes/ferry.md', 'train', false],
  ['notes/ferry.md', '*.md', true],
  ['notes/ferry.md', 'notes/*', true],
  ['old/notes/ferry.md', 'notes/*', true],
  ['notes/ferry.md', '*.txt', false],
  ['notes/ferry.md', 'f?rry.md', true],
  ['notes/ferry.md', '[ef]erry.md', true],
  ['notes/ferry.md', '{ferry,train}.md', true],
  ['notes/ferry.md', 'notes', true],
  ['notes/deep/ferry.md', 'notes/*', false],
])('%s is meant by file:%s: %s', (path, wanted, fits) => expect(fitsPath(path, wanted)).toBe(fits));

type Chunks = readonly (readonly [heading: string[], text: string])[];

async function makeProject() {
  const store = await openTestStore();
  onTestFinished(() => store.close());
  /** A file of some day with its chunks. */
  const add = async (path: string, day: string, chunks: Chunks) => {
    const named = { project: 'home', root: '/', path, document_id: path, sha256: path, kind: 'text' };
    const read = { size: 1, mtime_us: Date.parse(day) * 1000, version: '1', indexed_at: '', state: 'indexed' as const };
    const source = store.db.insertInto('sources').values({ ...named, ...read });
    const { id } = await source.returning('id').executeTakeFirstOrThrow();
    const rows = chunks.map(([heading, text], ordinal) => {
      return { project: 'home', source_id: id, ordinal, heading: JSON.stringify(heading), text, text_sha: text };
    });
    await store.db.insertInto('chunks').values(rows).execute();
  };
  /** The texts of the chunks that meet a query's conditions. */
  const fitting = async (query: string, project = 'home') => {
    const ids = await fittingChunks(store, project, parseQuery(query).conditions);
    const rows = await store.db.selectFrom('chunks').select(['id', 'text']).orderBy('id').execute();
    return rows.filter(({ id }) => ids.has(id)).map(({ text }) => text);
  };
  return { add, fitting };
}

test('by file, several of which may be named, and in no other project', async () => {
  const { add, fitting } = await makeProject();
  await add('a.md', '2024-05-01', [[[], 'alpha']]);
  await add('b.txt', '2024-05-01', [
    [[], 'beta'],
    [[], 'gamma'],
  ]);
  expect(await fitting('file:a.md')).toEqual(['alpha']);
  expect(await fitting('file:*.txt')).toEqual(['beta', 'gamma']);
  expect(await fitting('file:a.md file:b.txt')).toEqual(['alpha', 'beta', 'gamma']);
  expect(await fitting('file:c.md')).toEqual([]);
  expect(await fitting('file:a.md', 'garden')).toEqual([]);
});

test('a chunk under a dated heading counts for that day, any other for that of its file', async () => {
  const { add, fitting } = await makeProject();
  await add('home.md', '2024-06-30T23:59:00Z', [
    [['Log', '2024-05-03 08:00'], 'third of May'],
    [['2024-05-03 08:00', 'Later'], 'last of June'],
    [['Log', 'Of 2024-05-04'], 'also of June'],
  ]);
  await add('old.md', '2023-01-02', [[[], 'of 2023']]);
  expect(await fitting('dt=2024-05')).toEqual(['third of May']);
  expect(await fitting('dt=2024-06-30')).toEqual(['last of June', 'also of June']);
  expect(await fitting('dt<2024')).toEqual(['of 2023']);
  expect(await fitting('dt>=2023 dt<2024-06')).toEqual(['third of May', 'of 2023']);
  expect(await fitting('dt=2024 file:old.md')).toEqual([]);
});

test('exact words stand in the heading or the text, across lines and in any case', async () => {
  const { add, fitting } = await makeProject();
  await add('a.md', '2024-05-01', [
    [['North Pier'], 'The boat\nlies here.'],
    [[], 'The boat is at the NORTH\nPIER, near the CAFÉ Ö.'],
    [[], 'The boats are away.'],
  ]);
  const [first, second, third] = await fitting('file:a.md');
  expect(await fitting('+"north pier"')).toEqual([first, second]);
  expect(await fitting('+"boat lies"')).toEqual([first]);
  expect(await fitting('+"Café ö"')).toEqual([second]);
  expect(await fitting('+"boat" +"away"')).toEqual([third]);
  expect(await fitting('+"éö"')).toEqual([]);
  expect(await fitting('+"boat"', 'garden')).toEqual([]);
});

test('words that must not stand there are whole words, with their signs as they are', async () => {
  const { add, fitting } = await makeProject();
  await add('a.md', '2024-05-01', [
    [[], 'a crane'],
    [[], 'two cranes'],
    [[], 'the crane\nlifts (c++) at 50% or a.b'],
    [['Crane'], 'a lift'],
    [[], 'c+++ acb'],
  ]);
  const [first, second, , fourth, fifth] = await fitting('file:a.md');
  expect(await fitting('-"crane"')).toEqual([second, fifth]);
  expect(await fitting('-"crane lifts"')).toEqual([first, second, fourth, fifth]);
  expect(await fitting('-"(c++)"')).toEqual([first, second, fourth, fifth]);
  expect(await fitting('-"a.b"')).toEqual([first, second, fourth, fifth]);
  expect(await fitting('-" Crane "')).toEqual([first, second, fourth, fifth]);
});

test('of thousands of chunks each is looked at', async () => {
  const { add, fitting } = await makeProject();
  const many = Array.from({ length: 2001 }, (_, at): [string[], string] => [[], `a boat ${at}`]);
  await add('many.md', '2024-05-01', many);
  expect(await fitting('+"boat"')).toHaveLength(2001);
  expect(await fitting('-"boat"')).toEqual([]);
});
