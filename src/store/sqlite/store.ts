import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, type Transaction } from 'kysely';
import { AssistantError } from '../../base/errors.ts';
import { makeFolder } from '../../base/folders.ts';
import { networkVolume } from '../../base/network-volume.ts';
import type { HeldLock, OpenOptions, Store, StoreLocation, TransactionOptions } from '../contract.ts';
import { NEWEST } from '../migrations.ts';
import { type Backend, OpenedStore } from '../opened-store.ts';
import type { Database } from '../schema.ts';
import { Topics } from '../topics.ts';
import { removeParts } from './copy.ts';
import { type Safety, SqliteConnection, sqliteDialect } from './driver.ts';
import { explain, isConflict } from './errors.ts';
import { LinkedFile } from './linked-file.ts';
import { fileLocks, type Locks, memoryLocks } from './lock.ts';
import { patiently } from './patience.ts';
import { readVersion } from './version.ts';

type SqliteLocation = Extract<StoreLocation, { kind: 'sqlite' }>;

/** Open or create the file and bring it to the newest version. Errors: see `openStore`. */
export async function openSqlite(location: SqliteLocation, options: OpenOptions): Promise<Store> {
  const { path } = location;
  let database: DatabaseSync | undefined;
  try {
    refuseNetworkVolume(path);
    if (!options.readOnly) makeFolder(dirname(path));
    database = connect(path, options.readOnly ?? false);
    if (!options.readOnly) await makeReady(database, path, options);
    const opened = database;
    return new OpenedStore(location, (beforeUse) => new SqliteBackend(opened, path, options, beforeUse), options);
  } catch (error) {
    database?.close();
    throw explain(path, error);
  }
}

function connect(path: string, readOnly: boolean): DatabaseSync {
  return new DatabaseSync(path, { readOnly, timeout: 0, enableForeignKeyConstraints: true });
}

async function makeReady(database: DatabaseSync, path: string, options: OpenOptions): Promise<void> {
  // Before writing anything to a file that may be another program's.
  await patiently(() => readVersion(database));
  await patiently(() => database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${safety(options)}`));
  if (readVersion(database) !== NEWEST) await (await import('./upgrade.ts')).upgrade(database, path);
  // Reading works even on a locked or read-only database, so try to write now rather than fail with the first note.
  await patiently(() => database.exec('BEGIN IMMEDIATE; ROLLBACK'));
  if (path === ':memory:') return;
  // If the files of the log exist, SQLite writes even in a read-only folder.
  accessSync(path, constants.W_OK);
  await removeParts(path);
}

/**
 * In WAL mode, NORMAL syncs at checkpoints only. The next FULL commit writes everything before it to disk as well, so
 * only the newest changes can be lost, never older ones.
 *
 * @see https://www.sqlite.org/pragma.html#pragma_synchronous
 */
function safety({ durability }: OpenOptions): Safety {
  return durability === 'relaxed' ? 'NORMAL' : 'FULL';
}

/** A database file with one connection for writing and another for reading. */
class SqliteBackend implements Backend {
  readonly writer: Kysely<Database>;
  readonly isConflict = isConflict;
  readonly #path: string;
  readonly #options: OpenOptions;
  readonly #connection: SqliteConnection;
  readonly #locks: Locks;
  readonly #topics = new Topics();
  readonly #beforeChange: (() => void) | undefined;
  #reader: Kysely<Database> | undefined;

  constructor(database: DatabaseSync, path: string, options: OpenOptions, beforeUse: () => void) {
    const { beforeStatement, readOnly } = options;
    const linked = path === ':memory:' || readOnly ? undefined : new LinkedFile(database, path);
    const beforeChange = linked && (() => linked.check());
    const asked = { beforeUse, beforeStatement, beforeChange, readOnly, safety: safety(options) };
    this.#connection = new SqliteConnection(database, asked);
    this.writer = new Kysely({ dialect: sqliteDialect(database, asked, this.#connection) });
    this.#beforeChange = beforeChange;
    this.#path = path;
    this.#options = options;
    this.#locks = path === ':memory:' ? memoryLocks() : fileLocks(path);
  }

  reader(): Kysely<Database> {
    if (this.#path === ':memory:' || this.#options.readOnly) return this.writer;
    this.#reader ??= new Kysely({ dialect: sqliteDialect(connect(this.#path, true)) });
    return this.#reader;
  }

  async begin<T>({ relaxed = false }: TransactionOptions, work: (tx: Transaction<Database>) => Promise<T>): Promise<T> {
    if (!relaxed) return this.writer.transaction().execute(work);
    return this.writer.connection().execute((connection) => {
      this.#connection.reach('NORMAL');
      return connection.transaction().execute(work);
    });
  }

  async now(): Promise<string> {
    return new Date().toISOString();
  }

  async notify(topic: string, _db: Kysely<Database>, afterCommit: (act: () => void) => void): Promise<void> {
    afterCommit(() => this.#topics.hear(topic));
  }

  listen(topic: string, hear: () => void): () => void {
    return this.#topics.on(topic, hear);
  }

  async lock(name: string): Promise<HeldLock | undefined> {
    // Creating the lock's file would begin a new, empty home.
    this.#beforeChange?.();
    return this.#locks(name);
  }

  async end(): Promise<void> {
    for (const connection of [this.#reader, this.writer]) {
      // Kysely closes only connections that were used.
      await connection?.connection().execute(async () => {});
      await connection?.destroy();
    }
  }
}

/**
 * SQLite's locks do not work across machines, and two machines that write at once damage the file.
 *
 * @throws AssistantError `store_unavailable` when the folder is on a network volume.
 */
export function refuseNetworkVolume(path: string, volumeOf = networkVolume): void {
  if (path === ':memory:') return;
  const volume = volumeOf(path);
  if (volume === undefined) return;
  const hint = 'Keep the home on a local disk, or set WOOSTER_STORE_URL: see docs/several-machines.md.';
  throw new AssistantError('store_unavailable', `${path} is on a network volume (${volume}).`, { hint });
}
