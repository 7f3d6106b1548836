import { AssistantError, messageOf } from '../base/errors.ts';

/** SQLite's primary result codes: https://www.sqlite.org/rescode.html */
const SQLITE = { readOnly: 8, full: 13, cannotOpen: 14 } as const;
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
  const primary = sqliteCode(error);
  const { code } = error as NodeJS.ErrnoException;
  if (primary === SQLITE.full || NO_ROOM.has(code ?? '')) {
    const hint = 'Free some space and try again; everything up to now is kept.';
    return new AssistantError('home_not_writable', 'The disk is full.', { hint, cause: error });
  }
  if (primary === SQLITE.readOnly || primary === SQLITE.cannotOpen || NOT_WRITABLE.has(code ?? '')) {
    const hint = 'Make the folder writable, or start with --home DIR (or WOOSTER_HOME) pointing to one that is.';
    return new AssistantError('home_not_writable', `Writing failed: ${messageOf(error)}.`, { hint, cause: error });
  }
  return undefined;
}

/** SQLite's primary result code of an error, if it is one of SQLite's. */
export function sqliteCode(error: unknown): number | undefined {
  const code = (error as { errcode?: unknown }).errcode;
  return typeof code === 'number' ? code & 0xff : undefined;
}
