import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lastingFolder, temporaryFolder } from './testing/home.ts';
import { childEnvironment, ownJobs, rows, wooster } from './testing/wooster.ts';

const CONVERSATIONS = 400;
const PAGE = 4096;
const model = lastingFolder();
const backup = join(model.dir, 'backup.sqlite3');
const at = (home: string) => join(home, 'state', 'wooster.sqlite3');
const run = (home: string, ...words: string[]) => wooster(words, { home, store: 'sqlite' });

/** A home that has been used: a note, a job, many conversations; and a backup of it. */
beforeAll(async () => {
  await run(model.dir, 'ask', 'note that the roses are red');
  await run(model.dir, 'schedule', 'add', '--when', 'every day at 9', '--prompt', 'tides', '--yes');
  using database = new DatabaseSync(at(model.dir));
  const insert = database.prepare(
    "INSERT INTO conversations (id, project, title, created_at, updated_at) VALUES (?, 'home', ?, '2026', '2026')",
  );
  database.exec('BEGIN');
  for (let n = 0; n < CONVERSATIONS; n++) insert.run(`conv_${String(n).padStart(4, '0')}`, 'x'.repeat(100));
  database.exec('COMMIT');
  await run(model.dir, 'backup', backup);
}, 60_000);
afterAll(() => model.remove());

/** A copy of that home. */
function used(): string {
  const home = temporaryFolder();
  cpSync(model.dir, home, { recursive: true });
  return home;
}

/** Overwrite pages, from 0, with nonsense. */
function scribble(path: string, pages: readonly number[]): void {
  const file = openSync(path, 'r+');
  for (const page of pages) writeSync(file, Buffer.alloc(PAGE, 0xa5), 0, PAGE, page * PAGE);
  closeSync(file);
}

/** Pages in the middle of the table of conversations. */
function conversationPages(path: string): number[] {
  using database = new DatabaseSync(path, { readOnly: true });
  const pages = database.prepare(
    "SELECT pageno - 1 AS page FROM dbstat WHERE name = 'conversations' AND pagetype = 'leaf'",
  );
  return pages
    .all()
    .map(({ page }) => Number(page))
    .slice(3, 6);
}

describe.each([
  ['pages in the middle', (path: string) => scribble(path, conversationPages(path))],
  ['the first page', (path: string) => scribble(path, [0])],
  ['half of the file', (path: string) => truncateSync(path, Math.floor(statSync(path).size / 2 / PAGE) * PAGE)],
  ['all of it, so that it has 0 bytes', (path: string) => writeFileSync(path, '')],
])('a database that lost %s', (_, damage) => {
  test('is diagnosed, put aside and restored', async () => {
    const home = used();
    damage(at(home));
    const damaged = readFileSync(at(home));
    const doctor = await run(home, 'doctor', '--json');
    const found = rows(doctor.stdout).find(({ name }) => name === 'database');
    expect(found).toMatchObject({ state: 'fail', hint: expect.stringContaining('restore') });
    const restored = await run(home, 'restore', backup, '--json');
    expect([restored.code, restored.stderr]).toEqual([0, '']);
    const [{ before = '' } = {}] = rows(restored.stdout);
    expect(readFileSync(String(before)).subarray(0, 100)).toEqual(damaged.subarray(0, 100));
    expect(rows((await run(home, 'sessions', '--limit', '1000', '--json')).stdout)).toHaveLength(CONVERSATIONS + 1);
  });
});

test('the numbers of a database that cannot be opened are an error, not those of its stand-in', async () => {
  const home = used();
  scribble(at(home), [0]);
  const status = await run(home, 'status', '--json');
  expect([status.code, rows(status.stdout).at(-1)]).toMatchObject([1, { code: 'store_damaged' }]);
});

test('what can be read of a damaged database is saved', async () => {
  const home = used();
  scribble(at(home), conversationPages(at(home)));
  const saved = await run(home, 'restore', '--salvage');
  expect([saved.code, saved.stderr]).toEqual([0, '']);
  expect(saved.stdout).toMatch(/^Saved \d+ conversations, \d+ messages, \d+ scheduled job/u);
  expect(saved.stdout).toContain('Not all rows could be read of: conversations.');
  const listed = rows((await run(home, 'sessions', '--limit', '1000', '--json')).stdout);
  expect(listed.length).toBeGreaterThan(CONVERSATIONS * 0.6);
  expect(listed.length).toBeLessThan(CONVERSATIONS + 1);
  // From before and after the lost part.
  expect(listed.map(({ id }) => id)).toEqual(expect.arrayContaining(['conv_0000', `conv_0${CONVERSATIONS - 1}`]));
  expect(ownJobs((await run(home, 'schedule', 'list', '--json')).stdout)).toHaveLength(1);
  expect((await run(home, 'ask', 'what did I note?')).stdout).toContain('roses are red');
  expect((await run(home, 'doctor', '--json')).stdout).toContain('"name":"database","state":"ok"');
  expect(readdirSync(join(home, 'state')).filter((name) => name.includes('salvaged'))).toEqual([]);
});

test.each([
  [
    'another program’s database',
    (path: string) => {
      rmSync(path);
      using database = new DatabaseSync(path);
      database.exec('CREATE TABLE bookmarks (url TEXT)');
    },
    'belongs to another program',
  ],
  [
    'a newer version’s database',
    (path: string) => {
      using database = new DatabaseSync(path);
      database.exec('PRAGMA user_version = 999');
    },
    'newer version',
  ],
])('%s is left alone', async (_, change, named) => {
  const home = used();
  change(at(home));
  const before = readFileSync(at(home));
  const ran = await run(home, 'ask', '2+2');
  expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining(named)]);
  expect((await run(home, 'doctor')).stdout).toContain(named);
  expect(readFileSync(at(home)).equals(before)).toBe(true);
});

test('of a log that was cut off, what was whole is there', async () => {
  const [from, home] = [used(), temporaryFolder()];
  using database = new DatabaseSync(at(from));
  database.exec('PRAGMA wal_autocheckpoint = 0');
  for (let n = 0; n < 20; n++)
    database.exec(
      `INSERT INTO conversations (id, project, created_at, updated_at) VALUES ('late_${n}', 'home', '2026', '2026')`,
    );
  mkdirSync(join(home, 'state'));
  for (const part of ['', '-wal']) copyFileSync(at(from) + part, at(home) + part);
  truncateSync(`${at(home)}-wal`, Math.floor(statSync(`${at(home)}-wal`).size / 2));
  const ran = await run(home, 'sessions', '--limit', '1000', '--json');
  expect(ran.code).toBe(0);
  const ids = rows(ran.stdout).map(({ id }) => String(id));
  expect(ids.filter((id) => id.startsWith('conv_')).length).toBe(CONVERSATIONS + 1);
  expect(ids).toContain('late_0');
  expect(ids).not.toContain('late_19');
});

test.skipIf(process.getuid?.() !== 0)('a home of another user is refused, and says whose it is not', () => {
  const home = used();
  chmodSync(home, 0o700);
  const program = resolve(import.meta.dirname, 'main.ts');
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'ask', '2+2'], {
    ...{ cwd: '/', uid: 65534, gid: 65534, encoding: 'utf8', env: childEnvironment({ home, store: 'sqlite' }) },
  });
  expect([status, stdout, stderr]).toEqual([1, '', expect.stringContaining('another user')]);
});
