import { expect, onTestFinished, test } from 'vitest';
import { openTestStore } from '../testing/stores.ts';
import { changedDocuments, type WrittenFile } from './changed-documents.ts';

test('documents indexed after an instant are listed, oldest first, with the run that wrote each', async () => {
  const store = await openTestStore();
  onTestFinished(() => store.close());
  const common = { project: 'boat', root: '/', kind: 'text', size: 1, mtime_us: 1, version: '1' };
  const file = (path: string, indexed_at: string, more: object = {}) => {
    const row = { ...common, path, document_id: path.slice(0, -3), sha256: `sha of ${path}`, indexed_at };
    return { ...row, state: 'indexed' as const, ...more };
  };
  await store.db
    .insertInto('sources')
    .values([
      file('later.md', '2026-05-01T12:00:00.000Z'),
      file('first.md', '2026-05-01T10:00:00.001Z'),
      file('alike.md', '2026-05-01T12:00:00.000Z'),
      file('before.md', '2026-05-01T10:00:00.000Z'),
      file('boat.md', '2026-05-01T13:00:00.000Z'),
      file('empty.md', '2026-05-01T13:00:00.000Z', { state: 'empty' }),
      file('other.md', '2026-05-01T13:00:00.000Z', { project: 'home' }),
    ])
    .execute();
  const asked: unknown[] = [];
  const runsThatWrote = async (project: string, files: readonly WrittenFile[]) => {
    asked.push([project, files.map(({ path, sha256 }) => [path, sha256])]);
    return [null, 'run 7'];
  };
  expect(await changedDocuments(store, 'boat', { after: '2026-05-01T10:00:00.000Z', runsThatWrote })).toEqual([
    { document: 'first', at: '2026-05-01T10:00:00.001Z', run: null },
    { document: 'later', at: '2026-05-01T12:00:00.000Z', run: 'run 7' },
    { document: 'alike', at: '2026-05-01T12:00:00.000Z', run: null },
  ]);
  const files = ['first.md', 'later.md', 'alike.md'].map((path) => [path, `sha of ${path}`]);
  expect(asked).toEqual([['boat', files]]);
});
