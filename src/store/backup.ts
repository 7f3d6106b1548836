import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { AssistantError, messageOf } from '../base/errors.ts';
import type { Store } from './contract.ts';
import { backupsOf, copyDatabase } from './sqlite/copy.ts';
import { damaged } from './sqlite/errors.ts';
import { mustKeep } from './unkept.ts';
import { diskFull, isNoRoom } from './write-failure.ts';

/** What a backup contains, in the terms of the user. */
export interface BackupFacts {
  readonly path: string;
  readonly conversations: number;
  readonly schedules: number;
  /** Version of the tables; a backup of an older one is upgraded at the next start. */
  readonly version: number;
}

/**
 * Where a backup goes by default: `state/backups/2026-11-20T12-00-00.sqlite3`, with the time in UTC and, for another of
 * the same second, a number.
 */
export function backupPath(store: Store, now: Date, prefix = ''): string {
  const stamp = now.toISOString().slice(0, 19).replaceAll(':', '-');
  const path = (number: number) =>
    join(backupsOf(fileOf(store)), `${prefix}${stamp}${number === 1 ? '' : `-${number}`}.sqlite3`);
  let number = 1;
  while (existsSync(path(number))) number++;
  return path(number);
}

/**
 * Write the whole database to a new file that only its owner can read, and check it. Other programs can go on writing
 * meanwhile.
 *
 * @throws AssistantError `path_refused` when the file exists, `home_not_writable` when it cannot be written.
 */
export async function backUp(store: Store, path: string): Promise<BackupFacts> {
  mustKeep(store);
  const from = fileOf(store);
  if (existsSync(path)) {
    throw new AssistantError('path_refused', `${path} exists already.`, { hint: 'Choose a file that does not exist.' });
  }
  try {
    await copyDatabase(from, path, (part) => sql`vacuum into ${part}`.execute(store.db));
  } catch (error) {
    if (isNoRoom(error)) throw diskFull(error);
    const hint = 'Choose a file in a folder that is writable.';
    throw new AssistantError('home_not_writable', `The backup cannot be written: ${messageOf(error)}.`, {
      hint,
      cause: error,
    });
  }
  return verifyBackup(path);
}

/**
 * The file of a database that has one.
 *
 * @throws AssistantError `bad_usage` for a database on a server.
 */
export function fileOf({ location }: Store): string {
  if (location.kind === 'sqlite') return location.path;
  const hint = 'Use pg_dump and pg_restore: see docs/several-machines.md.';
  throw new AssistantError('bad_usage', 'A database on a server is not backed up from here.', { hint });
}

/**
 * Read a whole backup and check its integrity.
 *
 * @throws AssistantError `file_not_found`, `store_damaged`.
 */
export function verifyBackup(path: string): BackupFacts {
  if (!existsSync(path)) {
    throw new AssistantError('file_not_found', `There is no file ${path}.`, {
      hint: 'Backups are in state/backups/ of the home.',
    });
  }
  try {
    using source = new DatabaseSync(path, { readOnly: true });
    const verdict = firstValue(source, 'PRAGMA integrity_check(1)');
    if (verdict !== 'ok') throw new Error(String(verdict));
    return {
      path,
      conversations: Number(firstValue(source, 'SELECT count(*) FROM conversations')),
      schedules: Number(firstValue(source, 'SELECT count(*) FROM schedules')),
      version: Number(firstValue(source, 'PRAGMA user_version')),
    };
  } catch (error) {
    const hint = 'Use another backup.';
    throw new AssistantError('store_damaged', `${path} is not an intact backup: ${messageOf(error)}.`, {
      hint,
      cause: error,
    });
  }
}

/** SQLite's quick integrity check of the open database: `ok`, or the first problem it finds. A server checks itself. */
export async function quickCheck(store: Store): Promise<string> {
  if (store.kind !== 'sqlite') return 'ok';
  try {
    return String(await pragma(store, 'quick_check(1)'));
  } catch (error) {
    return messageOf(error);
  }
}

/** The error for a database that is not intact; undefined for one that is. Reads all of it. */
export async function damageOf(store: Store): Promise<AssistantError | undefined> {
  if (store.location.kind !== 'sqlite' || store.unkept) return store.unkept?.why;
  const found = await quickCheck(store);
  return found === 'ok' ? undefined : damaged(store.location.path, found);
}

/** What SQLite answers to a pragma. */
export async function pragma(store: Store, name: string): Promise<unknown> {
  const { rows } = await sql<Record<string, unknown>>`pragma ${sql.raw(name)}`.execute(store.db);
  return Object.values(rows[0] ?? {})[0];
}

function firstValue(sql: DatabaseSync, query: string): unknown {
  return Object.values(sql.prepare(query).get() ?? {})[0];
}
