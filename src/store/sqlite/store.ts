import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CompiledQuery, Kysely, type Transaction } from 'kysely';
import { makeFolder } from '../../base/folders.ts';
import type { HeldLock, Store, StoreLocation, TransactionOptions } from '../contract.ts';
import type { Database } from '../schema.ts';
import { NEWEST } from '../steps.ts';
import type { OpenOptions } from '../store.ts';
import { Topics } from '../topics.ts';
import { Transactions } from '../transactions.ts';
import { sqliteDialect } from './driver.ts';
import { explain, isConflict } from './errors.ts';
import { fileLocks, type Locks, memoryLocks } from './lock.ts';
import { refuseNetworkVolume } from './network-volume.ts';
import { patiently } from './patience.ts';
import { readVersion } from './version.ts';

type SqliteLocation = Extract<StoreLocation, { kind: 'sqlite' }>;

/** Open or create the file and bring it to the newest version. Errors: see `openStore`. */
export async function openSqlite(location: SqliteLocation, options: OpenOptions): Promise<Store> {
  const { path } = location;
  let database: DatabaseSync | undefined;
  try {
    refuseNetworkVolume(path);
    if (path !== ':memory:' && !options.readOnly) makeFolder(dirname(path));
    database = connect(path, options.readOnly ?? false);
    if (!options.readOnly) await makeReady(database, path, options);
    return new SqliteStore(database, location, options);
  } catch (error) {
    database?.close();
    throw explain(path, error);
  }
}

function connect(path: string, readOnly: boolean): DatabaseSync {
  return new DatabaseSync(path, { readOnly, timeout: 0, enableForeignKeyConstraints: true });
}

async function makeReady(database: DatabaseSync, path: string, options: OpenOptions): Promise<void> {
  await patiently(() => database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${safety(options)}`));
  if (readVersion(database) !== NEWEST) await (await import('./upgrade.ts')).upgrade(database, path);
  // Reading works even on a locked or read-only database, so try to write now rather than fail with the first note.
  await patiently(() => database.exec('BEGIN IMMEDIATE; ROLLBACK'));
}

/**
 * In WAL mode, NORMAL syncs at checkpoints only. The next FULL commit writes everything before it to disk as well, so
 * only the newest changes can be lost, never older ones.
 *
 * @see https://www.sqlite.org/pragma.html#pragma_synchronous
 */
function safety({ durability }: OpenOptions): 'FULL' | 'NORMAL' {
  return durability === 'relaxed' ? 'NORMAL' : 'FULL';
}

/** A database file with a connection for writing and one for reading beside it. */
class SqliteStore implements Store {
  readonly kind = 'sqlite';
  readonly location: SqliteLocation;
  readonly wake: Store['wake'];
  readonly #options: OpenOptions;
  readonly #writer: Kysely<Database>;
  readonly #transactions: Transactions;
  readonly #locks: Locks;
  #reader: Kysely<Database> | undefined;
  #closed: Promise<void> | undefined;

  constructor(database: DatabaseSync, location: SqliteLocation, options: OpenOptions) {
    this.location = location;
    this.#options = options;
    this.#locks = location.path === ':memory:' ? memoryLocks() : fileLocks(location.path);
    this.#transactions = new Transactions({ begin: (how, work) => this.#begin(how, work), isConflict });
    const beforeUse = () => this.#transactions.refuseOutside();
    const { beforeStatement, readOnly } = options;
    this.#writer = new Kysely({ dialect: sqliteDialect(database, { beforeUse, beforeStatement, readOnly }) });
    const topics = new Topics();
    this.wake = {
      notify: async (topic) => this.#transactions.afterCommit(() => topics.hear(topic)),
      on: (topic, hear) => topics.on(topic, hear),
    };
  }

  get db(): Kysely<Database> {
    return this.#transactions.current ?? this.#open(this.#writer);
  }

  get read(): Kysely<Database> {
    const { path } = this.location;
    if (path === ':memory:' || this.#options.readOnly) return this.db;
    if (this.#transactions.current) return this.#transactions.current;
    this.#reader ??= new Kysely({ dialect: readerOf(path) });
    return this.#open(this.#reader);
  }

  transaction<T>(work: () => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    return this.#transactions.run(options, work);
  }

  relaxed<T>(work: () => Promise<T>): Promise<T> {
    return this.#transactions.run({ relaxed: true }, work);
  }

  async now(): Promise<string> {
    return new Date().toISOString();
  }

  async lock(name: string): Promise<HeldLock | undefined> {
    return this.#locks(name);
  }

  async close(): Promise<void> {
    if (this.#transactions.current) throw new Error('The store cannot be closed within its transaction.');
    this.#closed ??= this.#end();
    await this.#closed;
  }

  async #end(): Promise<void> {
    // Kysely destroys only what was used.
    for (const connection of [this.#reader, this.#writer]) {
      await connection?.connection().execute(async () => {});
      await connection?.destroy();
    }
  }

  #open(connection: Kysely<Database>): Kysely<Database> {
    if (this.#closed) throw new Error('The store is closed.');
    return connection;
  }

  async #begin<T>(
    { relaxed = false }: TransactionOptions,
    work: (tx: Transaction<Database>) => Promise<T>,
  ): Promise<T> {
    const writer = this.#open(this.#writer);
    if (!relaxed || this.#options.durability === 'relaxed') return writer.transaction().execute(work);
    return writer.connection().execute(async (connection) => {
      await setSafety(connection, 'NORMAL');
      try {
        return await connection.transaction().execute(work);
      } finally {
        await setSafety(connection, 'FULL');
      }
    });
  }
}

function readerOf(path: string) {
  return sqliteDialect(connect(path, true), { readOnly: true });
}

/** SQLite takes this outside of transactions only. */
async function setSafety(connection: Kysely<Database>, safety: 'FULL' | 'NORMAL'): Promise<void> {
  await connection.executeQuery(CompiledQuery.raw(`PRAGMA synchronous = ${safety}`));
}
