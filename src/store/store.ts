import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { AssistantError, messageOf } from '../base/errors.ts';
import { makeFolder } from '../base/folders.ts';
import { nodeSqliteDialect } from './dialect.ts';
import { migrate } from './migrations.ts';
import type { Database } from './schema.ts';
import { inTransaction, withoutSync } from './transaction.ts';
import { sqliteCode } from './write-failure.ts';

/**
 * The database of one home, shared by all modules; each module owns its tables and is asked about them by others.
 *
 * `sql` is for hot paths and pragmas, `db` for everything else. Both are the same connection.
 */
export interface Store {
  /** Absolute path, or `:memory:`. */
  readonly path: string;
  readonly db: Kysely<Database>;
  readonly sql: DatabaseSync;
  /** Run `work` in one IMMEDIATE transaction. `work` must not await: the connection is shared. */
  transaction<T>(work: () => T): T;
  /**
   * Run `work` without waiting for the disk: what it commits survives a crash of the program, but not always a power
   * cut.
   */
  relaxed<T>(work: () => T): T;
  close(): void;
}

/** How long a statement waits for another program's transaction. */
const BUSY_TIMEOUT_MS = 5000;

/**
 * Open or create the database at `path` (`:memory:` for tests) and bring it to the newest version.
 *
 * @throws AssistantError `home_not_writable` when the folder or file cannot be written,
 *   `store_unavailable` when another program holds it, `store_damaged` when it is not a usable database.
 */
export function openStore(path: string): Store {
  const sql = open(path);
  return {
    path,
    sql,
    db: new Kysely<Database>({ dialect: nodeSqliteDialect(sql) }),
    transaction: (work) => inTransaction(sql, work),
    relaxed: (work) => withoutSync(sql, work),
    close: () => sql.close(),
  };
}

function open(path: string): DatabaseSync {
  let sql: DatabaseSync | undefined;
  try {
    if (path !== ':memory:') makeFolder(dirname(path));
    sql = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true });
    sql.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    migrate(sql);
    // Reading works even on a locked or read-only database, so try to write now rather than fail with the first note.
    sql.exec('BEGIN IMMEDIATE; ROLLBACK');
    return sql;
  } catch (error) {
    sql?.close();
    throw explain(path, error);
  }
}

/** SQLite's primary result codes: https://www.sqlite.org/rescode.html */
const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;
const NOT_WRITABLE = new Set([3, 8, 10, 13, 14]);

/** Sort an error of SQLite by what the user can do about it. */
function explain(path: string, error: unknown): unknown {
  if (error instanceof AssistantError) return error;
  const code = sqliteCode(error);
  if (code === SQLITE_BUSY || code === SQLITE_LOCKED) {
    const hint = 'Close the other program, or start with another --home.';
    return new AssistantError('store_unavailable', `Another program holds the database ${path}.`, {
      hint,
      cause: error,
    });
  }
  if (code === undefined || NOT_WRITABLE.has(code)) {
    const hint = 'Make the folder writable, or start with --home DIR (or WOOSTER_HOME) pointing to one that is.';
    const message = `The database ${path} cannot be written: ${messageOf(error)}.`;
    return new AssistantError('home_not_writable', message, { hint, cause: error });
  }
  const hint = 'Move the file away to start afresh; `wooster restore FILE` then brings a backup in.';
  return new AssistantError('store_damaged', `The database ${path} cannot be used: ${messageOf(error)}.`, {
    hint,
    cause: error,
  });
}
