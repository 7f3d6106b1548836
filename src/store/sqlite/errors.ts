import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { AssistantError, messageOf } from '../../base/errors.ts';
import { diskFull, isNoRoom, isOutOfRoom, sqliteCode } from '../write-failure.ts';

/** SQLite's primary result codes: https://www.sqlite.org/rescode.html */
const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;
/** Somebody else wrote after this transaction began to read; waiting does not help. */
const SQLITE_BUSY_SNAPSHOT = 517;
const NOT_WRITABLE = new Set([3, 8, 10, 13, 14]);
/** A page that is not as it should be, and a file that is no database. */
const DAMAGED = new Set([11, 26]);

/** Whether another connection currently holds the lock that is needed. */
export function isBusy(error: unknown): boolean {
  return sqliteCode(error) === SQLITE_BUSY && (error as { errcode?: number }).errcode !== SQLITE_BUSY_SNAPSHOT;
}

/** Whether a transaction conflicted with another one. */
export function isConflict(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === SQLITE_BUSY || code === SQLITE_LOCKED;
}

/** Sort an error of opening a database by what the user can do about it. */
export function explain(path: string, error: unknown): unknown {
  if (error instanceof AssistantError) return error;
  if (isConflict(error)) {
    const hint = 'Close the other program, or start with another --home.';
    return new AssistantError('store_unavailable', `Another program holds the database ${path}.`, {
      hint,
      cause: error,
    });
  }
  if (isNoRoom(error) || isOutOfRoom(path, error)) return diskFull(error);
  const code = sqliteCode(error);
  if (code === undefined || NOT_WRITABLE.has(code)) {
    const hint = isOthers(path)
      ? 'It belongs to another user: start with --home DIR (or WOOSTER_HOME) pointing to a folder of your own.'
      : 'Make the folder writable, or start with --home DIR (or WOOSTER_HOME) pointing to one that is.';
    const message = `The database ${path} cannot be written: ${messageOf(error)}.`;
    return new AssistantError('home_not_writable', message, { hint, cause: error });
  }
  return damaged(path, messageOf(error), error);
}

/** Sort an error of a statement on a database that was opened: no room, or damage that only now comes to light. */
export function explainStatement(path: string | null, error: unknown): unknown {
  if (path === null) return error;
  if (isOutOfRoom(path, error)) return diskFull(error);
  return DAMAGED.has(sqliteCode(error) ?? 0) ? damaged(path, messageOf(error), error) : error;
}

/** The error for a database of which not all can be read, with the ways out. */
export function damaged(path: string, why: string, cause?: unknown): AssistantError {
  const hint =
    '`wooster restore FILE` puts it aside and brings a backup in; `wooster restore --salvage` saves what can be read.';
  return new AssistantError('store_damaged', `The database ${path} cannot be used: ${why}.`, { hint, cause });
}

/** Root may write everything, and on Windows the owner is unknown. */
function isOthers(path: string): boolean {
  const user = process.getuid?.() ?? 0;
  for (let at = path; user !== 0 && at !== dirname(at); at = dirname(at)) {
    try {
      return statSync(at).uid !== user;
    } catch {
      // Missing or unreadable: look at the parent folder.
    }
  }
  return false;
}
