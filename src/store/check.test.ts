import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '../testing/home.ts';
import { openTestStore, STORE_KINDS, testLocation } from '../testing/stores.ts';
import { checkStore, findingsOf, type StoreFacts } from './check.ts';
import { placeOf } from './location.ts';
import { NEWEST } from './migrations.ts';
import type { ServerFacts } from './server-facts.ts';
import { openStore, type Store } from './store.ts';

test.each(STORE_KINDS)('a store that was just made is as it should be: %s', async (kind) => {
  const store = await openStore(testLocation(':memory:', kind));
  onTestFinished(() => store.close());
  const facts = await checkStore(store);
  expect(facts).toMatchObject({ kind, schema: NEWEST, place: placeOf(store.location) });
  expect(facts.version).toMatch(/^\d+\.\d+/u);
  expect(facts.bytes).toBeGreaterThan(0);
  expect(facts.server?.connections.used ?? 1).toBeGreaterThan(0);
  expect(findingsOf(facts).filter(({ severe }) => severe)).toEqual([]);
});

test('a small read is timed twenty times, and the middle one is told', async () => {
  let [nowMs, reads] = [1000, 0];
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  onTestFinished(() => clock.mockRestore());
  // 0 to 19 ms and a bit, in no order.
  const beforeStatement = (text: string) => {
    if (text.includes('"conversations"')) nowMs += ((reads++ * 7 + 5) % 20) + 0.12345;
  };
  const store = await openTestStore(':memory:', { kind: 'sqlite', beforeStatement });
  onTestFinished(() => store.close());
  const { selectMs } = await checkStore(store);
  expect([selectMs, reads]).toEqual([10.123, 20]);
});

test('a file without tables is not read from, and is no server', async () => {
  const path = join(temporaryFolder(), 'empty.sqlite3');
  new DatabaseSync(path).close();
  const store = await openTestStore(path, { kind: 'sqlite', readOnly: true });
  onTestFinished(() => store.close());
  const facts = await checkStore(store);
  expect(facts).toEqual({
    ...{ kind: 'sqlite', place: path, version: expect.stringMatching(/^3\./u), schema: 0, bytes: 0, selectMs: 0 },
    clockMs: expect.any(Number),
  });
  expect(findingsOf({ ...facts, clockMs: 0 })).toEqual([
    { severe: true, problem: 'there are no tables yet', hint: 'Run: wooster store migrate' },
  ]);
});

test('the clocks are compared half way between asking and the answer', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-15T09:00:00Z') });
  onTestFinished(() => void vi.useRealTimers());
  const store = await openTestStore(':memory:', { kind: 'sqlite' });
  onTestFinished(() => store.close());
  const now = async () => {
    vi.setSystemTime('2026-01-15T09:00:00.400Z');
    return '2026-01-15T08:59:57.200Z';
  };
  const slow: Store = new Proxy(store, { get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)) });
  expect((await checkStore(slow)).clockMs).toBe(3000);
});

const SERVER: ServerFacts = {
  ...{ user: 'wooster', superuser: false, readOnly: false, connections: { used: 5, max: 100 }, locksWaiting: 0 },
  ...{ encoding: 'UTF8', collation: 'C.UTF-8', unprotected: [], otherOrder: [], pgvector: null },
};
const FACTS: StoreFacts = {
  ...{ kind: 'postgres', place: 'db/wooster', version: '17.11', schema: NEWEST, bytes: 1, selectMs: 0.3, clockMs: 1 },
  server: SERVER,
};

test.each([
  ['nothing', {}, undefined],
  ['a superuser', { superuser: true }, true],
  ['a replica', { readOnly: true }, true],
  ['a table without row level security', { unprotected: ['turns'] }, true],
  ['another order of text', { otherOrder: ['runs.id'] }, true],
  ['hardly a connection left', { connections: { used: 95, max: 100 } }, false],
  ['statements that wait', { locksWaiting: 2 }, false],
] as const)('of a server: %s', (_, server, severe) => {
  const found = findingsOf({ ...FACTS, server: { ...SERVER, ...server } });
  expect(found.map((finding) => finding.severe)).toEqual(severe === undefined ? [] : [severe]);
});

test.each([
  ['no tables', { schema: 0 }, true],
  ['older tables', { schema: NEWEST - 1 }, true],
  ['a clock that is wrong', { clockMs: -5000 }, false],
  ['a slow server', { selectMs: 80 }, false],
] as const)('of any store: %s', (_, facts, severe) => {
  expect(findingsOf({ ...FACTS, ...facts }).map((finding) => finding.severe)).toEqual([severe]);
});

test('what is wrong with the tables of a server is found', async () => {
  const store = await openTestStore();
  onTestFinished(() => store.close());
  if (store.kind === 'sqlite') return;
  await expect(
    store.transaction(async () => {
      await sql`set local role none`.execute(store.db);
      await sql`alter table origins no force row level security`.execute(store.db);
      expect((await checkStore(store)).server?.unprotected).toEqual(['origins']);
      throw new Error('undo');
    }),
  ).rejects.toThrow('undo');
});

test('what is found is said in words, the worst first, with what to do', () => {
  const server = {
    ...SERVER,
    ...{
      superuser: true,
      readOnly: true,
      unprotected: ['turns', 'runs'],
      otherOrder: ['runs.id', 'turns.id'],
      locksWaiting: 2,
    },
    connections: { used: 91, max: 100 },
  };
  const found = findingsOf({ ...FACTS, server, schema: NEWEST - 1, clockMs: 2400, selectMs: 21 });
  expect(found.map(({ severe, problem, hint }) => [severe, problem, hint])).toEqual([
    [true, `the tables are of version ${NEWEST - 1}, not ${NEWEST}`, 'Run: wooster store migrate'],
    [true, 'the server is a read-only replica', 'Point WOOSTER_STORE_URL at the primary.'],
    [
      ...[true, 'row level security is off for turns, runs'],
      'Restore it: ALTER TABLE ... ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY.',
    ],
    [
      ...[true, 'the user in the URL bypasses row level security, so homes are not kept apart'],
      'Use a user without SUPERUSER and BYPASSRLS: see docs/several-machines.md.',
    ],
    [true, 'text is not sorted by its bytes in runs.id, turns.id', 'Restore the collation "C" of these columns.'],
    [
      ...[false, '91 of 100 connections of the server are in use'],
      'Raise max_connections, or lower WOOSTER_STORE_POOL.',
    ],
    [
      false,
      '2 statements wait for locks',
      'Look again; if they keep waiting, pg_blocking_pids() shows who holds the locks.',
    ],
    [false, 'the clocks differ by 2 s', 'Let NTP set the clocks of all machines.'],
    [false, 'a small read takes 21 ms', 'Use a server in the same network, or look at its load.'],
  ]);
  expect(findingsOf({ ...FACTS, schema: 0 })[0]?.problem).toBe('there are no tables yet');
});

test('what is just as it may be is nothing to tell', () => {
  const server = { ...SERVER, connections: { used: 90, max: 100 } };
  expect(findingsOf({ ...FACTS, server, clockMs: -2000, selectMs: 20 })).toEqual([]);
  expect(findingsOf({ ...FACTS, clockMs: -2001 })).toHaveLength(1);
});
