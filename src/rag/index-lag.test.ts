import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../testing/home.ts';
import { openTestStore } from '../testing/stores.ts';
import { EMPTY_MANIFEST, writeManifest } from './index/manifest.ts';
import { indexLags } from './index-lag.ts';

test('an index is behind its documents by the changes that neither its files nor the published one have', async () => {
  const store = await openTestStore();
  onTestFinished(() => store.close());
  const dir = temporaryFolder();
  expect(await indexLags(store, dir)).toEqual([]);
  const corpora = ['both', 'files', 'none'].map((project) => ({ project, revision: 9 }));
  await store.db.insertInto('corpora').values(corpora).execute();
  for (const project of ['both', 'files']) {
    mkdirSync(join(dir, project));
    writeManifest(join(dir, project), { ...EMPTY_MANIFEST, revision: 5 });
  }
  const manifests = [4, 7].map((revision) => ({ project: 'both', revision, manifest: '{}' }));
  await store.db.insertInto('index_manifests').values(manifests).execute();
  expect(await indexLags(store, dir)).toEqual([
    { project: 'both', revision: 9, indexed: 5, published: 7, behind: 2 },
    { project: 'files', revision: 9, indexed: 5, published: null, behind: 4 },
    { project: 'none', revision: 9, indexed: -1, published: null, behind: 9 },
  ]);
});
