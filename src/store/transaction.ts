import type { DatabaseSync } from 'node:sqlite';

/** Run `work` in one IMMEDIATE transaction. `work` must not await: the connection is shared. */
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
 * Commit without waiting for the disk. In WAL mode NORMAL syncs at checkpoints only; the next FULL commit brings
 * everything before it to the disk too, so what is lost in a power cut is always the newest.
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
