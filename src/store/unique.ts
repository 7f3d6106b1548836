/** SQLite's extended result codes for a unique index, a key and a row's number: https://www.sqlite.org/rescode.html */
const SQLITE_UNIQUE: ReadonlySet<unknown> = new Set([2067, 1555, 2579]);
/** https://www.postgresql.org/docs/17/errcodes-appendix.html */
const POSTGRES_UNIQUE = '23505';

/**
 * Whether a write violated a unique index.
 *
 * On PostgreSQL such an error ends the transaction, so catch it around `store.transaction`, never within.
 */
export function isTaken(error: unknown): boolean {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown };
  return code === POSTGRES_UNIQUE || SQLITE_UNIQUE.has(errcode);
}
