import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { STORE_KINDS } from '../../testing/stores.ts';
import { emptyDatabase, query, serverUrl } from '../../testing/test-database.ts';
import { NEWEST } from '../steps.ts';
import { openStore, type Store } from '../store.ts';

const NOW = '2026-01-01T00:00:00.000Z';
const STORE = JSON.stringify(join(import.meta.dirname, '../store.ts'));

async function open(url: string, home = `test-${Math.random()}`, pool = 4): Promise<Store> {
  const store = await openStore({ kind: 'postgres', url, home, pool });
  onTestFinished(() => store.close());
  return store;
}

const addRule = (store: Store, id: string) =>
  store.db.insertInto('approval_rules').values({ id, tool: id, destination: 'd', created_at: NOW }).execute();

const rules = async (store: Store) => {
  const rows = await store.db.selectFrom('approval_rules').select('id').orderBy('id').execute();
  return rows.map(({ id }) => id);
};

/** The server, with the URL's user, password or database changed. */
function changed(parts: Partial<Pick<URL, 'username' | 'password' | 'port' | 'pathname' | 'search'>>): string {
  return Object.assign(new URL(serverUrl()), parts).href;
}

/** A way to the server that can be cut. */
async function cable(): Promise<{ url: string; cut(how: 'silent' | 'broken' | 'late'): void; mend(): void }> {
  const { hostname, port } = new URL(serverUrl());
  const sockets = new Set<Socket>();
  let silent = false;
  /** What is sent when the cable is mended. */
  let waiting: (() => void)[] | undefined;
  const relay = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => {
        if (waiting) waiting.push(() => to.write(bytes));
        else if (!silent) to.write(bytes);
      });
      from.on('error', () => {});
      from.on('close', () => to.destroy());
    }
  });
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  onTestFinished(() => {
    relay.close();
    for (const socket of sockets) socket.destroy();
  });
  const address = relay.address();
  return {
    url: changed({ port: String(typeof address === 'object' ? address?.port : '') }),
    cut(how) {
      if (how === 'silent') silent = true;
      else if (how === 'late') waiting = [];
      else for (const socket of sockets) socket.destroy();
    },
    mend() {
      silent = false;
      for (const send of waiting ?? []) send();
      waiting = undefined;
    },
  };
}

describe.runIf(STORE_KINDS.includes('postgres'))('PostgreSQL', () => {
  describe('homes on one server', () => {
    test('do not see, change or use up each other, not even with SQL of their own', async () => {
      const [a, b] = [await open(serverUrl()), await open(serverUrl())];
      await addRule(a, 'same');
      await addRule(b, 'same');
      await addRule(b, 'other');
      expect(await rules(a)).toEqual(['same']);
      const all = await sql<{ home: string }>`select home from approval_rules`.execute(a.db);
      expect(all.rows).toHaveLength(1);
      const changes = await sql`update approval_rules set tool = 'mine'`.execute(a.db);
      expect(changes.numAffectedRows).toBe(1n);
      const into = sql`insert into approval_rules (home, id, tool, destination, created_at)
        values (${b.location.kind === 'postgres' ? b.location.home : ''}, 'x', 'x', 'x', 'x')`;
      await expect(into.execute(a.db)).rejects.toMatchObject({ code: '42501' });
      await a.db.deleteFrom('approval_rules').execute();
      expect(await rules(b)).toEqual(['other', 'same']);
      expect(await b.db.selectFrom('approval_rules').select('tool').distinct().execute()).toHaveLength(2);
    });

    test('share connections, and each query is of its own home', async () => {
      const url = await emptyDatabase();
      const stores = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((home) => open(url, home)));
      await Promise.all(
        stores.map((store) => addRule(store, store.location.kind === 'postgres' ? store.location.home : '')),
      );
      for (let round = 0; round < 10; round++)
        expect(await Promise.all(stores.map(rules))).toEqual([['a'], ['b'], ['c'], ['d'], ['e']]);
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
      await open(url);
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

    test('an upgrade keeps what each home had marked, and gives nothing to another', async () => {
      const url = await emptyDatabase();
      const mark = { untrusted: 1, private: 0, sources: 'a page', updated_at: NOW };
      for (const home of ['a', 'b'])
        await (await open(url, home)).db
          .insertInto('origins')
          .values({ ...mark, thing: `file:p/${home}.md` })
          .execute();
      await query(
        url,
        `drop table file_origins, proposals; alter table artifacts drop column untrusted;
        alter table effects drop column why; update wooster_schema set version = 16`,
      );
      for (const home of ['a', 'b']) {
        const paths = (await open(url, home)).db.selectFrom('file_origins').select('path');
        expect(await paths.execute()).toEqual([{ path: `projects/p/${home}.md` }]);
      }
    });

    test('a role that owns the tables and is no superuser is held to its home as well', async () => {
      const url = await emptyDatabase();
      const role = `wooster_test_${Math.random().toString(36).slice(2)}`;
      await query(url, `create role ${role} login password 'p'; grant create, usage on schema public to ${role}`);
      onTestFinished(async () => {
        await query(url, `drop owned by ${role} cascade; drop role ${role}`);
      });
      const theirs = Object.assign(new URL(url), { username: role, password: 'p' }).href;
      const [a, b] = [await open(theirs, 'a'), await open(theirs, 'b')];
      await addRule(a, 'x');
      expect([await rules(a), await rules(b)]).toEqual([['x'], []]);
      // An administrator may look in later.
      expect(await rules(await open(url, 'a'))).toEqual(['x']);
    });
  });

  describe('values', () => {
    test('numbers are numbers, bytes are bytes, text is in byte order and has no character 0', async () => {
      const store = await open(serverUrl());
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
      expect(await rules(store)).toEqual(['B', 'a', 'a:1', 'b', 'ä']);
    });

    test('all text is in byte order, whatever the database says', async () => {
      const url = await emptyDatabase();
      await open(url);
      const others = await query(
        url,
        `select table_name, column_name from information_schema.columns
        where table_schema = 'public' and data_type = 'text' and collation_name is distinct from 'C'`,
      );
      expect(others).toEqual([]);
    });

    test('conflicts are found within the home', async () => {
      const [a, b] = [await open(serverUrl()), await open(serverUrl())];
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
    test('of several programs come one after the other; shared ones do not wait', async () => {
      const url = await emptyDatabase();
      const store = await open(url, 'h');
      await store.db.insertInto('corpora').values({ project: 'p', revision: 0 }).execute();
      const script = `
        const { openStore } = await import(${STORE});
        const store = await openStore({ kind: 'postgres', url: ${JSON.stringify(url)}, home: 'h', pool: 4 });
        const count = async () => {
          const { revision } = await store.db.selectFrom('corpora').select('revision').executeTakeFirstOrThrow();
          await store.db.updateTable('corpora').set({ revision: revision + 1 }).execute();
        };
        await Promise.all(Array.from({ length: 40 }, () => store.transaction(count)));
        await store.close();`;
      const run = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
      await Promise.all([run(), run(), run()]);
      expect(await store.db.selectFrom('corpora').select('revision').execute()).toEqual([{ revision: 120 }]);
      await store.transaction(async () => {
        const other = await open(url, 'h');
        await other.transaction(() => addRule(other, 'beside'), { shared: true });
        expect(await rules(store)).toEqual(['beside']);
      });
    });

    test('two that wait for each other: one is repeated', async () => {
      const store = await open(serverUrl());
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
      const store = await open(serverUrl());
      let tries = 0;
      await store.transaction(async () => {
        await addRule(store, 'a');
        if (++tries > 1) return;
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(store.db);
        await query(serverUrl(), 'select pg_terminate_backend($1)', [rows[0]?.pid]);
        await addRule(store, 'b');
      });
      expect([tries, await rules(store)]).toEqual([2, ['a']]);
    });

    test('one whose connection breaks while it commits is not repeated: it may have come through', async () => {
      const { url, cut } = await cable();
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
      expect((await rules(store)).length).toBeLessThanOrEqual(1);
    });

    test('tables that change under prepared statements are no failure', async () => {
      const url = await emptyDatabase();
      const store = await open(url, 'h', 1);
      const all = () => store.db.selectFrom('approval_rules').selectAll().where('id', '=', 'a').execute();
      await addRule(store, 'a');
      await all();
      await query(url, 'alter table approval_rules add column more int');
      expect(await store.transaction(all)).toMatchObject([{ id: 'a', more: null }]);
      await query(url, 'alter table approval_rules drop column more');
      expect(Object.keys((await all())[0] ?? {})).not.toContain('more');
    });
  });

  describe('a server that cannot be used is named, without the password', () => {
    const refusals: [string, () => Promise<string> | string, string, RegExp][] = [
      ['no URL of a database', () => 'mysql://u:secret@h/d', 'bad_setting', /not the URL/u],
      ['no URL', () => 'secret', 'bad_setting', /not the URL/u],
      [
        'nobody listens',
        () => changed({ port: '1', password: 'secret' }),
        'store_unavailable',
        /127.0.0.1:1.*REFUSED/u,
      ],
      [
        'no such role',
        () => changed({ username: 'nobody', password: 'secret' }),
        'store_unavailable',
        /refused the login/u,
      ],
      ['no such database', () => changed({ pathname: '/nowhere' }), 'store_unavailable', /no database .*\/nowhere/u],
      [
        'another encoding',
        () => emptyDatabase("encoding 'LATIN1' locale 'C'"),
        'store_unavailable',
        /encoding is LATIN1/u,
      ],
      [
        'a replica',
        async () => `${await emptyDatabase()}?options=-c%20default_transaction_read_only%3Don`,
        'store_unavailable',
        /read-only replica/u,
      ],
    ];

    test.each(refusals)('%s', async (_what, url, code, message) => {
      const attempt = openStore({ kind: 'postgres', url: await url(), home: 'h', pool: 1 });
      const error = await attempt.then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(error).toMatchObject({ code, message: expect.stringMatching(message), hint: expect.any(String) });
      expect(JSON.stringify([error, (error as Error).message])).not.toContain('secret');
    });

    test('a role that may not create tables', async () => {
      const url = await emptyDatabase();
      const role = `wooster_test_${Math.random().toString(36).slice(2)}`;
      await query(url, `create role ${role} login`);
      onTestFinished(async () => {
        await query(url, `drop role ${role}`);
      });
      const attempt = openStore({
        kind: 'postgres',
        url: Object.assign(new URL(url), { username: role }).href,
        home: 'h',
      });
      await expect(attempt).rejects.toMatchObject({
        code: 'store_unavailable',
        hint: expect.stringContaining('migrate'),
      });
    });

    test('tables of a newer version', async () => {
      const url = await emptyDatabase();
      await (await openStore({ kind: 'postgres', url, home: 'h' })).close();
      await query(url, 'update wooster_schema set version = version + 1');
      await expect(openStore({ kind: 'postgres', url, home: 'h' })).rejects.toMatchObject({ code: 'store_damaged' });
    });

    test('one that says nothing', async () => {
      const { url, cut } = await cable();
      cut('silent');
      const begun = performance.now();
      await expect(openStore({ kind: 'postgres', url, home: 'h' })).rejects.toMatchObject({
        code: 'store_unavailable',
      });
      expect(performance.now() - begun).toBeLessThan(6000);
    });

    test('one that falls silent: nothing waits for ever, and all is well when it is back', async () => {
      const { url, cut, mend } = await cable();
      const store = await open(`${url}?query_timeout=500`);
      await addRule(store, 'a');
      cut('silent');
      const begun = performance.now();
      await expect(rules(store)).rejects.toThrow('Query read timeout');
      await expect(store.transaction(() => addRule(store, 'b'))).rejects.toThrow();
      expect(performance.now() - begun).toBeLessThan(6000);
      mend();
      await store.transaction(() => addRule(store, 'c'));
      expect(await rules(store)).toEqual(['a', 'c']);
    });
  });

  describe('hints and locks', () => {
    test('a hint reaches other programs of the same home, and no other home', async () => {
      const home = `test-${Math.random()}`;
      const [one, two] = [await open(serverUrl(), home), await open(serverUrl())];
      const heard: string[] = [];
      one.wake.on('jobs', () => heard.push('one'));
      two.wake.on('jobs', () => heard.push('two'));
      // Listening has begun when everybody was told to look.
      await expect.poll(() => heard.toSorted()).toEqual(['one', 'two']);
      heard.length = 0;
      const script = `
        const { openStore } = await import(${STORE});
        const store = await openStore(${JSON.stringify(one.location)});
        await store.wake.notify('jobs');
        await store.close();`;
      await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
      await expect.poll(() => heard).toEqual(['one']);
    });

    test('who listens is told to look when the connection broke, and hears again', async () => {
      const { url, cut } = await cable();
      const store = await open(url);
      let heard = 0;
      store.wake.on('jobs', () => heard++);
      await expect.poll(() => heard).toBe(1);
      cut('broken');
      await expect.poll(() => heard).toBe(2);
      await store.wake.notify('jobs');
      await expect.poll(() => heard).toBe(3);
    });

    test('who holds a lock is told when the connection broke; the lock is free then', async () => {
      const { url, cut } = await cable();
      const home = `test-${Math.random()}`;
      const [store, other] = [await open(url, home), await open(serverUrl(), home)];
      const lock = await store.lock('index');
      expect(await other.lock('index')).toBeUndefined();
      cut('broken');
      await expect.poll(() => lock?.lost.aborted).toBe(true);
      await lock?.[Symbol.asyncDispose]();
      await expect.poll(() => other.lock('index')).toBeDefined();
    });

    test('who holds a lock is told when the server falls silent, before the server frees it', async () => {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
      onTestFinished(() => vi.useRealTimers() && undefined);
      const { url, cut } = await cable();
      const store = await open(`${url}?query_timeout=200`);
      const lock = await store.lock('index');
      await vi.advanceTimersByTimeAsync(30_000);
      await sleep(300);
      expect(lock?.lost.aborted).toBe(false);
      cut('silent');
      await vi.advanceTimersByTimeAsync(10_000);
      await expect.poll(() => lock?.lost.aborted, { timeout: 20_000 }).toBe(true);
      await expect(store.lock('index')).rejects.toMatchObject({ code: 'store_unavailable' });
    });

    test('a lock is free at once when its holder was killed', async () => {
      const store = await open(serverUrl());
      const script = `
        const { openStore } = await import(${STORE});
        const store = await openStore(${JSON.stringify(store.location)});
        const lock = await store.lock('index');
        console.log(lock ? 'held' : 'taken');
        setInterval(() => {}, 1000);`;
      const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [said] = await once(child.stdout, 'data');
      expect(String(said)).toBe('held\n');
      expect(await store.lock('index')).toBeUndefined();
      child.kill('SIGKILL');
      const killed = performance.now();
      await expect.poll(() => store.lock('index'), { interval: 5 }).toBeDefined();
      expect(performance.now() - killed).toBeLessThan(1000);
    });

    test('a lock whose answer came too late is not kept by anybody', async () => {
      const { url, cut, mend } = await cable();
      const home = `test-${Math.random()}`;
      const [store, other] = [await open(`${url}?query_timeout=300`, home), await open(serverUrl(), home)];
      const first = await store.lock('first');
      cut('late');
      await expect(store.lock('index')).rejects.toMatchObject({ code: 'store_unavailable' });
      mend();
      await expect.poll(() => other.lock('index'), { timeout: 5000 }).toBeDefined();
      // They all belonged to one connection, and who holds one is told.
      expect(first?.lost.aborted).toBe(true);
    });

    test('whether a lock is still held, the server is asked', async () => {
      const { url, cut } = await cable();
      const store = await open(url);
      const lock = await store.lock('index');
      await lock?.confirm();
      cut('broken');
      await expect(lock?.confirm()).rejects.toThrow();
    });

    test('locks of two homes do not get in each other’s way', async () => {
      const [a, b] = [await open(serverUrl()), await open(serverUrl())];
      expect([await a.lock('x'), await b.lock('x')]).not.toContain(undefined);
    });
  });

  test('three programs that start at once on an empty database all find the tables', async () => {
    const url = await emptyDatabase();
    const script = `
      const { openStore } = await import(${STORE});
      const store = await openStore({ kind: 'postgres', url: ${JSON.stringify(url)}, home: 'h', pool: 1 });
      await store.db.insertInto('earlier_jobs').values({ key: String(process.pid), at: '' }).execute();
      await store.close();`;
    const run = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
    await Promise.all([run(), run(), run()]);
    expect(await query(url, 'select from earlier_jobs')).toHaveLength(3);
    expect(await query(url, 'select version from wooster_schema')).toEqual([{ version: NEWEST }]);
  });
});
