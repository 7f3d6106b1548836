import type { Kysely } from 'kysely';
import { messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { HeldLock, Store, StoreLocation, TransactionOptions } from './contract.ts';
import type { Database } from './schema.ts';
import { type TransactionKind, Transactions } from './transactions.ts';

/** What each kind of database does its own way. */
export interface Backend extends TransactionKind {
  readonly writer: Kysely<Database>;
  /** The writer, where a read never waits for a transaction. */
  reader(): Kysely<Database>;
  /** Here and below, `db` and `afterCommit` are those of the caller's transaction, if it is in one. */
  now(db: Kysely<Database>): Promise<string>;
  notify(topic: string, db: Kysely<Database>, afterCommit: (act: () => void) => void): Promise<void>;
  listen(topic: string, hear: () => void): () => void;
  lock(name: string): Promise<HeldLock | undefined>;
  /** Wait for running work, then close. */
  end(): Promise<void>;
}

/** A store on any kind of database. */
export class OpenedStore implements Store {
  readonly kind: Store['kind'];
  readonly location: StoreLocation;
  readonly wake: Store['wake'];
  readonly unkept: Store['unkept'];
  readonly #backend: Backend;
  readonly #transactions: Transactions;
  /** From the first try to the last. */
  readonly #running = new Set<Promise<unknown>>();
  #closed: Promise<void> | undefined;

  /**
   * @param make  makes the backend. It calls `beforeUse` when someone wants a connection outside of transactions; that
   *   throws when the caller is within one.
   * @param options.log  receives the errors of listeners.
   */
  constructor(
    location: StoreLocation,
    make: (beforeUse: () => void) => Backend,
    { log, unkept }: { readonly log?: Pick<Log, 'warn'> | undefined; readonly unkept?: Store['unkept'] } = {},
  ) {
    this.unkept = unkept;
    this.kind = location.kind;
    this.location = location;
    this.#backend = make(() => this.#transactions.refuseOutside());
    this.#transactions = new Transactions(this.#backend);
    this.wake = {
      notify: async (topic) => this.#backend.notify(topic, this.db, (act) => this.#transactions.afterCommit(act)),
      on: (topic, hear) => this.#backend.listen(topic, () => hearSafely(topic, hear, log)),
    };
  }

  get db(): Kysely<Database> {
    return this.#transactions.current ?? this.#opened().writer;
  }

  get read(): Kysely<Database> {
    return this.#transactions.current ?? this.#opened().reader();
  }

  async transaction<T>(work: () => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    if (this.#transactions.current) return this.#transactions.run(options, work);
    this.#opened();
    const running = this.#transactions.run(options, work);
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  relaxed<T>(work: () => Promise<T>): Promise<T> {
    return this.transaction(work, { relaxed: true });
  }

  alongside(write: () => Promise<void>): void {
    this.#transactions.alongside(write);
  }

  atEnd(act: (committed: boolean) => void): void {
    this.#transactions.atEnd(act);
  }

  async now(): Promise<string> {
    return this.#backend.now(this.db);
  }

  async lock(name: string): Promise<HeldLock | undefined> {
    return this.#opened().lock(name);
  }

  async close(): Promise<void> {
    if (this.#transactions.current) throw new Error('The store cannot be closed within its transaction.');
    this.#closed ??= this.#end();
    await this.#closed;
  }

  /** Transactions first: one that is retried needs a connection again. */
  async #end(): Promise<void> {
    await Promise.allSettled(this.#running);
    await this.#backend.end();
  }

  #opened(): Backend {
    if (this.#closed) throw new Error('The store is closed.');
    return this.#backend;
  }
}

/** An error of a listener must not fail the transaction that notified it, nor the connection that delivered it. */
function hearSafely(topic: string, hear: () => void, log?: Pick<Log, 'warn'>): void {
  try {
    hear();
  } catch (error) {
    log?.warn('a hint was not acted on', { topic, error: messageOf(error) });
  }
}
