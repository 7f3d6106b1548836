import { expect, test } from 'vitest';
import { startDocuments } from '../../testing/documents.ts';
import { IMPORTED_KIND, importRoot } from '../ingest/import-root.ts';
import type { SourceState } from '../types.ts';

interface Known {
  readonly root: string;
  readonly path: string;
  readonly kind?: string;
  readonly state?: SourceState;
  readonly chunks?: number;
}

/** The documents of a home whose project `home` knows these files. */
async function knowing(files: readonly Known[]) {
  const { store, documents } = await startDocuments();
  const read = { size: 7, mtime_us: 1, sha256: 's', version: 'v', indexed_at: '2026-01-01T00:00:00.000Z' };
  for (const [index, { kind = 'md', state = 'indexed', chunks = 1, ...file }] of files.entries())
    await store.db
      .insertInto('sources')
      .values({ project: 'home', document_id: `d${index}`, error: null, ...read, ...file, kind, state, chunks })
      .execute();
  return documents;
}

const imported = (folder: string, path: string, chunks: number): Known => {
  return { root: importRoot(folder), path, kind: IMPORTED_KIND, chunks };
};

test('a range has so many files by path, in one state and not imported where that is asked for', async () => {
  const documents = await knowing([
    ...['c.md', 'a.md', 'd.md', 'b.md'].map((path) => ({ root: '/docs', path })),
    { root: '/docs', path: 'aa.md', state: 'failed' },
    imported('/old', 'ab', 2),
  ]);
  const filesOf = async (from: number, most: number) => {
    const range = { from, most, states: ['indexed'], imported: false } as const;
    return (await documents.sourceRange('home', range)).map(({ file }) => file);
  };
  expect(await filesOf(0, 2)).toEqual(['a.md', 'b.md']);
  expect(await filesOf(2, 9)).toEqual(['c.md', 'd.md']);
  expect(await documents.sourceRange('other', { from: 0, most: 9 })).toEqual([]);
});

test('files of one path are found in every folder', async () => {
  const documents = await knowing([
    { root: '/docs', path: 'x/a.md' },
    { root: '/more', path: 'x/a.md' },
    { root: '/docs', path: 'a.md' },
  ]);
  const found: string[] = [];
  for await (const page of documents.sourcePages('home', { path: 'x/a.md' }))
    found.push(...page.map(({ root }) => root));
  expect(found).toEqual(['/docs', '/more']);
});

test('what was imported is counted by the folder that it came from', async () => {
  const documents = await knowing([
    { root: '/docs', path: 'a.md' },
    imported('/old', 'one', 2),
    imported('/old', 'two', 3),
    imported('/elder', 'one', 1),
  ]);
  expect(await documents.imports('home')).toEqual([
    { folder: '/elder', files: 1, passages: 1 },
    { folder: '/old', files: 2, passages: 5 },
  ]);
  expect(await documents.imports('other')).toEqual([]);
});
