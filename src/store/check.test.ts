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
