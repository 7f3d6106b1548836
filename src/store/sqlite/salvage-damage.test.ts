/** What is saved of a table when single pages of it cannot be read: what is before, between and behind them. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/home.ts';
import { salvage } from './salvage.ts';
import { openSqlite } from './store.ts';

/** A row takes a page for itself. */
const PAGE = 'hex(zeroblob(1600))';

/**
 * Save a home with these rows, of which some pages are damaged.
 *
 * @returns what was said of it, what `query` finds, and how many rows the damaged pages held.
 */
async function saved(rows: string, damaged: { readonly table: string; readonly leaves: number[] }, query: string) {
  const dir = temporaryFolder();
  const [from, to] = [join(dir, 'w.sqlite3'), join(dir, 'saved.sqlite3')] as const;
  await (await openSqlite({ kind: 'sqlite', path: from }, {})).close();
  const pages = fill(from, rows, damaged.table);
  const file = openSync(from, 'r+');
  for (const leaf of damaged.leaves) writeSync(file, Buffer.alloc(4096), 0, 4096, pages[leaf]?.offset);
  closeSync(file);
  const { incomplete, rows: counts } = await salvage(from, to);
  using target = new DatabaseSync(to);
  const found = target.prepare(query).all();
  const lost = damaged.leaves.reduce((sum, leaf) => sum + (pages[leaf]?.rows ?? 0), 0);
  return { incomplete, count: counts[damaged.table], found: found.map(({ it }) => it), lost };
}

/** @returns the pages with the rows of the table, from the first to the last: where they are, and how many they hold. */
function fill(path: string, rows: string, table: string) {
  using database = new DatabaseSync(path);
  database.exec(`
    INSERT INTO conversations (id, project, created_at, updated_at) VALUES ('c', 'home', '2026', '2026');
    ${rows};
    PRAGMA wal_checkpoint(TRUNCATE)`);
  const leaves = database.prepare(
    "SELECT pgoffset, ncell FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY path",
  );
  return leaves.all(table).map(({ pgoffset, ncell }) => ({ offset: Number(pgoffset), rows: Number(ncell) }));
}

const NUMBERS = 'SELECT seq AS it FROM turns ORDER BY seq';

const turns = (numbers: readonly number[]) => `
  INSERT INTO turns (seq, id, conversation_id, mode, origin, text, status, started_at)
    SELECT value, 't' || value, 'c', 'code', 'user', ${PAGE}, 'answered', '2026'
    FROM json_each('${JSON.stringify(numbers)}')`;

test.each([
  ['the first', [0], [2, 3, 4, 5]],
  ['one in the middle', [2], [1, 2, 4, 5]],
  ['the last', [4], [1, 2, 3, 4]],
  ['none', [], [1, 2, 3, 4, 5]],
])('of turns with damaged pages (%s), all others are saved', async (_which, leaves, left) => {
  expect(await saved(turns([1, 2, 3, 4, 5]), { table: 'turns', leaves }, NUMBERS)).toEqual({
    ...{ incomplete: leaves.length > 0 ? ['turns'] : [], count: left.length, found: left, lost: leaves.length },
  });
});

test('between two damaged pages, what is among the next 5,000 numbers is saved', async () => {
  const rows = turns([1, 2, 3, 4, 5002, 5003, 6000, 6001, 6002]);
  expect(await saved(rows, { table: 'turns', leaves: [2, 6] }, NUMBERS)).toEqual({
    ...{ incomplete: ['turns'], count: 6, found: [1, 2, 4, 5002, 6001, 6002], lost: 2 },
  });
});

test('of a table that is kept in the order of its key, what is before and behind a damaged page is saved', async () => {
  const keys = Array.from({ length: 20 }, (_, at) => `${at + 10}`);
  const rows = `${turns([1, 2])};
    INSERT INTO turn_memory
      SELECT turns.id, value, hex(zeroblob(400)) FROM turns, json_each('${JSON.stringify(keys)}')`;
  const query = "SELECT turn_id || ' ' || key AS it FROM turn_memory ORDER BY turn_id, key";
  const { incomplete, count, found, lost } = await saved(rows, { table: 'turn_memory', leaves: [3] }, query);
  const all = ['t1', 't2'].flatMap((turn) => keys.map((key) => `${turn} ${key}`));
  const from = all.findIndex((key) => !found.includes(key));
  expect(lost).toBeGreaterThan(1);
  expect(found).toEqual(all.toSpliced(from, lost));
  expect([incomplete, count]).toEqual([['turn_memory'], all.length - lost]);
});
