import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../testing/home.ts';
import { testScope, testToolbox } from '../../testing/scope.ts';
import { openTestStore } from '../../testing/stores.ts';
import { effectsOf } from '../gate/effect-rows.ts';
import type { KeepLimits } from '../undo/kept-states.ts';
import { FileVersions, removeVersions } from './file-versions.ts';
import { createFileTools } from './files.ts';
import { ProjectFiles } from './project-files.ts';

const DAY_MS = 24 * 3_600_000;

async function kept(limits: KeepLimits = { days: 90, megabytes: 200 }) {
  const store = await openTestStore();
  onTestFinished(() => store.close());
  const dir = temporaryFolder();
  const folderOf = (project: string) => join(dir, project);
  mkdirSync(folderOf('home'));
  const clock = { ms: Date.parse('2026-01-01T00:00:00.000Z') };
  const versions = new FileVersions({ store, folderOf, now: () => new Date(clock.ms++), limits });
  const files = new ProjectFiles({ folderOf, store, versions });
  const at = (path: string) => join(folderOf('home'), path);
  return { store, clock, versions, files, at };
}

test('what is overwritten or deleted is kept and can be restored, the restoring as well', async () => {
  const { files, versions, at } = await kept();
  await files.write('home', 'ideas/garden.md', 'roses');
  await files.write('home', './ideas//garden.md', 'tulips');
  await files.remove('home', 'ideas/garden.md');
  expect(await versions.list('home')).toMatchObject([
    { path: 'ideas/garden.md', version: 3, size: 6 },
    { path: 'ideas/garden.md', version: 2, size: 5 },
    { path: 'ideas/garden.md', version: 1, sha256: undefined, size: 0 },
  ]);
  const path = 'ideas/garden.md';
  await versions.restore(files, { project: 'home', path, version: 2 });
  expect(readFileSync(at(path), 'utf8')).toBe('roses');
  await versions.restore(files, { project: 'home', path, version: 1 });
  expect(existsSync(at(path))).toBe(false);
  await versions.restore(files, { project: 'home', path, version: 5 });
  expect(readFileSync(at(path), 'utf8')).toBe('roses');
});

test('bytes that are no text come back as they were', async () => {
  const { files, versions, at } = await kept();
  const bytes = randomBytes(5000);
  writeFileSync(at('photo.jpg'), bytes, { mode: 0o644 });
  await files.write('home', 'photo.jpg', 'oops');
  expect(statSync(at('photo.jpg')).mode & 0o777).toBe(0o644);
  await versions.restore(files, { project: 'home', path: 'photo.jpg', version: 1 });
  expect(readFileSync(at('photo.jpg')).equals(bytes)).toBe(true);
});

test('a large file is copied beside, once for the same content', async () => {
  const { files, versions, at, store } = await kept();
  const bytes = randomBytes(1024 * 1024 + 1);
  for (const path of ['a.bin', 'b.bin']) {
    writeFileSync(at(path), bytes);
    await files.write('home', path, 'gone');
  }
  const rows = await store.db.selectFrom('file_versions').select(['content', 'size']).execute();
  expect(rows).toEqual([
    { content: null, size: bytes.length },
    { content: null, size: bytes.length },
  ]);
  const [copy = '', ...more] = readdirSync(at('.versions'));
  expect(more).toEqual([]);
  await versions.restore(files, { project: 'home', path: 'b.bin', version: 1 });
  expect(readFileSync(at('b.bin')).equals(bytes)).toBe(true);
  writeFileSync(at(`.versions/${copy}`), 'changed by somebody');
  await expect(versions.get('home', 'a.bin', 1)).rejects.toMatchObject({ code: 'file_not_found' });
});

test('writing what is there already keeps nothing', async () => {
  const { files, versions } = await kept();
  await files.write('home', 'a.md', 'same');
  await files.write('home', 'a.md', 'same');
  expect(await versions.list('home')).toHaveLength(1);
  await files.remove('home', 'not-there.md');
  expect(await versions.list('home', { path: 'not-there.md' })).toEqual([]);
});

test('old versions go, and the oldest of too much, but not the newest', async () => {
  const { files, versions, clock, at } = await kept({ days: 10, megabytes: 3 });
  await files.write('home', 'old.md', 'first');
  clock.ms += 11 * DAY_MS;
  for (let nth = 0; nth < 6; nth++) {
    writeFileSync(at('big.bin'), Buffer.alloc(1024 * 1024 + 1, nth));
    clock.ms += 3_600_000;
    await files.write('home', 'big.bin', `small ${nth}`);
  }
  expect(await versions.list('home', { path: 'old.md' })).toEqual([]);
  expect((await versions.list('home')).map(({ version }) => version)).toEqual([6, 5, 4]);
  expect(readdirSync(at('.versions'))).toHaveLength(3);
  await expect(versions.get('home', 'big.bin', 1)).rejects.toMatchObject({ code: 'file_not_found' });
});

test('a version says which call of which turn overwrote it', async () => {
  const { files, versions, store } = await kept();
  const scope = await testScope({ store });
  const toolbox = testToolbox(
    createFileTools(() => files),
    scope,
  );
  expect(await toolbox.call('write_file', { path: 'a.md', content: 'one' }, scope)).toMatchObject({ ok: true });
  const [effect] = await effectsOf(store, scope.turn.id);
  expect(await versions.list('home', { turnId: scope.turn.id })).toMatchObject([
    { path: 'a.md', version: 1, turnId: scope.turn.id, effectId: effect?.id },
  ]);
  await removeVersions(store, 'home');
  expect(await versions.list('home')).toEqual([]);
});

test('what cannot be kept is not overwritten', async () => {
  const { files, clock, at } = await kept();
  await files.write('home', 'a.md', 'precious');
  // A date that cannot be written down.
  clock.ms = Number.NaN;
  await expect(files.write('home', 'a.md', 'careless')).rejects.toThrow();
  expect(readFileSync(at('a.md'), 'utf8')).toBe('precious');
});
