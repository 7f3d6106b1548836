import { chmodSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { AssistantError, messageOf } from '../base/errors.ts';
import type { Store } from './store.ts';

/** What a backup contains, in terms that a user recognises. */
export interface BackupFacts {
  readonly path: string;
  readonly conversations: number;
  readonly schedules: number;
  /** Version of the tables; an older backup is migrated at the next start. */
  readonly version: number;
}

/** Where a backup goes by default: `state/backups/2026-11-20T12-00-00.sqlite3`, with the time in UTC. */
export function backupPath(store: Store, now: Date, prefix = ''): string {
  const stamp = now.toISOString().slice(0, 19).replaceAll(':', '-');
  return join(dirname(store.path), 'backups', `${prefix}${stamp}.sqlite3`);
}

/**
 * Write the whole database to a new file that only its owner can read, and check it. Other programs can go on writing
 * meanwhile.
 *
 * @throws AssistantError `path_refused` when the file exists, `home_not_writable` when it cannot be written.
 */
export function backUp(store: Store, path: string): BackupFacts {
  if (existsSync(path)) {
    throw new AssistantError('path_refused', `${path} exists already.`, { hint: 'Choose a file that does not exist.' });
  }
  const part = `${path}.part`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    rmSync(part, { force: true });
    store.sql.prepare('VACUUM INTO ?').run(part);
    chmodSync(part, 0o600);
  } catch (error) {
    const hint = 'Choose a file in a folder that is writable.';
    throw new AssistantError('home_not_writable', `The backup cannot be written: ${messageOf(error)}.`, {
      hint,
      cause: error,
    });
  }
  const facts = verifyBackup(part);
  renameSync(part, path);
  return { ...facts, path };
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

/** SQLite's quick integrity check of the open database: `ok`, or the first problem it finds. */
export function quickCheck(store: Store): string {
  return String(firstValue(store.sql, 'PRAGMA quick_check(1)'));
}

/**
 * Replace the database by a backup, in one SQLite transaction. The present state is backed up first.
 *
 * @returns the path of that backup.
 * @throws AssistantError `file_not_found`, `store_damaged`, or `store_unavailable` when another program is using the
 *   database.
 */
export async function restoreBackup(store: Store, path: string, now: Date): Promise<string> {
  const { version } = verifyBackup(path);
  if (version > Number(firstValue(store.sql, 'PRAGMA user_version'))) {
    const hint = 'Update Wooster first.';
    throw new AssistantError('store_damaged', `${path} was made by a newer version.`, { hint });
  }
  const before = backUp(store, backupPath(store, now, 'before-restore-')).path;
  try {
    using source = new DatabaseSync(path, { readOnly: true });
    await backup(source, store.path);
  } catch (error) {
    const hint = 'Close every other Wooster on this home and try again.';
    const message = `The database could not be replaced: ${messageOf(error)}.`;
    throw new AssistantError('store_unavailable', message, { hint, cause: error });
  }
  return before;
}

function firstValue(sql: DatabaseSync, query: string): unknown {
  return Object.values(sql.prepare(query).get() ?? {})[0];
}
