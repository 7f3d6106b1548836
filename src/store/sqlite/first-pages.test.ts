import { closeSync, copyFileSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/home.ts';
import { mendFirstPages } from './first-pages.ts';
import { salvage } from './salvage.ts';
import { openSqlite } from './store.ts';

const PAGE = 4096;
const startOf = (page: number) => (page - 1) * PAGE;

function change(path: string, sql: string): void {
  using database = new DatabaseSync(path);
  database.exec(sql);
}

/** A database with one conversation, where the list of its tables is, and copies of it that are overwritten in places. */
async function used() {
  const dir = temporaryFolder();
  const [fresh, whole] = [join(dir, 'fresh.sqlite3'), join(dir, 'whole.sqlite3')];
  await (await openSqlite({ kind: 'sqlite', path: fresh }, {})).close();
  copyFileSync(fresh, whole);
  change(
    whole,
    "INSERT INTO conversations (id, project, title, created_at, updated_at) VALUES ('c', 'home', 't', '2026', '2026')",
  );
  using database = new DatabaseSync(whole);
  const list = database.prepare("SELECT pageno FROM dbstat WHERE name = 'sqlite_schema' ORDER BY pageno").all();
  let copies = 0;
  const damaged = (bytes: Buffer, places: readonly number[]) => {
    copies += 1;
    const path = join(dir, `${copies}.sqlite3`);
    copyFileSync(whole, path);
    const file = openSync(path, 'r+');
    for (const at of places) writeSync(file, bytes, 0, bytes.length, at);
    closeSync(file);
    return { path, saved: () => salvage(path, `${path}-saved`) };
  };
  return { fresh, whole, pages: list.map(({ pageno }) => Number(pageno)), damaged };
}

const EVERYTHING = { rows: { conversations: 1 }, incomplete: [] };

test.each([
  ['is zero', Buffer.alloc(PAGE), 0],
  ['is nonsense', Buffer.alloc(PAGE, 0xa5), 0],
  ['has lost its second half', Buffer.alloc(PAGE / 2), PAGE / 2],
])('when any page of the list of tables %s, everything is saved', async (_how, bytes, offset) => {
  const { pages, damaged } = await used();
  expect(pages.length).toBeGreaterThan(4);
  for (const page of pages)
    expect(await damaged(bytes, [startOf(page) + offset]).saved(), `page ${page}`).toMatchObject(EVERYTHING);
});

test('half of the list says what the other half was, less does not', async () => {
  const { pages, damaged } = await used();
  const half = pages.slice(Math.ceil(pages.length / 2)).map(startOf);
  expect(await damaged(Buffer.alloc(PAGE), half).saved()).toMatchObject(EVERYTHING);
  const more = [...half, startOf(pages[1] ?? 0)];
  await expect(damaged(Buffer.alloc(PAGE), more).saved()).rejects.toThrow('malformed');
});

test('a list that was written in another order is not taken for the one of a new database', async () => {
  const { whole, pages, damaged } = await used();
  change(whole, 'CREATE TABLE mine (x); CREATE INDEX mine_by_x ON mine (x)');
  await expect(damaged(Buffer.alloc(PAGE), [startOf(pages[1] ?? 0)]).saved()).rejects.toThrow('malformed');
});

test('a list that is whole stays as it is, also when it is another', async () => {
  const { fresh, whole } = await used();
  change(whole, 'CREATE TABLE mine (x); ALTER TABLE conversations ADD COLUMN mood TEXT');
  const before = readFileSync(whole);
  mendFirstPages(whole, fresh);
  expect(readFileSync(whole).equals(before)).toBe(true);
});
