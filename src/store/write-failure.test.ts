import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/home.ts';
import { writeFailure } from './write-failure.ts';

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
  expect(writeFailure('ENOSPC')).toBeUndefined();
});
