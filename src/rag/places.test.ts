import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../base/log.ts';
import type { Store } from '../store/store.ts';
import { startDocuments } from '../testing/documents.ts';
import { temporaryFolder } from '../testing/home.ts';
import { sqlAll, sqlRun } from '../testing/sql.ts';
import { openTestStore } from '../testing/stores.ts';
import { absolutePath, absoluteRoot, storedPath, storedRoot } from './places.ts';
import { createProjects } from './projects.ts';

const signal = new AbortController().signal;
const USUAL = { home: '/home/ada/wooster', projects: '/home/ada/wooster/projects' };
const SHARED = { home: '/home/ada/wooster', projects: '/mnt/team' };

test.each([
  [USUAL, '/home/ada/wooster/projects/garden', 'projects/garden'],
  [USUAL, '/home/ada/wooster/projects', 'projects'],
  [USUAL, '/home/ada/wooster/docs/*.md', 'docs/*.md'],
  [USUAL, '/home/ada/wooster', '.'],
  [USUAL, '/home/ada/wooster-old/docs', '/home/ada/wooster-old/docs'],
  [USUAL, '/home/ada', '/home/ada'],
  [USUAL, '/home/ada/wooster/..notes', '..notes'],
  [SHARED, '/mnt/team/garden', 'projects/garden'],
  [SHARED, '/home/ada/wooster/docs', 'docs'],
  // The folder of the same name in the home is a different one then.
  [SHARED, '/home/ada/wooster/projects/garden', '/home/ada/wooster/projects/garden'],
  [{ home: '/srv/files/wooster', projects: '/srv/files' }, '/srv/files/wooster/docs', 'projects/wooster/docs'],
])('with the folders %j, %s is stored as %s', (places, absolute, stored) => {
  expect(storedPath(places, absolute)).toBe(stored);
  expect(absolutePath(places, stored)).toBe(absolute);
  expect(storedPath(places, stored)).toBe(stored);
});

test('the folder of an import is stored like any other', () => {
  expect(storedRoot(USUAL, 'langchain:/home/ada/wooster/old-store')).toBe('langchain:old-store');
  expect(absoluteRoot(SHARED, 'langchain:projects/old-store')).toBe('langchain:/mnt/team/old-store');
  expect(storedRoot(USUAL, 'langchain:/srv/old-store')).toBe('langchain:/srv/old-store');
});

function write(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

/** A home with documents in the project's folder, elsewhere in the home, and outside of it. */
async function filledHome() {
  const around = temporaryFolder();
  const [home, outside] = [join(around, 'here'), join(around, 'outside')];
  write(join(home, 'projects/home/a.md'), '# A\n\nalpha\n');
  write(join(home, 'docs/b.md'), '# B\n\nbravo\n');
  write(join(outside, 'c.md'), '# C\n\ncharlie\n');
  const store = await openTestStore(join(temporaryFolder(), 'w.sqlite3'));
  onTestFinished(() => store.close());
  const { documents, stop } = await startDocuments(home, { store });
  await documents.ingest('home', [], { signal });
  await documents.ingest('home', [join(home, 'docs'), outside], { signal });
  await stop();
  return { around, home, outside, store };
}

async function storedPaths(store: Store): Promise<unknown[]> {
  const roots = await sqlAll(store, 'SELECT path FROM roots ORDER BY path');
  const sources = await sqlAll(store, 'SELECT root FROM sources ORDER BY path');
  return [roots.map(({ path }) => path), sources.map(({ root }) => root)];
}

test('a home that was moved finds its documents, without reading them again', async () => {
  const { around, home, outside, store } = await filledHome();
  expect(await storedPaths(store)).toEqual([
    [outside, 'docs'],
    ['projects/home', 'docs', outside],
  ]);
  const moved = join(around, 'there');
  renameSync(home, moved);
  const { documents } = await startDocuments(moved, { store });
  const report = await documents.ingest('home', [], { signal });
  expect(report).toMatchObject({ unchanged: 3, indexed: 0, removed: 0, renamed: 0, missing: [] });
  expect((await documents.search('home', 'bravo', { k: 1 }))[0]?.file).toBe('b.md');
  const roots = (await documents.sources('home')).map(({ root }) => root);
  expect(roots).toEqual([join(moved, 'projects/home'), join(moved, 'docs'), outside]);
});

test('machines may mount the projects at different places', async () => {
  const { around, home, store } = await filledHome();
  const volume = join(around, 'volume');
  renameSync(join(home, 'projects'), volume);
  const projects = createProjects({ projectsDir: volume, homeDir: home, log: silentLog, store });
  const { documents } = await startDocuments(home, { store, projects });
  expect(await documents.ingest('home', [], { signal })).toMatchObject({ unchanged: 3, indexed: 0, removed: 0 });
  expect((await documents.sources('home'))[0]?.root).toBe(join(volume, 'home'));
});

test('a home of an older version, with absolute paths, is converted when it is first looked at', async () => {
  const { home, outside, store } = await filledHome();
  await sqlRun(store, "UPDATE sources SET root = ? || '/' || root WHERE root NOT LIKE '/%'", home);
  await sqlRun(store, "UPDATE roots SET path = ? || '/' || path WHERE path NOT LIKE '/%'", home);
  expect((await storedPaths(store))[1]).toEqual([join(home, 'projects/home'), join(home, 'docs'), outside]);
  const { documents } = await startDocuments(home, { store });
  expect((await documents.sources('home'))[0]?.root).toBe(join(home, 'projects/home'));
  expect(await documents.ingest('home', [], { signal })).toMatchObject({ unchanged: 3, indexed: 0, removed: 0 });
  expect(await storedPaths(store)).toEqual([
    [outside, 'docs'],
    ['projects/home', 'docs', outside],
  ]);
});

test('what an older program wrote after the conversion becomes one with what is there', async () => {
  const { home, store } = await filledHome();
  await sqlRun(
    store,
    `INSERT INTO sources (project, root, path, document_id, kind, size, mtime_us, sha256, version, state, indexed_at)
       SELECT project, ?, path, document_id, kind, size, mtime_us, sha256, version, state, indexed_at
       FROM sources WHERE root = 'docs'`,
    join(home, 'docs'),
  );
  await sqlRun(store, "INSERT INTO roots (project, path, added_at) VALUES ('home', ?, '')", join(home, 'docs'));
  const { documents } = await startDocuments(home, { store });
  expect(await documents.ingest('home', [], { signal })).toMatchObject({ unchanged: 3, indexed: 0, removed: 0 });
  expect(await documents.sources('home')).toHaveLength(3);
});
