/** What lies beside a database: locks, copies under way, and whether it is still the file at its place. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../testing/home.ts';
import { openStore } from '../store.ts';
import { backupsOf, copyDatabase, copyNow, removeParts } from './copy.ts';
import { readForeign } from './foreign.ts';
import { fileLocks, memoryLocks } from './lock.ts';
import { patiently } from './patience.ts';

const busy = () => Object.assign(new Error('busy'), { errcode: 5 });
const rule = (id: string) => ({ id, tool: id, destination: 'd', created_at: '2026' });

async function open() {
  const path = join(temporaryFolder(), 'home/w.sqlite3');
  const store = await openStore(path);
  onTestFinished(() => store.close().catch(() => {}));
  return { path, store };
}

test.each([
  ['beside a file', () => fileLocks(join(temporaryFolder(), 'w.sqlite3'))],
  ['in memory', () => memoryLocks()],
])('a lock %s has one holder, and letting go twice frees nobody else’s', async (_where, make) => {
  const locks = make();
  const first = locks('a/b');
  expect([first?.lost.aborted, locks('a/b'), await first?.confirm()]).toEqual([false, undefined, undefined]);
  const other = locks('c');
  expect(other).toBeDefined();
  await first?.[Symbol.asyncDispose]();
  const second = locks('a/b');
  expect(second).toBeDefined();
  await first?.[Symbol.asyncDispose]();
  expect(locks('a/b')).toBeUndefined();
  await second?.[Symbol.asyncDispose]();
  await other?.[Symbol.asyncDispose]();
});

test.runIf(existsSync('/proc/self/fd'))('a lock that was asked for in vain keeps no file open', async () => {
  const dir = realpathSync(temporaryFolder());
  const locks = fileLocks(join(dir, 'w.sqlite3'));
  const open = () =>
    readdirSync('/proc/self/fd')
      .map((fd) => `/proc/self/fd/${fd}`)
      .filter((fd) => existsSync(fd) && readlinkSync(fd).startsWith(dir));
  const first = locks('a');
  expect([locks('a'), open()]).toEqual([undefined, expect.arrayContaining([expect.any(String)])]);
  await first?.[Symbol.asyncDispose]();
  expect(open()).toEqual([]);
});

test('a lock that is no database is an error, not a lock', () => {
  const dir = temporaryFolder();
  mkdirSync(join(dir, 'locks'));
  writeFileSync(join(dir, 'locks/a%2Fb.lock'), 'no database'.repeat(200));
  expect(() => fileLocks(join(dir, 'w.sqlite3'))('a/b')).toThrow('not a database');
});

test('what finds the database busy is done again, and other errors are thrown at once', async () => {
  let tries = 0;
  const act = () => {
    if (++tries < 4) throw busy();
    return 'done';
  };
  expect([await patiently(act), tries]).toEqual(['done', 4]);
  let others = 0;
  const failing = () => {
    others++;
    throw new Error('no');
  };
  await expect(patiently(failing)).rejects.toThrow('no');
  expect(others).toBe(1);
});

test('a copy is its owner’s alone and there only as a whole; one that failed leaves nothing', async () => {
  const dir = temporaryFolder();
  const [from, to] = [join(dir, 'w.sqlite3'), join(dir, 'backups/b.sqlite3')];
  const seen: unknown[] = [];
  await copyDatabase(from, to, (part) => {
    seen.push(part, statSync(part).mode & 0o777, existsSync(to));
    writeFileSync(part, 'copy');
  });
  expect(seen).toEqual([`${to}.part`, 0o600, false]);
  expect([readFileSync(to, 'utf8'), backupsOf(from)]).toEqual(['copy', join(dir, 'backups')]);
  const failing = copyDatabase(from, join(dir, 'backups/c.sqlite3'), () => Promise.reject(new Error('full')));
  await expect(failing).rejects.toThrow('full');
  const gone = copyDatabase(from, join(dir, 'backups/d.sqlite3'), (part) => {
    rmSync(part);
    throw new Error('gone');
  });
  await expect(gone).rejects.toThrow('gone');
  expect(readdirSync(join(dir, 'backups'))).toEqual(['b.sqlite3']);
  using database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE t (x); INSERT INTO t VALUES (7)');
  copyNow(database, join(dir, 'now.sqlite3'));
  expect(readForeign(join(dir, 'now.sqlite3'), 'SELECT x FROM t')).toEqual([{ x: 7 }]);
  expect(() => readForeign(join(dir, 'now.sqlite3'), 'SELECT x FROM u')).toThrow('no such table');
});

test('a foreign file is let go, also after a query that fails', () => {
  const dir = temporaryFolder();
  const path = join(dir, 'theirs.sqlite3');
  const database = new DatabaseSync(path);
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (x); INSERT INTO t VALUES (7)');
  database.close();
  expect(readForeign(path, 'SELECT x FROM t')).toEqual([{ x: 7 }]);
  expect(() => readForeign(path, 'SELECT x FROM u')).toThrow('no such table');
  // Who lets go last takes the log away.
  expect(readdirSync(dir)).toEqual(['theirs.sqlite3']);
});

test('what a copy that was cut off has left goes, unless one is being written', async () => {
  const dir = temporaryFolder();
  const database = join(dir, 'w.sqlite3');
  await removeParts(database);
  expect(readdirSync(dir)).toEqual([]);
  mkdirSync(join(dir, 'backups'));
  writeFileSync(join(dir, 'backups/whole.sqlite3'), '');
  await removeParts(database);
  expect(readdirSync(dir)).toEqual(['backups']);
  rmSync(join(dir, 'backups/whole.sqlite3'));
  for (const name of ['a.sqlite3', 'b.sqlite3.part', 'b.sqlite3.part-journal', 'notes.part'])
    writeFileSync(join(dir, 'backups', name), '');
  const copying = fileLocks(database)('copying');
  await removeParts(database);
  expect(readdirSync(join(dir, 'backups'))).toHaveLength(4);
  await copying?.[Symbol.asyncDispose]();
  await removeParts(database);
  expect(readdirSync(join(dir, 'backups')).toSorted()).toEqual(['a.sqlite3', 'notes.part']);
});

test('a home that was moved takes nothing more, says so, and what was in it is kept', async () => {
  const { path, store } = await open();
  await store.db.insertInto('approval_rules').values(rule('a')).execute();
  const moved = join(dirname(path), '../elsewhere');
  renameSync(dirname(path), moved);
  const attempt = store.transaction(
    async () => void (await store.db.insertInto('approval_rules').values(rule('b')).execute()),
  );
  const error = await attempt.catch((thrown: unknown) => thrown as Error & { code: string; hint: string });
  expect(error).toMatchObject({
    code: 'home_moved',
    message: expect.stringMatching(/w\.sqlite3 is no longer its database\. Nothing is saved any more\.$/u),
    hint: expect.stringMatching(
      /^End Wooster, .* is kept in .*wooster-kept-\w+\/wooster\.sqlite3; `wooster restore FILE`/u,
    ),
  });
  const kept = /kept in (\S+);/u.exec((error as { hint: string }).hint)?.[1] ?? '';
  onTestFinished(() => rmSync(dirname(kept), { recursive: true, force: true }));
  expect(readForeign(kept, 'SELECT id FROM approval_rules')).toEqual([{ id: 'a' }]);
  // The same error each time, for whatever would last; reading goes on.
  await expect(store.db.insertInto('approval_rules').values(rule('c')).execute()).rejects.toBe(error);
  await expect(store.lock('x')).rejects.toBe(error);
  expect(existsSync(dirname(path))).toBe(false);
  // Back in its place it still is not trusted: something may have been refused meanwhile.
  renameSync(moved, dirname(path));
  await expect(store.db.insertInto('approval_rules').values(rule('d')).execute()).rejects.toBe(error);
});

test('another file in its place, or in place of its log, is noticed as well', async () => {
  for (const end of ['', '-wal']) {
    const { path, store } = await open();
    await store.db.insertInto('approval_rules').values(rule('a')).execute();
    renameSync(path + end, `${path}.old${end}`);
    writeFileSync(path + end, '');
    const attempt = store.db.insertInto('approval_rules').values(rule('b')).execute();
    const error = await attempt.catch((thrown: unknown) => thrown as { code: string; hint: string });
    expect(error).toMatchObject({ code: 'home_moved' });
    const kept = /kept in (\S+);/u.exec((error as { hint: string }).hint)?.[1] ?? '';
    if (kept !== '') rmSync(dirname(kept), { recursive: true, force: true });
  }
});
