import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { Mutex } from '../mutex.ts';
import { explainStatement } from './errors.ts';
import { patiently } from './patience.ts';

/** How far a commit reaches: see `safety` in store.ts. */
export type Safety = 'FULL' | 'NORMAL';

export interface ConnectionOptions {
  readonly readOnly?: boolean | undefined;
  /** How the connection is opened. */
  readonly safety?: Safety;
  /** Called when someone wants the connection; throws to refuse it. */
  readonly beforeUse?: () => void;
  /** Called before each statement; throws to refuse it. */
  readonly beforeStatement?: ((sql: string) => void) | undefined;
  /** Called before a change is committed; rolls back and throws to refuse it. */
  readonly beforeChange?: (() => void) | undefined;
}

/** Whether a statement certainly changes nothing. */
function isRead(sql: string): boolean {
  return /^\s*select\b/iu.test(sql);
}

/** Whether a statement changes rows: outside a transaction, it commits when it ends. */
function isChange(sql: string): boolean {
  return /^\s*(?:insert|update|delete|with)\b/iu.test(sql);
}

/**
 * Kysely on one connection of Node's built-in SQLite, for one user at a time.
 *
 * Kysely's own dialect prepares each statement again, and its transactions fail when they read and then write after
 * somebody else: https://www.sqlite.org/isolation.html
 */
export function sqliteDialect(
  database: DatabaseSync,
  options: ConnectionOptions = {},
  connection = new SqliteConnection(database, options),
): Dialect {
  return {
    createDriver: () => new SqliteDriver(database, connection, options),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new Adapter(),
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
  };
}

class Adapter extends SqliteAdapter {
  /** Otherwise Kysely makes callers wait before the driver can refuse them. The driver admits one at a time. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

class SqliteDriver implements Driver {
  readonly #database: DatabaseSync;
  readonly #connection: SqliteConnection;
  readonly #options: ConnectionOptions;
  readonly #users = new Mutex();

  constructor(database: DatabaseSync, connection: SqliteConnection, options: ConnectionOptions) {
    this.#database = database;
    this.#options = options;
    this.#connection = connection;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    this.#options.beforeUse?.();
    await this.#users.lock();
    this.#connection.reach(this.#options.safety ?? 'FULL');
    return this.#connection;
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(this.#options.readOnly ? 'begin' : 'begin immediate'));
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    this.#options.beforeChange?.();
    await connection.executeQuery(CompiledQuery.raw('commit'));
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // Some errors, such as a full disk, have ended the transaction already.
    if (this.#database.isTransaction) await connection.executeQuery(CompiledQuery.raw('rollback'));
  }

  async releaseConnection(): Promise<void> {
    this.#users.unlock();
  }

  /** Queues behind those who are waiting for the connection. */
  async destroy(): Promise<void> {
    await this.#users.run(async () => this.#database.close());
  }
}

/** Statements that are kept prepared. */
const KEPT_STATEMENTS = 256;

export class SqliteConnection implements DatabaseConnection {
  readonly #database: DatabaseSync;
  readonly #options: ConnectionOptions;
  /** How durable commits are to be, and how durable they are now. */
  #wanted: Safety;
  #safety: Safety;
  /** By text, the least recently used first. SQLite prepares them again by itself when the tables have changed. */
  readonly #statements = new Map<string, { readonly statement: StatementSync; readonly reads: boolean }>();

  constructor(database: DatabaseSync, options: ConnectionOptions) {
    this.#database = database;
    this.#options = options;
    this.#wanted = this.#safety = options.safety ?? 'FULL';
  }

  /** How durable the commits of the connection's current user are to be. */
  reach(safety: Safety): void {
    this.#wanted = safety;
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#safety !== this.#wanted && !isRead(sql)) this.#set(this.#wanted);
    this.#options.beforeStatement?.(sql);
    if (!this.#database.isTransaction && isChange(sql)) this.#options.beforeChange?.();
    try {
      return await patiently(() => this.#run<R>(sql, parameters as readonly SQLInputValue[]));
    } catch (error) {
      throw explainStatement(this.#database.location(), error);
    }
  }

  /** Only before a write, since relaxed transactions often follow each other, and only outside transactions. */
  #set(safety: Safety): void {
    if (this.#database.isTransaction) return;
    const sql = `PRAGMA synchronous = ${safety}`;
    this.#options.beforeStatement?.(sql);
    this.#database.exec(sql);
    this.#safety = safety;
  }

  #run<R>(sql: string, parameters: readonly SQLInputValue[]): QueryResult<R> {
    const { statement, reads } = this.#prepared(sql);
    if (reads) return { rows: statement.all(...parameters) as R[] };
    const { changes, lastInsertRowid } = statement.run(...parameters);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  #prepared(sql: string): { readonly statement: StatementSync; readonly reads: boolean } {
    let prepared = this.#statements.get(sql);
    if (prepared) this.#statements.delete(sql);
    else {
      const statement = this.#database.prepare(sql);
      prepared = { statement, reads: statement.columns().length > 0 };
    }
    this.#statements.set(sql, prepared);
    const [oldest] = this.#statements.keys();
    if (this.#statements.size > KEPT_STATEMENTS && oldest !== undefined) this.#statements.delete(oldest);
    return prepared;
  }

  // biome-ignore lint/correctness/useYield: it has nothing to give.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Read in pages: rows cannot be streamed from both databases.');
  }
}
