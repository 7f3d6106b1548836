import { resolve } from 'node:path';
import { AssistantError } from '../base/errors.ts';
import type { StoreLocation } from './contract.ts';

/**
 * A store as named on the command line: the URL of a database on a server, or the path of an SQLite file.
 *
 * @param home whose rows on the server.
 * @throws AssistantError `bad_usage` for any other URL.
 */
export function readLocation(text: string, home: string): StoreLocation {
  if (/^postgres(?:ql)?:\/\//iu.test(text)) return { kind: 'postgres', url: text, home, pool: 4 };
  if (!/^[a-z][a-z\d+.-]+:\/\//iu.test(text)) return { kind: 'sqlite', path: resolve(text) };
  throw new AssistantError('bad_usage', 'A store is the path of an SQLite file or a postgres:// URL.', {
    hint: 'For example: wooster store copy state/wooster.sqlite3 postgres://user@host/wooster',
  });
}

/** The file, or the server, database and home, without user and password. */
export function placeOf(location: StoreLocation): string {
  if (location.kind === 'sqlite') return location.path;
  return `PostgreSQL ${databaseOf(location.url)}, home ${location.home}`;
}

/** Whether both names mean the same rows, as far as names can tell. */
export function isSamePlace(a: StoreLocation, b: StoreLocation): boolean {
  return placeOf(a) === placeOf(b);
}

function databaseOf(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  return `${hostname}${port === '' ? '' : `:${port}`}${pathname}`;
}
