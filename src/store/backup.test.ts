import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../testing/home.ts';
import { backUp, restoreBackup, verifyBackup } from './backup.ts';
import { openStore, type Store } from './store.ts';

const NOW = new Date('2026-01-15T09:00:00.000Z');

function open(path = join(temporaryFolder(), 'state/wooster.sqlite3')): Store {
  const store = openStore(path);
  onTestFinished(() => store.close());
  return store;
}

function add(store: Store, id: string): void {
  store.sql
    .prepare('INSERT INTO conversations (id, project, created_at, updated_at) VALUES (?, ?, ?, ?)')
    .run(id, 'home', NOW.toISOString(), NOW.toISOString());
}

const ids = (store: Store) =>
  store.sql
    .prepare('SELECT id FROM conversations ORDER BY id')
    .all()
    .map((row) => row.id);

test('a backup goes round: what was written comes back, and the state before is kept', async () => {
  const store = open();
  add(store, 'one');
  const file = join(temporaryFolder(), 'backup.sqlite3');
  expect(backUp(store, file)).toMatchObject({ path: file, conversations: 1, schedules: 0 });
  expect(statSync(file).mode & 0o077).toBe(0);
  add(store, 'two');
  const before = await restoreBackup(store, file, NOW);
  expect(ids(store)).toEqual(['one']);
  expect(ids(open(before))).toEqual(['one', 'two']);
  expect(ids(open(store.path))).toEqual(['one']);
});

test('a file that is there is not overwritten, and a failed backup leaves none', () => {
  const store = open();
  const dir = temporaryFolder();
  writeFileSync(join(dir, 'mine'), 'mine');
  expect(() => backUp(store, join(dir, 'mine'))).toThrow(expect.objectContaining({ code: 'path_refused' }));
  expect(() => backUp(store, join(dir, 'mine/below'))).toThrow(expect.objectContaining({ code: 'home_not_writable' }));
  expect(readdirSync(dir)).toEqual(['mine']);
});

test.each([
  ['gone.sqlite3', undefined, 'file_not_found'],
  ['text.sqlite3', 'no database at all', 'store_damaged'],
  ['empty.sqlite3', '', 'store_damaged'],
])('%s is no backup, and nothing is changed by it', async (name, content, code) => {
  const store = open();
  add(store, 'one');
  const file = join(temporaryFolder(), name);
  if (content !== undefined) writeFileSync(file, content);
  expect(() => verifyBackup(file)).toThrow(expect.objectContaining({ code }));
  await expect(restoreBackup(store, file, NOW)).rejects.toMatchObject({ code });
  expect(ids(store)).toEqual(['one']);
  expect(existsSync(file)).toBe(content !== undefined);
});

test('a backup of a newer version is refused', async () => {
  const store = open();
  const file = join(temporaryFolder(), 'backup.sqlite3');
  store.sql.exec('PRAGMA user_version = 999');
  backUp(store, file);
  store.sql.exec('PRAGMA user_version = 1');
  await expect(restoreBackup(store, file, NOW)).rejects.toMatchObject({ code: 'store_damaged' });
});
