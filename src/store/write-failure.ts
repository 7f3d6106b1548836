import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { AssistantError, messageOf } from '../base/errors.ts';

/** SQLite's primary result codes: https://www.sqlite.org/rescode.html */
const SQLITE = { readOnly: 8, io: 10, full: 13, cannotOpen: 14 } as const;
/** The shared memory of a database takes at least 32 KiB. */
const LEAST_ROOM_BYTES = 64 * 1024;
/** Disk full, or over quota; the last one is PostgreSQL's. */
const NO_ROOM = new Set(['ENOSPC', 'EDQUOT', '53100']);
/** The last one is PostgreSQL's: the server has become a replica. */
const NOT_WRITABLE = new Set(['EROFS', 'EACCES', 'EPERM', '25006']);

/**
 * Explain a write that the system or the database refused: disk full, or not writable.
 *
 * @returns undefined for any other error.
 */
export function writeFailure(error: unknown): AssistantError | undefined {
  if (!(error instanceof Error)) return undefined;
  if (isNoRoom(error)) return diskFull(error);
  const primary = sqliteCode(error);
  const { code } = error as NodeJS.ErrnoException;
  if (primary === SQLITE.io) {
    const hint =
      'Check whether the disk is full or failing: the system log says more. `wooster doctor` checks the rest.';
    return new AssistantError('home_not_writable', 'Reading from or writing to the disk failed.', {
      hint,
      cause: error,
    });
  }
  if (primary === SQLITE.readOnly || primary === SQLITE.cannotOpen || NOT_WRITABLE.has(code ?? '')) {
    const hint = 'Make the folder writable, or start with --home DIR (or WOOSTER_HOME) pointing to one that is.';
    return new AssistantError('home_not_writable', `Writing failed: ${messageOf(error)}.`, { hint, cause: error });
  }
  return undefined;
}

/** Whether the system or the database says that there is no room. */
export function isNoRoom(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return sqliteCode(error) === SQLITE.full || NO_ROOM.has(code);
}

/** The error for a full disk or an exhausted quota. */
export function diskFull(cause: unknown): AssistantError {
  const hint = 'Free some space and try again; everything up to now is kept.';
  return new AssistantError('home_not_writable', 'The disk is full.', { hint, cause });
}

/** SQLite reports a mere I/O error when there is no room for the file of its shared memory. */
export function isOutOfRoom(path: string, error: unknown): boolean {
  if (sqliteCode(error) !== SQLITE.io) return false;
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize < LEAST_ROOM_BYTES;
  } catch {
    return false;
  }
}

/** SQLite's primary result code of an error, if it is one of SQLite's. */
export function sqliteCode(error: unknown): number | undefined {
  const code = (error as { errcode?: unknown }).errcode;
  return typeof code === 'number' ? code & 0xff : undefined;
}
