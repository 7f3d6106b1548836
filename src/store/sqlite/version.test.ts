import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { NEWEST } from '../migrations.ts';
import { readVersion, writeVersion } from './version.ts';

const OURS = 0x574f4f53;

/** An empty database, or one with a table, as SQLite's pragmas say whose and of which version it is. */
function database(owner: number, version: number, tables = ''): DatabaseSync {
  const made = new DatabaseSync(':memory:');
  made.exec(`PRAGMA application_id = ${owner}; PRAGMA user_version = ${version}; ${tables}`);
  return made;
}

test.each([
  [0, 0, '', 0],
  [OURS, 0, '', 0],
  [OURS, 0, 'CREATE TABLE theirs (x)', 0],
  [OURS, NEWEST, 'CREATE TABLE ours (x)', NEWEST],
])('a database of owner %i, version %i, %j can be used', (owner, version, tables, known) => {
  expect(readVersion(database(owner, version, tables))).toBe(known);
});

test.each([
  [0, 0, 'CREATE TABLE theirs (x)'],
  [0, 1, ''],
  [7, 0, ''],
  [7, 1, ''],
  [7, 0, 'CREATE TABLE theirs (x)'],
])('a database of owner %i, version %i, %j is another program’s', (owner, version, tables) => {
  expect(refusalOf(database(owner, version, tables))).toEqual({
    code: 'store_damaged',
    message: 'The database cannot be used: it belongs to another program.',
    hint: 'Start with another --home; or `wooster restore FILE` puts it aside and brings a backup in.',
  });
});

test('a database of a newer version is refused, and both versions are told', () => {
  expect(refusalOf(database(OURS, NEWEST + 1))).toEqual({
    code: 'store_damaged',
    message: `The database was made by a newer version (${NEWEST + 1} > ${NEWEST}).`,
    hint: 'Update Wooster.',
  });
});

test('what is marked as ours is read as ours', () => {
  const made = database(0, 0);
  writeVersion(made, NEWEST);
  expect([readVersion(made), made.prepare('PRAGMA application_id').get()]).toEqual([NEWEST, { application_id: OURS }]);
});

function refusalOf(database: DatabaseSync): unknown {
  try {
    return readVersion(database);
  } catch (error) {
    const { code, message, hint } = error as Error & Record<'code' | 'hint', string>;
    return { code, message, hint };
  }
}
