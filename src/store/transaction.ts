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
