import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { STORE_KINDS } from '../testing/stores.ts';
import { emptyDatabase, openHome, query } from '../testing/test-database.ts';
import { serverFacts } from './server-facts.ts';

describe.runIf(STORE_KINDS.includes('postgres'))('what is known of a server', () => {
  test('is its version, its size, and that its tables are as they were made', async () => {
    const url = await emptyDatabase();
    const facts = await serverFacts(await openHome(url, 'a'));
    const [asked] = (await query(
      url,
      `select split_part(current_setting('server_version'), ' ', 1) as version, session_user::text as user,
        current_setting('max_connections')::int as max, datcollate as collation
      from pg_database where datname = current_database()`,
    )) as [{ version: string; user: string; max: number }];
    expect(facts).toEqual({
      ...{ version: asked.version, user: asked.user, bytes: expect.any(Number), superuser: false, readOnly: false },
      ...{ locksWaiting: 0, encoding: 'UTF8', collation: expect.stringMatching(/./u), pgvector: null },
      ...{ connections: { used: expect.any(Number), max: asked.max }, unprotected: [], otherOrder: [] },
    });
    expect([facts.bytes > 1_000_000, facts.connections.used > 0]).toEqual([true, true]);
  });

  test('is what was changed about them, by name', async () => {
    const url = await emptyDatabase();
    const store = await openHome(url, 'a');
    await query(
      url,
      `alter table turns disable row level security; alter table origins no force row level security;
      alter table roots alter column added_at type text collate "POSIX";
      alter table corpora add column note text collate "POSIX"; create table theirs (note text collate "POSIX");
      grant select on theirs to wooster_app`,
    );
    expect(await serverFacts(store)).toMatchObject({
      ...{ unprotected: ['origins', 'turns'], otherOrder: ['corpora.note', 'roots.added_at'] },
    });
  });

  test('is who waits for a lock', async () => {
    const url = await emptyDatabase();
    const store = await openHome(url, 'a');
    await store.transaction(
      async () => {
        await sql`lock table roots in share mode`.execute(store.db);
        const waiting = query(url, 'begin; lock table roots in exclusive mode; commit');
        waiting.catch(() => {});
        await expect.poll(async () => (await serverFacts(store)).locksWaiting, { timeout: 10_000 }).toBe(1);
      },
      { shared: true },
    );
    await expect.poll(async () => (await serverFacts(store)).locksWaiting, { timeout: 10_000 }).toBe(0);
  });

  test('is that it has become read-only since', async () => {
    const url = await emptyDatabase();
    const store = await openHome(url, 'a');
    expect((await serverFacts(store)).readOnly).toBe(false);
    const name = new URL(url).pathname.slice(1);
    await query(url, `alter database ${name} set default_transaction_read_only = on`);
    const others = 'datname = current_database() and pid <> pg_backend_pid()';
    await query(url, `select pg_terminate_backend(pid) from pg_stat_activity where ${others}`);
    const readOnly = async () => (await serverFacts(store)).readOnly;
    await expect.poll(() => readOnly().catch(() => undefined), { timeout: 10_000 }).toBe(true);
  });
});
