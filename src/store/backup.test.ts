import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../testing/home.ts';
import { sqliteOfSchema19 } from '../testing/schema-19.ts';
import { backUp, verifyBackup } from './backup.ts';
import { NEWEST } from './migrations.ts';
import { restoreBackup } from './restore.ts';
import { openStore, type Store } from './store.ts';

const NOW = new Date('2026-01-15T09:00:00.000Z');

async function open(path = join(temporaryFolder(), 'state/wooster.sqlite3')): Promise<Store> {
  const store = await openStore(path);
  onTestFinished(() => store.close());
  return store;
}

async function add(store: Store, id: string): Promise<void> {
  const [created_at, updated_at] = [NOW.toISOString(), NOW.toISOString()];
  const row = { id, project: 'home', title: null, last_data: null, created_at, updated_at };
  await store.db.insertInto('conversations').values(row).execute();
}

async function ids(store: Store): Promise<string[]> {
  const rows = await store.db.selectFrom('conversations').select('id').orderBy('id').execute();
  return rows.map(({ id }) => id);
}

test('a backup goes round: what was written comes back, and the state before is kept', async () => {
  const store = await open();
  await add(store, 'one');
  const file = join(temporaryFolder(), 'backup.sqlite3');
  expect(await backUp(store, file)).toMatchObject({ path: file, conversations: 1, schedules: 0 });
  expect(statSync(file).mode & 0o077).toBe(0);
  await add(store, 'two');
  const { path: before } = await restoreBackup(store, file, NOW);
  expect(await ids(store)).toEqual(['one']);
  expect(await ids(await open(before))).toEqual(['one', 'two']);
  expect(await ids(await open(store.location.kind === 'sqlite' ? store.location.path : ''))).toEqual(['one']);
});

test('a file that is there is not overwritten, and a failed backup leaves none', async () => {
  const store = await open();
  const dir = temporaryFolder();
  writeFileSync(join(dir, 'mine'), 'mine');
  await expect(backUp(store, join(dir, 'mine'))).rejects.toMatchObject({ code: 'path_refused' });
  await expect(backUp(store, join(dir, 'mine/below'))).rejects.toMatchObject({ code: 'home_not_writable' });
  expect(readdirSync(dir)).toEqual(['mine']);
});

test.each([
  ['gone.sqlite3', undefined, 'file_not_found'],
  ['text.sqlite3', 'no database at all', 'store_damaged'],
  ['empty.sqlite3', '', 'store_damaged'],
])('%s is no backup, and nothing is changed by it', async (name, content, code) => {
  const store = await open();
  await add(store, 'one');
  const file = join(temporaryFolder(), name);
  if (content !== undefined) writeFileSync(file, content);
  expect(() => verifyBackup(file)).toThrow(expect.objectContaining({ code }));
  await expect(restoreBackup(store, file, NOW)).rejects.toMatchObject({ code });
  expect(await ids(store)).toEqual(['one']);
  expect(existsSync(file)).toBe(content !== undefined);
});

test('a backup of a newer version is refused, and so is one that is too old', async () => {
  const store = await open();
  const file = join(temporaryFolder(), 'backup.sqlite3');
  await sql`pragma user_version = 999`.execute(store.db);
  await backUp(store, file);
  await sql`pragma user_version = 1`.execute(store.db);
  await expect(restoreBackup(store, file, NOW)).rejects.toMatchObject({
    ...{ code: 'store_damaged', message: `${file} was made by a newer version (999 > ${NEWEST}).` },
    hint: 'Update Wooster.',
  });
  const old = sqliteOfSchema19('', 18);
  await expect(restoreBackup(store, old, NOW)).rejects.toMatchObject({
    ...{ code: 'store_damaged', message: `${old} is too old for this version (18 < 19).` },
    hint: 'Upgrade it first: check out the Git tag schema-19 and run `wooster store migrate STORE` there.',
  });
});
