import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { STORE_KINDS, testLocation } from '../testing/stores.ts';
import { leaseTime } from './lease-time.ts';
import { contains, idList } from './portable.ts';
import { openStore, type Store } from './store.ts';
import { canonical, keyOf, pagesOf, rowsBetween, sumTable, type TableRow } from './table-pages.ts';
import { isTaken } from './unique.ts';

test('a row as text is the same whatever the order of its columns and the database it is from', () => {
  const bytes = Uint8Array.of(1, 2);
  expect(canonical({ b: 1.5, a: 'x\0y', c: null, d: bytes })).toBe(
    '[["a","xy"],["b",1.5],["c",null],["d",{"base64":"AQI="}]]',
  );
  expect(canonical({ d: Buffer.from(bytes), c: null, a: 'xy', b: 1.5 })).toBe(
    canonical({ a: 'x\0y', b: 1.5, c: null, d: bytes }),
  );
  expect(canonical({ a: 'x' })).not.toBe(canonical({ a: 'y' }));
});

test('a key is its columns in order', () => {
  const table = { name: 'roots', key: ['project', 'path', 'nth'], pageRows: 1 } as const;
  expect(keyOf(table, { path: '/p\0', project: 'home', more: 1 })).toBe('"home", "/p", null');
});

/** A store with so many roots, and a text of each statement that it runs. */
async function withRoots(kind: Store['kind'], count: number) {
  const statements: string[] = [];
  const beforeStatement = (text: string) => void statements.push(text);
  const store = await openStore(testLocation(':memory:', kind), { beforeStatement });
  onTestFinished(() => store.close());
  const rows = Array.from({ length: count }, (_, at) => ({ project: 'home', path: `/${at}`, added_at: '2026' }));
  if (count > 0) await store.db.insertInto('roots').values(rows).execute();
  return { store, reads: () => statements.filter((text) => text.includes('select * from "roots"')).length };
}

const ROOTS = { name: 'roots', key: ['project', 'path'], pageRows: 2 } as const;
const pathsOf = (rows: readonly TableRow[]) => rows.map(({ path }) => path);

test.each(
  STORE_KINDS.flatMap((kind) =>
    (
      [
        [0, [], 1],
        [1, [['/0']], 1],
        [2, [['/0', '/1']], 2],
        [3, [['/0', '/1'], ['/2']], 2],
        [
          4,
          [
            ['/0', '/1'],
            ['/2', '/3'],
          ],
          3,
        ],
      ] as const
    ).map((row) => [kind, ...row] as const),
  ),
)('on %s, %i rows come in pages of two, and the last one is looked for once', async (kind, count, pages, reads) => {
  const roots = await withRoots(kind, count);
  const found: unknown[] = [];
  for await (const page of pagesOf(roots.store, ROOTS)) found.push(pathsOf(page));
  expect([found, roots.reads()]).toEqual([pages, reads]);
});

test.each(STORE_KINDS)('beside a page, nothing but its range is read, all of that: %s', async (kind) => {
  const { store } = await withRoots(kind, 6);
  const between = async (...paths: string[]) =>
    pathsOf(
      await rowsBetween(
        store,
        ROOTS,
        paths.map((path) => ({ project: 'home', path })),
      ),
    );
  expect(await between('/1', '/4')).toEqual(['/1', '/2', '/3', '/4']);
  expect(await between('/3')).toEqual(['/3']);
  expect(await between('/6')).toEqual([]);
  expect(await rowsBetween(store, ROOTS, [])).toEqual([]);
});

test.each(STORE_KINDS)('the sum of a table is that of its rows, line by line: %s', async (kind) => {
  const { store } = await withRoots(kind, 3);
  const lines = ['/0', '/1', '/2'].map((path) => `[["added_at","2026"],["path","${path}"],["project","home"]]\n`);
  const sha256 = createHash('sha256').update(lines.join('')).digest('hex');
  expect(await sumTable(store, ROOTS)).toEqual({ rows: 3, sha256 });
});

test.each([
  [{ code: '23505' }, true],
  [{ errcode: 2067 }, true],
  [{ errcode: 1555 }, true],
  [{ errcode: 2579 }, true],
  [{ code: '23503' }, false],
  [{ errcode: 19 }, false],
  [null, false],
  ['23505', false],
])('%j: taken is %s', (error, taken) => expect(isTaken(error)).toBe(taken));

test('leases are in the time of the server, or in one’s own', async () => {
  const own = () => new Date('2026-01-15T09:00:00Z');
  const now = async () => '2026-01-15T10:00:00.000Z';
  expect(await leaseTime({ kind: 'sqlite', now }, own)).toEqual(own());
  expect(await leaseTime({ kind: 'postgres', now }, own)).toEqual(new Date('2026-01-15T10:00:00Z'));
});

test.each(STORE_KINDS)('lists of numbers and parts of texts, on %s', async (kind) => {
  const store = await openStore(testLocation(':memory:', kind));
  onTestFinished(() => store.close());
  const numbers = sql<{ list: string }>`select ${idList(store, 'n')} as list
    from (select 3 as n union all select 1 union all select 2) as t`;
  expect(JSON.parse((await numbers.execute(store.db)).rows[0]?.list ?? '')).toEqual([1, 2, 3]);
  const none = sql<{ list: string }>`select ${idList(store, 'n')} as list from (select 1 as n) as t where n > 1`;
  expect((await none.execute(store.db)).rows).toEqual([{ list: '[]' }]);
  const has = async (part: string) =>
    (await sql`select 1 as x where ${contains(store, sql<string>`'50 %_ off'`, part)}`.execute(store.db)).rows.length;
  expect([await has('%_'), await has('50'), await has('0%')]).toEqual([1, 1, 0]);
});
