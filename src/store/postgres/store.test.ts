import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { STORE_KINDS } from '../../testing/stores.ts';
import { addRule, emptyDatabase, openHome, query, rulesOf, serverUrl, testCable } from '../../testing/test-database.ts';
import { openStore, type Store } from '../store.ts';

describe.runIf(STORE_KINDS.includes('postgres'))('PostgreSQL', () => {
  describe('homes on one server', () => {
    test('do not see, change or use up each other, not even with SQL of their own', async () => {
      const [a, b] = [await openHome(serverUrl()), await openHome(serverUrl())];
      await addRule(a, 'same');
      await addRule(b, 'same');
      await addRule(b, 'other');
      expect(await rulesOf(a)).toEqual(['same']);
      const all = await sql<{ home: string }>`select home from approval_rules`.execute(a.db);
      expect(all.rows).toHaveLength(1);
      const changes = await sql`update approval_rules set tool = 'mine'`.execute(a.db);
      expect(changes.numAffectedRows).toBe(1n);
      const into = sql`insert into approval_rules (home, id, tool, destination, created_at)
        values (${b.location.kind === 'postgres' ? b.location.home : ''}, 'x', 'x', 'x', 'x')`;
      await expect(into.execute(a.db)).rejects.toMatchObject({ code: '42501' });
      await a.db.deleteFrom('approval_rules').execute();
      expect(await rulesOf(b)).toEqual(['other', 'same']);
      expect(await b.db.selectFrom('approval_rules').select('tool').distinct().execute()).toHaveLength(2);
    });

    test('share connections, and each query is of its own home', async () => {
      const url = await emptyDatabase();
      const stores = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((home) => openHome(url, home)));
      await Promise.all(
        stores.map((store) => addRule(store, store.location.kind === 'postgres' ? store.location.home : '')),
      );
      for (let round = 0; round < 10; round++)
        expect(await Promise.all(stores.map(rulesOf))).toEqual([['a'], ['b'], ['c'], ['d'], ['e']]);
      const connections = await query(
        url,
        "select from pg_stat_activity where datname = current_database() and query <> ''",
      );
      expect(connections.length).toBeLessThanOrEqual(4 + 1);
      const homes = await stores[0]?.db.selectFrom('homes').select('id').orderBy('id').execute();
      expect(homes?.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd', 'e']);
    });

    test('every table but two hides rows by the home, which is first in every key and index', async () => {
      const url = await emptyDatabase();
      await openHome(url);
      const open_ = await query(
        url,
        `select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
        and not (relrowsecurity and relforcerowsecurity and exists (select from pg_policy where polrelid = pg_class.oid))`,
      );
      expect(open_).toEqual(expect.arrayContaining([{ relname: 'homes' }, { relname: 'wooster_schema' }]));
      expect(open_).toHaveLength(2);
      const indexes = await query(
        url,
        `select indexdef from pg_indexes where schemaname = 'public'
        and tablename <> 'homes' and indexdef !~ '\\(home,'`,
      );
      expect(indexes).toEqual([]);
    });

    test('a role that owns the tables and is no superuser is held to its home as well', async () => {
      const url = await emptyDatabase();
      const role = `wooster_test_${Math.random().toString(36).slice(2)}`;
      await query(url, `create role ${role} login password 'p'; grant create, usage on schema public to ${role}`);
      onTestFinished(async () => {
        await query(url, `drop owned by ${role} cascade; drop role ${role}`);
      });
      const theirs = Object.assign(new URL(url), { username: role, password: 'p' }).href;
      const [a, b] = [await openHome(theirs, 'a'), await openHome(theirs, 'b')];
      await addRule(a, 'x');
      expect([await rulesOf(a), await rulesOf(b)]).toEqual([['x'], []]);
      // An administrator may look in later.
      expect(await rulesOf(await openHome(url, 'a'))).toEqual(['x']);
    });
  });

  describe('values', () => {
    test('numbers are numbers, bytes are bytes, text is in byte order and has no character 0', async () => {
      const store = await openHome(serverUrl());
      const { rows } = await sql`select 9007199254740991::int8 as big, count(*) as n, sum(2::int8) as s,
        ${'a\0b'}::text as t, ${['x\0']}::text[] as l`.execute(store.db);
      expect(rows).toEqual([{ big: Number.MAX_SAFE_INTEGER, n: 1, s: 2, t: 'ab', l: ['x'] }]);
      await store.db
        .insertInto('vectors')
        .values({ text_sha: 's', model: 'm', dimensions: 1, vector: Uint8Array.of(0, 1, 255) })
        .execute();
      const [vector] = await store.db.selectFrom('vectors').selectAll().execute();
      expect(Uint8Array.from(vector?.vector ?? [])).toEqual(Uint8Array.of(0, 1, 255));
      for (const id of ['b', 'B', 'ä', 'a:1', 'a']) await addRule(store, id);
      expect(await rulesOf(store)).toEqual(['B', 'a', 'a:1', 'b', 'ä']);
    });

    test('all text is in byte order, whatever the database says', async () => {
      const url = await emptyDatabase();
      await openHome(url);
      const others = await query(
        url,
        `select table_name, column_name from information_schema.columns
        where table_schema = 'public' and data_type = 'text' and collation_name is distinct from 'C'`,
      );
      expect(others).toEqual([]);
    });

    test('conflicts are found within the home', async () => {
      const [a, b] = [await openHome(serverUrl()), await openHome(serverUrl())];
      const write = (store: Store, created_at: string) =>
        store.db
          .insertInto('approval_rules')
          .values({ id: 'r', tool: 't', destination: 'd', created_at })
          .onConflict((it) => it.columns(['tool', 'destination']).doUpdateSet({ created_at }))
          .returning('created_at')
          .execute();
      expect([await write(a, '1'), await write(b, '2'), await write(a, '3')].flat()).toEqual(
        ['1', '2', '3'].map((created_at) => ({ created_at })),
      );
    });
  });

  describe('transactions', () => {
    test('of two stores come one after the other; shared ones do not wait', async () => {
      const home = `test-${Math.random()}`;
      const [store, other] = [await openHome(serverUrl(), home), await openHome(serverUrl(), home)];
      const done: string[] = [];
      await store.transaction(async () => {
        void other.transaction(async () => void done.push('alone'));
        await other.transaction(() => addRule(other, 'beside'), { shared: true });
        expect(await rulesOf(store)).toEqual(['beside']);
        await sleep(50);
        done.push('first');
      });
      await expect.poll(() => done).toEqual(['first', 'alone']);
    });

    test('two that wait for each other: one is repeated', async () => {
      const store = await openHome(serverUrl());
      await addRule(store, 'a');
      await addRule(store, 'b');
      let tries = 0;
      const touch = (id: string) => store.db.updateTable('approval_rules').set({ created_at: id }).where('id', '=', id);
      const both = (first: string, second: string) =>
        store.transaction(
          async () => {
            tries++;
            await touch(first).execute();
            await sleep(50);
            await touch(second).execute();
          },
          { shared: true },
        );
      await Promise.all([both('a', 'b'), both('b', 'a')]);
      expect(tries).toBeGreaterThan(2);
    });

    test('one whose connection breaks before the commit is repeated', async () => {
      const store = await openHome(serverUrl());
      let tries = 0;
      await store.transaction(async () => {
        await addRule(store, 'a');
        if (++tries > 1) return;
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(store.db);
        await query(serverUrl(), 'select pg_terminate_backend($1)', [rows[0]?.pid]);
        await addRule(store, 'b');
      });
      expect([tries, await rulesOf(store)]).toEqual([2, ['a']]);
    });

    test('one whose connection breaks while it commits is not repeated: it may have come through', async () => {
      const { url, cut } = await testCable();
      let tries = 0;
      const store = await openStore(
        { kind: 'postgres', url, home: `test-${Math.random()}`, pool: 4 },
        { beforeStatement: (text) => text === 'commit' && cut('broken') },
      );
      onTestFinished(() => store.close());
      const attempt = store.transaction(async () => {
        tries++;
        await addRule(store, 'a');
      });
      await expect(attempt).rejects.toThrow();
      expect(tries).toBe(1);
      expect((await rulesOf(store)).length).toBeLessThanOrEqual(1);
    });

    test('tables that change under prepared statements are no failure', async () => {
      const url = await emptyDatabase();
      const store = await openHome(url, 'h', 1);
      const all = () => store.db.selectFrom('approval_rules').selectAll().where('id', '=', 'a').execute();
      await addRule(store, 'a');
      await all();
      await query(url, 'alter table approval_rules add column more int');
      expect(await store.transaction(all)).toMatchObject([{ id: 'a', more: null }]);
      await query(url, 'alter table approval_rules drop column more');
      expect(Object.keys((await all())[0] ?? {})).not.toContain('more');
    });
  });
});
