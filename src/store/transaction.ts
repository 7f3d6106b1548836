import type { DatabaseSync } from 'node:sqlite';

/**
 * Run `work` in one IMMEDIATE transaction, which takes the write lock at once instead of failing in the middle.
 *
 * `work` must not await: the connection is shared, so other code would write into this transaction.
 */
export function inTransaction<T>(sql: DatabaseSync, work: () => T): T {
  sql.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    sql.exec('COMMIT');
    return result;
  } catch (error) {
    if (sql.isTransaction) sql.exec('ROLLBACK');
    throw error;
  }
}

/**
 * Commit without waiting for the disk, for what may be lost in a power cut.
 *
 * In WAL mode, NORMAL syncs at checkpoints only. The next FULL commit writes everything before it to disk as well, so
 * only the newest changes can be lost, never older ones.
 *
 * @see https://www.sqlite.org/pragma.html#pragma_synchronous
 */
export function withoutSync<T>(sql: DatabaseSync, work: () => T): T {
  if (sql.isTransaction) return work();
  sql.exec('PRAGMA synchronous = NORMAL');
  try {
    return work();
  } finally {
    sql.exec('PRAGMA synchronous = FULL');
  }
}
