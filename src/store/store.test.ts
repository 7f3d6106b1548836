import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/home.ts';
import { MIGRATIONS } from './migrations.ts';
import { openStore } from './store.ts';

test('a new database has the newest version and keeps what is written', () => {
  const path = join(temporaryFolder(), 'state', 'w.sqlite3');
  const store = openStore(path);
  const now = '2026-01-01T00:00:00.000Z';
  store.sql
    .prepare("INSERT INTO conversations (id, project, created_at, updated_at) VALUES ('c', 'home', ?, ?)")
    .run(now, now);
  store.close();
  const again = openStore(path);
  expect(again.sql.prepare('PRAGMA user_version').get()).toEqual(
    expect.objectContaining({ user_version: MIGRATIONS.length }),
  );
  expect(again.sql.prepare('SELECT id, status FROM conversations').all()).toMatchObject([
    { id: 'c', status: 'active' },
  ]);
  again.close();
});

test('Kysely and plain SQL see the same rows', async () => {
  const store = openStore(':memory:');
  await store.db
    .insertInto('conversations')
    .values({ id: 'c', title: null, project: 'home', last_data: null, created_at: 'x', updated_at: 'x' })
    .execute();
  expect(store.sql.prepare('SELECT count(*) AS n FROM conversations').get()).toMatchObject({ n: 1 });
  store.close();
});

test('a transaction that throws leaves nothing', () => {
  const store = openStore(':memory:');
  const attempt = () =>
    store.transaction(() => {
      store.sql.prepare("INSERT INTO approval_rules VALUES ('r', 't', 'd', 'x')").run();
      throw new Error('no');
    });
  expect(attempt).toThrow('no');
  expect(store.sql.prepare('SELECT count(*) AS n FROM approval_rules').get()).toMatchObject({ n: 0 });
  store.close();
});

test("another program's database is refused, not changed", () => {
  const path = join(temporaryFolder(), 'other.sqlite3');
  const other = new DatabaseSync(path);
  other.exec('PRAGMA application_id = 7; CREATE TABLE theirs (x)');
  other.close();
  expect(() => openStore(path)).toThrow(expect.objectContaining({ code: 'store_damaged' }));
});

test('a database of a newer version is refused', () => {
  const path = join(temporaryFolder(), 'w.sqlite3');
  const store = openStore(path);
  store.sql.exec(`PRAGMA user_version = ${MIGRATIONS.length + 1}`);
  store.close();
  expect(() => openStore(path)).toThrow(expect.objectContaining({ code: 'store_damaged' }));
});

test('a file that is no database is refused with a way out', () => {
  const path = join(temporaryFolder(), 'w.sqlite3');
  writeFileSync(path, 'this is not a database, but it is long enough to look at it'.repeat(20));
  expect(() => openStore(path)).toThrow(expect.objectContaining({ code: 'store_damaged' }));
});

test('a held database names the problem', () => {
  const path = join(temporaryFolder(), 'w.sqlite3');
  const holder = new DatabaseSync(path);
  holder.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; CREATE TABLE t (x)');
  expect(() => openStore(path)).toThrow(expect.objectContaining({ code: 'store_unavailable' }));
  holder.close();
}, 20_000);

test.skipIf(process.getuid?.() === 0)('a folder that cannot be written is reported', () => {
  const dir = join(temporaryFolder(), 'locked');
  mkdirSync(dir);
  chmodSync(dir, 0o500);
  expect(() => openStore(join(dir, 'w.sqlite3'))).toThrow(expect.objectContaining({ code: 'home_not_writable' }));
});

test.each(['/proc/nowhere/state/w.sqlite3', '/dev/null/state/w.sqlite3'])('%s is refused, at once', (path) => {
  expect(() => openStore(path)).toThrow(expect.objectContaining({ code: 'home_not_writable' }));
});
