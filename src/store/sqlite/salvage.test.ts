import { closeSync, openSync, statSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/home.ts';
import { salvage } from './salvage.ts';
import { openSqlite } from './store.ts';

/** A database with a turn, what it remembered, and something the owner agreed to: two tables WITHOUT ROWID. */
async function used() {
  const dir = temporaryFolder();
  const [from, to] = [join(dir, 'w.sqlite3'), join(dir, 'saved.sqlite3')] as const;
  await (await openSqlite({ kind: 'sqlite', path: from }, {})).close();
  const change = (sql: string) => {
    using database = new DatabaseSync(from, { enableForeignKeyConstraints: false });
    database.exec(sql);
  };
  change(`
    INSERT INTO conversations (id, project, title, created_at, updated_at) VALUES ('c', 'home', 't', '2026', '2026');
    INSERT INTO turns (id, conversation_id, mode, origin, text, status, started_at)
      VALUES ('t', 'c', 'classic_tools', 'repl', 'x', 'answered', '2026');
    INSERT INTO turn_memory (turn_id, key, value) VALUES ('t', 'k', '1'), ('t', 'l', '2');
    INSERT INTO content_pins (kind, id, hash, imported) VALUES ('skill', 'skills/tea', 'h', 0);`);
  return { from, to, change };
}

test('of a database that is whole, every table is saved as a whole', async () => {
  const { from, to } = await used();
  const { rows, incomplete } = await salvage(from, to);
  expect(incomplete).toEqual([]);
  expect(rows).toMatchObject({ conversations: 1, turns: 1, turn_memory: 2, content_pins: 1 });
});

test('what refers to a turn that was lost is left out, in every kind of table', async () => {
  const { from, to, change } = await used();
  change("DELETE FROM turns WHERE id = 't'");
  await salvage(from, to);
  using saved = new DatabaseSync(to);
  expect(saved.prepare('PRAGMA foreign_key_check').all()).toEqual([]);
  expect(saved.prepare('SELECT * FROM turn_memory').all()).toEqual([]);
  expect(saved.prepare('SELECT id FROM content_pins').all()).toHaveLength(1);
});

test('of a file whose end is missing, what is before it is saved', async () => {
  const { from, to, change } = await used();
  change(`
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
    INSERT INTO turns (id, conversation_id, mode, origin, text, status, started_at)
      SELECT 't' || i, 'c', 'classic_tools', 'repl', hex(randomblob(100)), 'answered', '2026' FROM n`);
  truncateSync(from, Math.floor(statSync(from).size * 0.8));
  const { rows, incomplete } = await salvage(from, to);
  expect(incomplete).toContain('turns');
  expect(rows).toMatchObject({ conversations: 1, turn_memory: 2 });
  expect(rows.turns).toBeGreaterThan(1500);
});

test.each([
  ['promises too many pages', 28, Buffer.alloc(4, 0xff)],
  ['promises too few pages', 28, Buffer.from([0, 0, 0, 2])],
  ['has a page size that does not exist', 16, Buffer.from([0x12, 0x34])],
  ['is nonsense', 0, Buffer.alloc(100, 0xa5)],
])('of a file whose head %s, everything is saved', async (_how, at, bytes) => {
  const { from, to } = await used();
  const file = openSync(from, 'r+');
  writeSync(file, bytes, 0, bytes.length, at);
  closeSync(file);
  const { rows, incomplete } = await salvage(from, to);
  expect(incomplete).toEqual([]);
  expect(rows).toMatchObject({ conversations: 1, turns: 1, turn_memory: 2, content_pins: 1 });
});
