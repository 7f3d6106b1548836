import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { openTestStore, STORE_KINDS, testLocation } from '../testing/stores.ts';
import { checkStore, findingsOf, type StoreFacts } from './check.ts';
import { isSamePlace, placeOf, readLocation } from './location.ts';
import type { ServerFacts } from './server-facts.ts';
import { NEWEST } from './steps.ts';
import { openStore } from './store.ts';

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

test('a place is shown without user and password', () => {
  const location = readLocation('postgres://anna:secret@db.example.org:5432/wooster?sslmode=require', 'anna');
  expect(placeOf(location)).toBe('PostgreSQL db.example.org:5432/wooster, home anna');
  expect(isSamePlace(location, readLocation('postgresql://bert:x@db.example.org:5432/wooster', 'anna'))).toBe(true);
  expect(isSamePlace(location, readLocation('postgres://db.example.org:5432/wooster', 'bert'))).toBe(false);
  expect(readLocation('state/x.sqlite3', 'anna')).toMatchObject({ kind: 'sqlite', path: /^\/.*\/state\/x\.sqlite3$/u });
  expect(() => readLocation('mysql://db/x', 'anna')).toThrow('postgres://');
});

test('what is found is said in words, the worst first, with what to do', () => {
  const server = {
    ...SERVER,
    ...{ superuser: true, readOnly: true, unprotected: ['turns', 'runs'], otherOrder: ['runs.id'], locksWaiting: 2 },
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
      ...[true, 'the user of the URL is above row level security, so homes are not kept apart'],
      'Use a user without SUPERUSER and BYPASSRLS: see docs/several-machines.md.',
    ],
    [true, 'text is not sorted by its bytes in runs.id', 'Restore the collation "C" of these columns.'],
    [
      ...[false, '91 of 100 connections of the server are in use'],
      'Raise max_connections, or lower WOOSTER_STORE_POOL.',
    ],
    [false, '2 statements wait for locks', 'Look again; if it stays so, pg_blocking_pids() says who holds them.'],
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

test('a file is a place of its own, and no server', () => {
  const file = readLocation('state/x.sqlite3', 'anna');
  expect(isSamePlace(file, readLocation('./state/x.sqlite3', 'bert'))).toBe(true);
  expect(isSamePlace(file, readLocation('state/y.sqlite3', 'anna'))).toBe(false);
  expect(isSamePlace(file, readLocation('postgres://db/w', 'anna'))).toBe(false);
  expect(isSamePlace(readLocation('postgres://db/w', 'a'), readLocation('postgres://db/v', 'a'))).toBe(false);
  expect(placeOf(readLocation('POSTGRES://db/w', 'a'))).toBe('PostgreSQL db/w, home a');
});
