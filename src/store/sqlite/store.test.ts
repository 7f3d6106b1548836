import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../testing/home.ts';
import { NEWEST } from '../migrations.ts';
import { openStore, type Store } from '../store.ts';
import { refuseNetworkVolume } from './store.ts';

async function open(path = join(temporaryFolder(), 'w.sqlite3'), options = {}): Promise<Store> {
  const store = await openStore(path, options);
  onTestFinished(() => store.close());
  return store;
}

const addRule = (store: Store, id: string) =>
  store.db.insertInto('approval_rules').values({ id, tool: id, destination: 'd', created_at: 'x' }).execute();

const rules = async (store: Store) => (await store.db.selectFrom('approval_rules').select('id').execute()).length;

test("another program's database is refused, not changed", async () => {
  const path = join(temporaryFolder(), 'other.sqlite3');
  const other = new DatabaseSync(path);
  other.exec('PRAGMA application_id = 7; CREATE TABLE theirs (x)');
  other.close();
  await expect(openStore(path)).rejects.toMatchObject({ code: 'store_damaged' });
});

test('a database of a newer version is refused', async () => {
  const path = join(temporaryFolder(), 'w.sqlite3');
  const store = await openStore(path);
  await sql`pragma user_version = ${sql.lit(NEWEST + 1)}`.execute(store.db);
  await store.close();
  await expect(openStore(path)).rejects.toMatchObject({ code: 'store_damaged' });
});

test('a file that is no database is refused with a way out', async () => {
  const path = join(temporaryFolder(), 'w.sqlite3');
  writeFileSync(path, 'this is not a database, but it is long enough to look at it'.repeat(20));
  await expect(openStore(path)).rejects.toMatchObject({ code: 'store_damaged' });
});

test('a held database names the problem', async () => {
  const path = join(temporaryFolder(), 'w.sqlite3');
  const holder = new DatabaseSync(path);
  holder.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; CREATE TABLE t (x)');
  await expect(openStore(path)).rejects.toMatchObject({ code: 'store_unavailable' });
  holder.close();
}, 20_000);

test.skipIf(process.getuid?.() === 0)('a folder that cannot be written is reported', async () => {
  const dir = join(temporaryFolder(), 'locked');
  mkdirSync(dir);
  chmodSync(dir, 0o500);
  await expect(openStore(join(dir, 'w.sqlite3'))).rejects.toMatchObject({ code: 'home_not_writable' });
});

test.each(['/proc/nowhere/state/w.sqlite3', '/dev/null/state/w.sqlite3'])('%s is refused, at once', async (path) => {
  await expect(openStore(path)).rejects.toMatchObject({ code: 'home_not_writable' });
});

test('a statement of one connection waits for the transaction of another in the same program', async () => {
  const path = join(temporaryFolder(), 'w.sqlite3');
  const [one, two] = [await open(path), await open(path)];
  const order: string[] = [];
  const transaction = one.transaction(async () => {
    await addRule(one, 'a');
    await sleep(100);
    order.push('transaction');
  });
  await sleep(20);
  await Promise.all([transaction, addRule(two, 'b').then(() => order.push('statement')), open(path)]);
  expect(order).toEqual(['transaction', 'statement']);
  expect(await rules(two)).toBe(2);
});

test('prepared statements survive a change of the tables by another program', async () => {
  const path = join(temporaryFolder(), 'w.sqlite3');
  const store = await open(path);
  await addRule(store, 'a');
  const all = () => store.db.selectFrom('approval_rules').selectAll().execute();
  expect(await all()).toMatchObject([{ id: 'a' }]);
  using other = new DatabaseSync(path);
  other.exec("ALTER TABLE approval_rules ADD COLUMN more TEXT NOT NULL DEFAULT 'm'");
  await addRule(store, 'b');
  expect(await all()).toMatchObject([
    { id: 'a', more: 'm' },
    { id: 'b', more: 'm' },
  ]);
});

test('more statements than are kept prepared', async () => {
  const store = await open(':memory:');
  for (let at = 0; at < 600; at++) {
    const { rows } = await sql<{ n: number }>`select ${sql.lit(at)} as n`.execute(store.db);
    expect(rows).toMatchObject([{ n: at }]);
  }
});

test('relaxed work does not wait for the disk, the work after it does', async () => {
  const store = await open();
  const safety = async () => {
    const { rows } = await sql<{ synchronous: number }>`pragma synchronous`.execute(store.db);
    return rows[0]?.synchronous;
  };
  expect(await store.relaxed(safety)).toBe(1);
  await expect(store.relaxed(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await safety()).toBe(2);
  expect(await store.transaction(() => store.relaxed(safety))).toBe(2);
  const loose = await open(join(temporaryFolder(), 'w.sqlite3'), { durability: 'relaxed' });
  expect((await sql<{ synchronous: number }>`pragma synchronous`.execute(loose.db)).rows[0]?.synchronous).toBe(1);
});

test('a store that is open for reading sees the newest rows and writes none', async () => {
  const path = join(temporaryFolder(), 'w.sqlite3');
  const store = await open(path);
  const reader = await open(path, { readOnly: true });
  await addRule(store, 'a');
  expect(await reader.transaction(() => rules(reader))).toBe(1);
  await expect(addRule(reader, 'b')).rejects.toMatchObject({ errcode: 8 });
  const home = temporaryFolder();
  await expect(openStore(join(home, 'state/gone.sqlite3'), { readOnly: true })).rejects.toMatchObject({
    code: 'home_not_writable',
  });
  expect(readdirSync(home)).toEqual([]);
});

test('what a row is part of has to be there, in a new file and in one that is opened again', async () => {
  const path = join(temporaryFolder(), 'w.sqlite3');
  for (const start of [await open(path), await open(path)]) {
    const orphan = start.db.insertInto('turn_memory').values({ turn_id: 'gone', key: 'k', value: '1' });
    await expect(orphan.execute()).rejects.toMatchObject({ errstr: 'constraint failed', errcode: 787 });
  }
});

test('the connection for reading writes nothing', async () => {
  const store = await open();
  const rule = { id: 'a', tool: 'a', destination: 'd', created_at: 'x' };
  await expect(store.read.insertInto('approval_rules').values(rule).execute()).rejects.toMatchObject({ errcode: 8 });
  expect(await rules(store)).toBe(0);
});

test('a store in memory has its locks there as well', async () => {
  const [one, two] = [await open(':memory:'), await open(':memory:')];
  await using first = await one.lock('of-memory');
  await using second = await two.lock('of-memory');
  expect([first, await one.lock('of-memory'), second]).toEqual([expect.anything(), undefined, expect.anything()]);
  expect(existsSync('locks/of-memory.lock')).toBe(false);
});

test('statements can be watched', async () => {
  const seen: string[] = [];
  const store = await open(':memory:', { beforeStatement: (text: string) => seen.push(text.split(' "')[0] ?? '') });
  await store.transaction(() => addRule(store, 'a'));
  expect(seen).toEqual(['begin immediate', 'insert into', 'commit']);
});

test('an error within a transaction that has ended it already is the one that is thrown', async () => {
  const store = await open(':memory:');
  await sql`create table small (text text)`.execute(store.db);
  const pages = await sql<{ page_count: number }>`pragma page_count`.execute(store.db);
  await sql`pragma max_page_count = ${sql.lit((pages.rows[0]?.page_count ?? 0) + 2)}`.execute(store.db);
  const fill = store.transaction(() => sql`insert into small values (${'x'.repeat(100_000)})`.execute(store.db));
  await expect(fill).rejects.toMatchObject({ errcode: 13 });
  await store.transaction(() => addRule(store, 'a'));
});

test('SQLite is refused on a network volume, with the reason', () => {
  const refusing = () => refuseNetworkVolume('/srv/home/state/w.sqlite3', () => 'NFS');
  expect(refusing).toThrow(
    expect.objectContaining({
      code: 'store_unavailable',
      message: '/srv/home/state/w.sqlite3 is on a network volume (NFS).',
      hint: expect.stringContaining('WOOSTER_STORE_URL'),
    }),
  );
  refuseNetworkVolume(':memory:', () => 'NFS');
  refuseNetworkVolume('/srv/home/state/w.sqlite3', () => undefined);
});
