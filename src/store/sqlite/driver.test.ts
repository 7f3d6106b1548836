/** What Kysely needs of SQLite, and when statements are prepared, watched and refused. */
import { DatabaseSync } from 'node:sqlite';
import { CompiledQuery, Kysely, sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type ConnectionOptions, SqliteConnection, sqliteDialect } from './driver.ts';

interface Rows {
  readonly t: { id: number; text: string };
}

function open(options: ConnectionOptions = {}) {
  const database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT)');
  const db = new Kysely<Rows>({ dialect: sqliteDialect(database, options) });
  onTestFinished(() => db.destroy());
  return { database, db };
}

const READ = 'select * from "t"';
const WRITE = 'insert into "t" ("id", "text") values (?, ?)';

const read = (db: Kysely<Rows>) => db.selectFrom('t').selectAll().execute();
const write = (db: Kysely<Rows>, id: number) => db.insertInto('t').values({ id, text: 'x' }).executeTakeFirst();

test('a write tells how many rows it changed, and which number the new one got', async () => {
  const { db } = open();
  expect(await write(db, 7)).toEqual({ insertId: 7n, numInsertedOrUpdatedRows: 1n });
  await write(db, 8);
  expect(await db.updateTable('t').set({ text: 'y' }).executeTakeFirst()).toMatchObject({ numUpdatedRows: 2n });
  expect(await db.deleteFrom('t').where('id', '=', 7).executeTakeFirst()).toEqual({ numDeletedRows: 1n });
  expect(await read(db)).toEqual([{ id: 8, text: 'y' }]);
});

test('a write that returns rows gives them', async () => {
  const { db } = open();
  expect(await db.insertInto('t').values({ id: 1, text: 'x' }).returning('text').execute()).toEqual([{ text: 'x' }]);
});

test('who is refused the connection is so at once, also while someone else has it', async () => {
  let taken = false;
  const beforeUse = () => {
    if (taken) throw new Error('in use');
  };
  const { db } = open({ beforeUse });
  await db.transaction().execute(async () => {
    taken = true;
    const attempt = read(db).catch(({ message }: Error) => message);
    expect(await Promise.race([attempt, new Promise((done) => setImmediate(done, 'waits'))])).toBe('in use');
  });
});

test.each([
  [undefined, 2],
  ['FULL', 2],
  ['NORMAL', 1],
] as const)('commits reach as far as asked for (%s), and no statement says so twice', async (safety, synchronous) => {
  const seen: string[] = [];
  const { database, db } = open({ ...(safety && { safety }), beforeStatement: (text) => seen.push(text) });
  database.exec(`PRAGMA synchronous = ${safety ?? 'FULL'}`);
  await write(db, 1);
  await read(db);
  expect(seen).toEqual([WRITE, READ]);
  expect(database.prepare('PRAGMA synchronous').get()).toEqual({ synchronous });
});

test('how far commits reach changes before the next write, and never within a transaction', async () => {
  const seen: string[] = [];
  const { database } = open();
  const connection = new SqliteConnection(database, { beforeStatement: (text) => seen.push(text) });
  const add = (id: number) => connection.executeQuery(CompiledQuery.raw(WRITE, [id, 'x']));
  database.exec('BEGIN');
  connection.reach('NORMAL');
  await add(1);
  database.exec('COMMIT');
  await connection.executeQuery(CompiledQuery.raw(READ));
  for (const id of [2, 3]) await add(id);
  expect(seen).toEqual([WRITE, READ, 'PRAGMA synchronous = NORMAL', WRITE, WRITE]);
});

test.each([
  ['select 1', []],
  [' \n SELECT 1', []],
  ['insert into t (text) select 1', ['PRAGMA synchronous = NORMAL']],
  ['create table selected (x)', ['PRAGMA synchronous = NORMAL']],
])('%j: what is said before it of how far commits reach is %j', async (text, before) => {
  const seen: string[] = [];
  const { database } = open();
  const connection = new SqliteConnection(database, { beforeStatement: (sql) => seen.push(sql) });
  connection.reach('NORMAL');
  await connection.executeQuery(CompiledQuery.raw(text));
  expect(seen).toEqual([...before, text]);
});

test.each([
  ['insert into t (id) values (1)', 1],
  [' \n INSERT into t (id) values (1)', 1],
  ['update t set id = 1', 1],
  ['delete from t', 1],
  ['with n as (select 1) delete from t', 1],
  ['select 1 as "insert"', 0],
  ['drop table t -- delete', 0],
])('%j: it is asked %i times whether it may last', async (text, times) => {
  const beforeChange = vi.fn();
  const { db } = open({ beforeChange });
  await sql.raw(text).execute(db);
  expect(beforeChange).toHaveBeenCalledTimes(times);
});

test('a change that is refused is not made, alone or in a transaction; reading goes on', async () => {
  const beforeChange = vi.fn(() => {
    throw new Error('moved');
  });
  const { db } = open({ beforeChange });
  await expect(write(db, 1)).rejects.toThrow('moved');
  await expect(sql`  with n as (select 1) delete from t`.execute(db)).rejects.toThrow('moved');
  expect([await read(db), beforeChange.mock.calls.length]).toEqual([[], 2]);
  await expect(db.transaction().execute((tx) => write(tx, 1))).rejects.toThrow('moved');
  expect([await read(db), beforeChange.mock.calls.length]).toEqual([[], 3]);
});

test('the statements of the last time are kept prepared, 256 of them', async () => {
  const { database, db } = open();
  const prepare = vi.spyOn(database, 'prepare');
  const ask = async (...numbers: readonly number[]) => {
    prepare.mockClear();
    for (const number of numbers) await sql.raw(`select ${number}`).execute(db);
    return prepare.mock.calls.map(([text]) => text);
  };
  const upTo = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);
  expect(await ask(...upTo(1, 256))).toHaveLength(256);
  expect(await ask(...upTo(1, 256))).toEqual([]);
  // The first one is used once more, so the second is the oldest when there is one too many.
  expect(await ask(1, 257, 1, 3)).toEqual(['select 257']);
  expect(await ask(2)).toEqual(['select 2']);
});

test.skipIf(process.platform !== 'linux')(
  'a disk error is a full disk where there is no room, else what it is',
  async () => {
    const { database, db } = open();
    const failing = (errcode: number, path: string | null) => {
      vi.spyOn(database, 'location').mockReturnValue(path);
      vi.spyOn(database, 'prepare').mockImplementation(() => {
        throw Object.assign(new Error('no'), { errcode });
      });
      return read(db).catch(({ message }: Error) => message);
    };
    // There never is any room in /proc.
    expect(await failing(10, '/proc/w.sqlite3')).toBe('The disk is full.');
    expect([await failing(1, '/proc/w.sqlite3'), await failing(10, null)]).toEqual(['no', 'no']);
  },
);

test('rows are not streamed, and that is said', async () => {
  const { db } = open();
  const first = db.selectFrom('t').selectAll().stream().next();
  await expect(first).rejects.toThrow('Read in pages: rows cannot be streamed from both databases.');
});

test('the tables can be listed', async () => {
  const { db } = open();
  expect(await db.introspection.getTables()).toMatchObject([
    { name: 't', columns: [{ name: 'id' }, { name: 'text' }] },
  ]);
});
