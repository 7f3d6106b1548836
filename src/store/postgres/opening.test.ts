/** What opening a home on PostgreSQL makes, what it leaves alone, and what is left when it is closed. */
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { STORE_KINDS } from '../../testing/stores.ts';
import { addRule, emptyDatabase, openHome, query, rulesOf } from '../../testing/test-database.ts';
import { NEWEST } from '../migrations.ts';
import { readSchema } from '../schema-version.ts';
import { type OpenOptions, openStore, type Store } from '../store.ts';

async function open(url: string, home: string, options: OpenOptions = {}): Promise<Store> {
  const store = await openStore({ kind: 'postgres', url, home, pool: 2 }, options);
  onTestFinished(() => store.close());
  return store;
}

/** Locks of this database; those of others are listed as well. */
const OURS = 'database = (select oid from pg_database where datname = current_database())';
const tablesIn = (url: string) =>
  query(url, "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace");
/** Connections other than the one that asks. */
const connectionsTo = (url: string) =>
  query(url, "select pid from pg_stat_activity where datname = current_database() and application_name = 'wooster'");

describe.runIf(STORE_KINDS.includes('postgres'))('opening a home on PostgreSQL', () => {
  test('for reading only makes no tables, and no home', async () => {
    const url = await emptyDatabase();
    expect(await readSchema(await open(url, 'a', { readOnly: true }))).toBe(0);
    expect(await tablesIn(url)).toEqual([]);
    await open(url, 'a');
    const reading = await open(url, 'b', { readOnly: true });
    expect(await readSchema(reading)).toBe(NEWEST);
    expect(await query(url, 'select id from homes')).toEqual([{ id: 'a' }]);
    expect(await rulesOf(reading)).toEqual([]);
  });

  test('among the tables of another program makes none of them, and says whose they are', async () => {
    const url = await emptyDatabase();
    await query(url, 'create table turns (x int)');
    await expect(open(url, 'a')).rejects.toMatchObject({
      code: 'store_unavailable',
      message: expect.stringMatching(/^The database .* has tables of another program\.$/u),
      hint: 'Create a database of its own: createdb NAME.',
    });
    expect(await tablesIn(url)).toEqual([{ name: 'turns' }]);
    expect(await query(url, `select from pg_locks where locktype = 'advisory' and ${OURS}`)).toEqual([]);
    expect(await connectionsTo(url)).toEqual([]);
  });

  test('of a newer version, or one that is too old, says which, and what to do', async () => {
    const url = await emptyDatabase();
    await (await open(url, 'a')).close();
    await query(url, 'update wooster_schema set version = $1', [NEWEST + 1]);
    await expect(open(url, 'a')).rejects.toMatchObject({
      ...{ code: 'store_damaged', hint: 'Update Wooster.' },
      message: `The database was made by a newer version (${NEWEST + 1} > ${NEWEST}).`,
    });
    await query(url, 'update wooster_schema set version = 18');
    await expect(open(url, 'a')).rejects.toMatchObject({
      ...{ code: 'store_damaged', message: 'The database is too old for this version (18 < 19).' },
      hint: 'Upgrade it first: check out the Git tag schema-19 and run `wooster store migrate STORE` there.',
    });
    await query(url, 'update wooster_schema set version = $1', [NEWEST]);
    const store = await open(url, 'a');
    await addRule(store, 'x');
    await store.close();
    // Nor did the one that was refused keep any.
    await expect.poll(() => connectionsTo(url), { timeout: 10_000 }).toEqual([]);
  });

  test('gives back what the role that connections act as may do', async () => {
    const url = await emptyDatabase();
    await (await open(url, 'a')).close();
    await query(url, 'revoke all on all tables in schema public from wooster_app');
    const store = await open(url, 'a');
    await addRule(store, 'x');
    const { rows } = await sql`select current_user::text as acting`.execute(store.db);
    expect([rows, await rulesOf(store)]).toEqual([[{ acting: 'wooster_app' }], ['x']]);
  });

  test('twice shares the connections, of which the larger number counts, and the last one closes them', async () => {
    const url = await emptyDatabase();
    const [one, two] = [await openHome(url, 'a', 1), await openHome(url, 'b', 3)];
    const pid = sql<{ pid: number }>`select pg_backend_pid() as pid, pg_sleep(0.2)`;
    const asked = await Promise.all(Array.from({ length: 6 }, async () => (await pid.execute(one.db)).rows[0]?.pid));
    expect(new Set(asked).size).toBe(3);
    await one.close();
    await addRule(two, 'x');
    expect(await rulesOf(two)).toEqual(['x']);
    await two.close();
    await expect.poll(() => connectionsTo(url), { timeout: 10_000 }).toEqual([]);
  });
});

describe.runIf(STORE_KINDS.includes('postgres'))('statements on PostgreSQL', () => {
  test('are kept prepared when they have values and are not too long', async () => {
    const store = await openHome(await emptyDatabase(), 'a', 1);
    const marks = ['short', `long ${'x'.repeat(10_000)}`];
    for (const mark of marks)
      for (let time = 0; time < 2; time++) await sql`select ${1}::int /* ${sql.raw(mark)} */`.execute(store.db);
    await sql`select 1 /* short without values */`.execute(store.db);
    const { rows } = await sql<{ statement: string }>`select name, statement from pg_prepared_statements
      where statement like '%/* %'`.execute(store.db);
    expect(rows).toEqual([{ name: expect.stringMatching(/^wooster_\d+$/u), statement: 'select $1::int /* short */' }]);
  });

  test('of relaxed work do not wait for the disk, those after it do', async () => {
    const url = `${await emptyDatabase()}?options=-c%20synchronous_commit%3Don`;
    const store = await open(url, 'a');
    const safety = async (asked: Store) => (await sql`show synchronous_commit`.execute(asked.db)).rows[0];
    const [waits, doesNot] = [{ synchronous_commit: 'on' }, { synchronous_commit: 'off' }];
    expect(await store.relaxed(() => safety(store))).toEqual(doesNot);
    expect(await store.transaction(() => safety(store))).toEqual(waits);
    expect(await store.transaction(() => safety(store), { relaxed: true, shared: true })).toEqual(doesNot);
    expect(await safety(store)).toEqual(waits);
    const loose = await open(url, 'b', { durability: 'relaxed' });
    expect(await loose.transaction(() => safety(loose))).toEqual(doesNot);
  });
});
