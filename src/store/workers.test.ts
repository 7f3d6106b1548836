import { randomUUID } from 'node:crypto';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { leaseHolder, processIdentity } from '../base/process-identity.ts';
import { sqlRun } from '../testing/sql.ts';
import { openTestStore, STORE_KINDS, testLocation } from '../testing/stores.ts';
import { openStore, type Store } from './store.ts';
import { goneOwners, knownWorkers } from './workers.ts';

describe.each(STORE_KINDS.filter((kind) => kind === 'postgres'))('the workers of a home on %s', (kind) => {
  test('who was not seen for 30 seconds is gone, with all that one process holds', async () => {
    const store = await openStore(testLocation(randomUUID(), kind));
    onTestFinished(() => store.close());
    const now = Date.parse(await store.now());
    const seen = async (id: string, agoMs: number) =>
      sqlRun(store, 'insert into workers (id, host, started_at, seen_at) values (?, ?, ?, ?)', id, 'h', 'x', at(agoMs));
    const at = (agoMs: number) => new Date(now - agoMs).toISOString();
    await seen('far:1@boot#1/0000000a', 20_000);
    await seen('far:2@boot#1/0000000b', 31_000);
    const owners = ['far:1@boot#1/0000000c', 'far:1@boot#1', 'far:2@boot#1/0000000b', 'far:3@boot#1'];
    expect(await goneOwners(store, owners)).toEqual(new Set(['far:2@boot#1/0000000b', 'far:3@boot#1']));
    expect(await goneOwners(store, [processIdentity(), `${processIdentity()}/0000000d`])).toEqual(new Set());
    const known = (await knownWorkers(store)).map(({ id }) => id);
    expect(known.slice(1)).toEqual(['far:1@boot#1/0000000a', 'far:2@boot#1/0000000b']);
    expect(known[0]).toContain(processIdentity());
  });

  test('rows of workers that ended a day ago are deleted, its own with the store', async () => {
    const path = randomUUID();
    const first = await openStore(testLocation(path, kind));
    const ago = new Date(Date.parse(await first.now()) - 25 * 3_600_000).toISOString();
    const insert = 'insert into workers (id, host, started_at, seen_at) values (?, ?, ?, ?)';
    await sqlRun(first, insert, 'old', 'h', 'x', ago);
    await sqlRun(first, insert, 'today', 'h', 'x', new Date(Date.parse(ago) + 7_200_000).toISOString());
    await first.close();
    const second = await openStore(testLocation(path, kind));
    onTestFinished(() => second.close());
    const ids = (await knownWorkers(second)).map(({ id }) => id);
    expect(ids).toEqual([expect.stringContaining(processIdentity()), 'today']);
  });

  test('a name that no worker of the home has is gone', async () => {
    const store = await openTestStore();
    onTestFinished(() => store.close());
    expect((await goneOwners(store, ['elsewhere:1@boot#1/00000000'])).size).toBe(1);
  });

  test('a store that is only read leaves no row', async () => {
    const path = randomUUID();
    const store = await openStore(testLocation(path, kind));
    const reader = await openStore(testLocation(path, kind), { readOnly: true });
    expect(await store.db.selectFrom('workers').selectAll().execute()).toHaveLength(1);
    await reader.close();
    await store.close();
  });
});

test('of several machines, the rows tell who was seen within half a minute', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-15T09:00:30.000Z') });
  onTestFinished(() => void vi.useRealTimers());
  const statements: string[] = [];
  const store = await openStore(':memory:', { beforeStatement: (text) => void statements.push(text) });
  onTestFinished(() => store.close());
  const row = { host: 'h', started_at: 'x' };
  await store.db
    .insertInto('workers')
    .values([
      { ...row, id: 'gone:1@boot#1/0000000a', seen_at: '2026-01-15T09:00:00.000Z' },
      { ...row, id: 'here:1@boot#1/0000000b', seen_at: '2026-01-15T09:00:00.001Z' },
    ])
    .execute();
  // The same rows, as they are on a server.
  const shared = { kind: 'postgres', db: store.db, read: store.read, now: () => store.now() } as Store;
  statements.length = 0;
  expect([await goneOwners(shared, []), statements]).toEqual([new Set(), []]);
  const gone = ['gone:1@boot#1/0000000a', 'gone:1@boot#1', 'here:1@boot#1/0000000'];
  const here = ['here:1@boot#1/0000000b', 'here:1@boot#1/ffffffff', 'here:1@boot#1', processIdentity(), leaseHolder()];
  expect(await goneOwners(shared, [...gone, ...here])).toEqual(new Set(gone));
  expect((await knownWorkers(shared)).map(({ id }) => id)).toEqual([
    'here:1@boot#1/0000000b',
    'gone:1@boot#1/0000000a',
  ]);
});

test('of nobody, nobody is gone', async () => {
  const store = await openStore(':memory:');
  expect(await goneOwners(store, [])).toEqual(new Set());
  expect(await goneOwners(store, ['elsewhere', 'host:1@boot#1'], { leased: true })).toEqual(new Set());
  await store.close();
});

test('in a file nobody is registered: the system knows which processes run', async () => {
  const store = await openStore(':memory:');
  expect(await goneOwners(store, [processIdentity(), 'host:1@boot#1'])).toEqual(new Set(['host:1@boot#1']));
  expect(await store.db.selectFrom('workers').selectAll().execute()).toEqual([]);
  await store.close();
});

describe.each(STORE_KINDS.filter((kind) => kind === 'postgres'))('a beat on %s', (kind) => {
  test('goes on while the store is open, and one that fails is told and forgotten', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const warned: unknown[] = [];
    let broken = false;
    const beforeStatement = (text: string) => {
      if (broken && text.includes('workers')) throw new Error('no way');
    };
    const log = { warn: (message: string, fields?: object) => void warned.push({ message, ...fields }) };
    const store = await openStore(testLocation(randomUUID(), kind), { log, beforeStatement });
    const seen = async () => (await knownWorkers(store))[0]?.seen_at ?? '';
    const first = await seen();
    await vi.advanceTimersByTimeAsync(5000);
    await expect.poll(seen).not.toBe(first);
    broken = true;
    await vi.advanceTimersByTimeAsync(5000);
    await expect
      .poll(() => warned)
      .toEqual([{ message: 'the store could not be told that this program runs', error: 'no way' }]);
    await store.close();
    expect(warned[1]).toEqual({ message: 'the store could not be told that this program ends', error: 'no way' });
  });
});
