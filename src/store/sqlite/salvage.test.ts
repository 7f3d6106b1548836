import { closeSync, openSync, readdirSync, statSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '../../testing/home.ts';
import { sqliteOfSchema19 } from '../../testing/schema-19.ts';
import { salvage } from './salvage.ts';
import { openSqlite } from './store.ts';

/** What is in the database that the tests begin with. */
const SAVED = { content_pins: 1, conversations: 1, turn_memory: 2, turns: 1 };
const REBUILT = [
  ...['corpora', 'sources', 'chunks', 'vectors', 'rag_checks', 'chunk_changes', 'index_files'],
  ...['index_manifests', 'workers'],
];

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

function rowsOf(path: string) {
  const database = new DatabaseSync(path);
  onTestFinished(() => database.close());
  return (query: string) => database.prepare(query).all();
}

test('of a database that is whole, every table is saved as a whole', async () => {
  const { from, to } = await used();
  const { rows, incomplete } = await salvage(from, to);
  expect(incomplete).toEqual([]);
  expect(rows).toMatchObject({ conversations: 1, turns: 1, turn_memory: 2, content_pins: 1 });
});

test('which folders were added is saved, what was read of them is not', async () => {
  const { from, to, change } = await used();
  change(`
    INSERT INTO corpora (project) VALUES ('home');
    INSERT INTO roots (project, path, added_at) VALUES ('home', '/flat', '2026')`);
  expect((await salvage(from, to)).rows).toMatchObject({ roots: 1 });
  using saved = new DatabaseSync(to);
  expect(saved.prepare('SELECT path FROM roots').all()).toEqual([{ path: '/flat' }]);
  expect(saved.prepare('SELECT * FROM corpora').all()).toEqual([]);
});

test('what refers to a turn that was lost is left out, in every kind of table', async () => {
  const { from, to, change } = await used();
  change(`
    DELETE FROM turns WHERE id = 't';
    INSERT INTO turns (id, conversation_id, mode, origin, text, status, started_at)
      VALUES ('u', 'c', 'classic_tools', 'repl', 'x', 'answered', '2026');
    INSERT INTO turn_memory (turn_id, key, value) VALUES ('u', 'k', '3');
    INSERT INTO schedules (id, kind, expression, said, description, time_zone, task, payload, options, project,
      anchor_utc, tz_data, created_at)
      VALUES ('s', 'every', 'PT1H', '', '', 'UTC', 'AGENT_PROMPT', '{}', '{}', 'home', '2026', '', '2026');
    INSERT INTO runs (id, schedule_id, scheduled_for, reason, state)
      VALUES ('r', 's', '2026', 'time', 'due'), ('q', 'gone', '2026', 'time', 'due');`);
  await salvage(from, to);
  const saved = rowsOf(to);
  expect(saved('PRAGMA foreign_key_check')).toEqual([]);
  expect(saved('SELECT turn_id, value FROM turn_memory')).toEqual([{ turn_id: 'u', value: '3' }]);
  expect(saved('SELECT id FROM runs')).toEqual([{ id: 'r' }]);
  expect(saved('SELECT id FROM content_pins')).toHaveLength(1);
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

test('turns and messages whose conversation was lost get one again', async () => {
  const { from, to, change } = await used();
  change(`
    DELETE FROM conversations;
    INSERT INTO turns (id, conversation_id, mode, origin, text, status, started_at)
      VALUES ('u', 'c', 'classic_tools', 'repl', 'x', 'answered', '2025');
    INSERT INTO messages (conversation_id, sequence, role, content, token_count, created_at)
      VALUES ('d', 1, 'user', 'x', 1, '2023'), ('d', 2, 'user', 'y', 1, '2024'), ('c', 1, 'user', 'z', 1, '2022');
    INSERT INTO compaction_events (conversation_id, round, tokens_before, tokens_after, summary, created_at)
      VALUES ('c', 1, 1, 1, '', '2026'), ('e', 1, 1, 1, '', '2026');`);
  await salvage(from, to);
  const saved = rowsOf(to);
  const again = { project: 'home', title: '(salvaged)' };
  expect(saved('SELECT id, project, title, created_at, updated_at FROM conversations ORDER BY id')).toEqual([
    { id: 'c', ...again, created_at: '2025', updated_at: '2026' },
    { id: 'd', ...again, created_at: '2023', updated_at: '2024' },
  ]);
  expect(saved('SELECT conversation_id AS id FROM compaction_events')).toEqual([{ id: 'c' }]);
});

test('what is made anew from the documents of the folders is not taken along, nor are the workers', async () => {
  const { from, to, change } = await used();
  change(`
    INSERT INTO corpora (project) VALUES ('home');
    INSERT INTO roots VALUES ('home', '/r', '2026');
    INSERT INTO sources VALUES (1, 'home', '/r', 'a', 'a', 'md', NULL, 1, 1, 's', 'v', 'indexed', NULL, 1, '2026', NULL);
    INSERT INTO chunks (project, source_id, ordinal, text, text_sha, heading) VALUES ('home', 1, 0, 'x', 's', '');
    INSERT INTO vectors VALUES ('s', 'm', 1, x'00');
    INSERT INTO rag_checks VALUES ('home', 'q', 'a', NULL, NULL);
    INSERT INTO chunk_changes VALUES ('home', 1, 1, 0);
    INSERT INTO index_files VALUES ('home', 'n', 0, 0, x'00');
    INSERT INTO index_manifests VALUES ('home', 1, '{}');
    INSERT INTO workers VALUES ('w', 'host', '2026', '2026');`);
  const { rows } = await salvage(from, to);
  expect(Object.fromEntries(Object.entries(rows).filter(([, count]) => count > 0))).toEqual({ ...SAVED, roots: 1 });
  const saved = rowsOf(to);
  expect(REBUILT.filter((table) => table in rows || saved(`SELECT * FROM ${table}`).length > 0)).toEqual([]);
});

test('a database of an earlier or a later program is saved as far as this one knows it', async () => {
  const to = join(temporaryFolder(), 'saved.sqlite3');
  const older =
    'DROP TABLE content_pins; ALTER TABLE effects DROP COLUMN why; ALTER TABLE artifacts DROP COLUMN untrusted';
  const old = await salvage(sqliteOfSchema19(older, 12), to);
  expect([old.incomplete, old.rows]).toEqual([
    [],
    expect.objectContaining({ conversations: 1, turns: 2, messages: 1, turn_memory: 1, effects: 1, artifacts: 1 }),
  ]);
  expect(old.rows).not.toHaveProperty('content_pins');
  const { from, to: later, change } = await used();
  change("ALTER TABLE turns ADD COLUMN mood TEXT NOT NULL DEFAULT 'glad'; CREATE TABLE moods (x)");
  const { rows, incomplete } = await salvage(from, later);
  expect([incomplete, rows]).toEqual([[], expect.objectContaining({ turns: 1 })]);
  expect(rows).not.toHaveProperty('moods');
});

test.each([
  ['promises too many pages', 28, Buffer.alloc(4, 0xff)],
  ['promises too few pages', 28, Buffer.from([0, 0, 0, 2])],
  ['does not say when its pages were counted', 92, Buffer.alloc(4, 0xff)],
  ['has a page size that does not exist', 16, Buffer.from([0x12, 0x34])],
  ['has a page size that is too small', 16, Buffer.from([1, 0])],
  ['begins like another file', 0, Buffer.from('Sqlite')],
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

test.each([512, 8192, 65_536])('a database with pages of %i bytes is saved', async (bytes) => {
  const { from, to, change } = await used();
  change(`PRAGMA journal_mode = DELETE; PRAGMA page_size = ${bytes}; VACUUM`);
  expect(await salvage(from, to)).toEqual({ rows: expect.objectContaining(SAVED), incomplete: [] });
});

test.each([99, 100, 4000])('of the first %i bytes nothing can be read, and that is said', async (bytes) => {
  const { from, to } = await used();
  truncateSync(from, bytes);
  await expect(salvage(from, to)).rejects.toThrow(/not a database|malformed/u);
  expect(statSync(from).size).toBe(bytes);
});

test('a disk that is full ends it, rather than that rows are left out', async () => {
  const { from, to } = await used();
  const run = StatementSync.prototype.run;
  const full = Object.assign(new Error('database or disk is full'), { errcode: 13 });
  vi.spyOn(StatementSync.prototype, 'run').mockImplementation(function (this: StatementSync, ...values) {
    if (this.sourceSQL.startsWith('INSERT OR IGNORE INTO "turn_memory"')) throw full;
    return run.apply(this, values as never);
  });
  onTestFinished(() => void vi.restoreAllMocks());
  await expect(salvage(from, to)).rejects.toMatchObject({ code: 'home_not_writable', message: 'The disk is full.' });
});

test.skipIf(process.platform !== 'linux')('nothing is left open, nor beside the new database', async () => {
  const { from, to } = await used();
  const open = () => readdirSync('/proc/self/fd').length;
  const before = open();
  await salvage(from, to);
  expect([open(), readdirSync(join(to, '..')).toSorted()]).toEqual([before, ['locks', 'saved.sqlite3', 'w.sqlite3']]);
});
