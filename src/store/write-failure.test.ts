import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/home.ts';
import { isNoRoom, isOutOfRoom, sqliteCode, writeFailure } from './write-failure.ts';

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

function fillDatabase(): void {
  const sql = new DatabaseSync(':memory:');
  sql.exec('PRAGMA max_page_count = 3; CREATE TABLE t (text TEXT)');
  sql.prepare('INSERT INTO t VALUES (?)').run('x'.repeat(100_000));
}

test.skipIf(process.platform !== 'linux')('a full disk is named, be it the system that says so', () => {
  const failure = writeFailure(thrownBy(() => writeFileSync('/dev/full', 'x')));
  expect(failure).toMatchObject({ code: 'home_not_writable', message: 'The disk is full.' });
});

test('a full database is a full disk', () => {
  expect(writeFailure(thrownBy(fillDatabase))).toMatchObject({ message: 'The disk is full.' });
});

test('a database that cannot be written is named with what SQLite says', () => {
  const sql = new DatabaseSync(':memory:');
  sql.exec('CREATE TABLE t (text TEXT); PRAGMA query_only = 1');
  const failure = writeFailure(thrownBy(() => sql.exec("INSERT INTO t VALUES ('x')")));
  expect(failure).toMatchObject({ code: 'home_not_writable', message: expect.stringContaining('readonly') });
  const folder = join(temporaryFolder(), 'folder');
  mkdirSync(folder);
  expect(writeFailure(thrownBy(() => new DatabaseSync(folder)))).toMatchObject({ code: 'home_not_writable' });
});

test('other errors are no failure to write', () => {
  expect(writeFailure(new Error('no space left on device'))).toBeUndefined();
  for (const thrown of ['ENOSPC', { code: 'ENOSPC' }, null, undefined]) expect(writeFailure(thrown)).toBeUndefined();
});

const coded = (fields: object) => Object.assign(new Error('no'), fields);

test.each([{ code: 'ENOSPC' }, { code: 'EDQUOT' }, { code: '53100' }, { errcode: 13 }])('%j: no room', (fields) => {
  expect(isNoRoom(coded(fields))).toBe(true);
  expect(writeFailure(coded(fields))).toMatchObject({
    ...{ code: 'home_not_writable', message: 'The disk is full.' },
    hint: 'Free some space and try again; everything up to now is kept.',
  });
});

test.each([
  ...[{ code: 'EROFS' }, { code: 'EACCES' }, { code: 'EPERM' }, { code: '25006' }],
  ...[{ errcode: 8 }, { errcode: 14 }, { errcode: 8 + 256 }],
])('%j: not writable', (fields) => {
  expect(writeFailure(coded(fields))).toMatchObject({
    ...{ code: 'home_not_writable', message: 'Writing failed: no.' },
    hint: 'Make the folder writable, or start with --home DIR (or WOOSTER_HOME) pointing to one that is.',
  });
});

test('a disk that fails is told from one that is full', () => {
  const failed = coded({ errcode: 10 });
  expect(writeFailure(failed)).toMatchObject({
    ...{ code: 'home_not_writable', message: 'Reading from or writing to the disk failed.' },
    hint: expect.stringContaining('wooster doctor'),
  });
  expect(writeFailure(coded({ errcode: 11 }))).toBeUndefined();
  // There is room here, so it is not that; and where nobody can look, it is not said to be.
  expect(isOutOfRoom(join(temporaryFolder(), 'w'), failed)).toBe(false);
  expect(isOutOfRoom('/none/at/all', failed)).toBe(false);
});

test.runIf(existsSync('/sys/kernel'))('where there is no room at all, an I/O error is a full disk', () => {
  // A file system without blocks of its own.
  expect(isOutOfRoom('/sys/kernel/w', coded({ errcode: 10 }))).toBe(true);
  expect(isOutOfRoom('/sys/kernel/w', coded({ errcode: 8 }))).toBe(false);
});

test('a code of SQLite is its primary one, and others have none', () => {
  expect([coded({ errcode: 522 }), coded({ errcode: 'x' }), coded({})].map(sqliteCode)).toEqual([
    10,
    undefined,
    undefined,
  ]);
});
