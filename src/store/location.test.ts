import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { isSamePlace, placeOf, readLocation } from './location.ts';

test('a place is shown without user and password', () => {
  const location = readLocation('postgres://anna:secret@db.example.org:5432/wooster?sslmode=require', 'anna');
  expect(placeOf(location)).toBe('PostgreSQL db.example.org:5432/wooster, home anna');
  expect(isSamePlace(location, readLocation('postgresql://bert:x@db.example.org:5432/wooster', 'anna'))).toBe(true);
  expect(isSamePlace(location, readLocation('postgres://db.example.org:5432/wooster', 'bert'))).toBe(false);
});

test('a file is a place of its own, and no server', () => {
  const file = readLocation('state/x.sqlite3', 'anna');
  expect(placeOf(file)).toBe(resolve('state/x.sqlite3'));
  expect(isSamePlace(file, readLocation('./state/x.sqlite3', 'bert'))).toBe(true);
  expect(isSamePlace(file, readLocation('state/y.sqlite3', 'anna'))).toBe(false);
  expect(isSamePlace(file, readLocation('postgres://db/w', 'anna'))).toBe(false);
  expect(isSamePlace(readLocation('postgres://db/w', 'anna'), file)).toBe(false);
  expect(isSamePlace(readLocation('postgres://db/w', 'a'), readLocation('postgres://db/v', 'a'))).toBe(false);
  expect(placeOf(readLocation('POSTGRES://db/w', 'a'))).toBe('PostgreSQL db/w, home a');
});

test.each(['postgres://anna@db/w', 'postgresql://db/w', 'Postgres://db/w'])('%s is on a server', (url) => {
  expect(readLocation(url, 'anna')).toEqual({ kind: 'postgres', url, home: 'anna', pool: 4 });
});

test.each([
  ...['state/x.sqlite3', '/srv/x.sqlite3', 'x', '', 'postgres', 'postgres:/db'],
  // What looks like a URL further on, has a space in its scheme, or one letter as on Windows.
  ...['old/postgres://db', 'old/mysql://db', 'my sql://db', 'c://state/x.sqlite3'],
])('"%s" is the path of a file', (path) => {
  expect(readLocation(path, 'anna')).toEqual({ kind: 'sqlite', path: resolve(path) });
});

test.each(['mysql://db/x', 'HTTPS://db/x', 'sqlite+s3.v-2://db/x', 'postgresq://db/w'])('%s is refused', (url) => {
  expect(() => readLocation(url, 'anna')).toThrow(
    expect.objectContaining({
      code: 'bad_usage',
      message: 'A store is the path of an SQLite file or a postgres:// URL.',
      hint: 'For example: wooster store copy state/wooster.sqlite3 postgres://user@host/wooster',
    }),
  );
});
