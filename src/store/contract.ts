import type { Kysely } from 'kysely';
import type { AssistantError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Database } from './schema.ts';

/** Which database, in a form that can be passed to a thread. */
export type StoreLocation =
  | { readonly kind: 'sqlite' /** Absolute, or `:memory:`. */; readonly path: string }
  | {
      readonly kind: 'postgres';
      readonly url: string;
      /** Whose rows: see `WOOSTER_HOME_ID`. */
      readonly home: string;
      /** Most connections at once; 4 by default. */
      readonly pool?: number;
    };

/** A database that cannot be used as it is. */
export interface Unkept {
  /** What to say of everything that would have to be kept. */
  readonly why: AssistantError;
  /** The file. */
  readonly path: string;
}

export interface OpenOptions {
  /** `relaxed`: every commit survives a crash of the program only. For what can be read again, as documents can. */
  readonly durability?: 'full' | 'relaxed';
  /** Open what exists, without writing to it or bringing it to the newest version. */
  readonly readOnly?: boolean;
  /** Called before each statement on the connection that writes. What it throws, the statement's caller gets. */
  readonly beforeStatement?: (sql: string) => void;
  /** See `Store`. */
  readonly unkept?: Unkept;
  /** Told about trouble in the background, which ends by itself. */
  readonly log?: Pick<Log, 'warn'>;
}

export interface TransactionOptions {
  /** What is committed survives a crash of the program only, not always a power cut. */
  readonly relaxed?: boolean;
  /**
   * Beside other transactions, where the database can do that: for short work whose statements are each safe, such as
   * claiming. What it reads may be out of date when it writes.
   */
  readonly shared?: boolean;
}

/** A lock that is held. */
export interface HeldLock extends AsyncDisposable {
  /** Aborted when the connection to the database broke, and the lock with it. */
  readonly lost: AbortSignal;
  /** Ask the database, which may know before this program that the lock is lost. Rejects then. */
  confirm(): Promise<void>;
}

/**
 * The database of one home, shared by all modules; each module owns its tables and is asked about them by others.
 *
 * Transactions are ambient: between the start and the end of the `work` of `transaction`, `db` and `read` of the code
 * that `work` calls are the transaction. So ask the store for `db` each time, and never keep it.
 */
export interface Store {
  readonly kind: 'sqlite' | 'postgres';
  readonly location: StoreLocation;
  /**
   * Set when the home cannot be written: then this is a copy that goes away when it is closed, for answering questions
   * and for looking things up.
   */
  readonly unkept?: Unkept | undefined;
  /** In a transaction, the transaction. */
  readonly db: Kysely<Database>;
  /** For reads that need not wait for this program's transactions; in a transaction, the transaction. */
  readonly read: Kysely<Database>;
  /**
   * Run `work` as the only writer of the home: other transactions, of any program, come before or after it. Within
   * another transaction, `work` becomes part of that one. What conflicts is tried three times, so `work` must be
   * repeatable, and it must not wait for a model or the network.
   */
  transaction<T>(work: () => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** As `transaction`, but what it commits survives a crash of the program only, not always a power cut. */
  relaxed<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Write something small at the end of the next transaction, whosever that is, so that it costs no commit of its own.
   * When it fails, that transaction is repeated without it. Nothing makes sure that there is a next one.
   */
  alongside(write: () => Promise<void>): void;
  /** In a transaction: do something when it has ended; not committed means rolled back, or that nobody knows. */
  atEnd(act: (committed: boolean) => void): void;
  /** The database's clock, as ISO 8601 UTC text. Leases are in this time, since hosts may disagree. */
  now(): Promise<string>;
  /** Hints between the programs of a home that there is something to see. They may get lost: also look regularly. */
  readonly wake: {
    /** Within a transaction, sent when it commits. */
    notify(topic: string): Promise<void>;
    /** @returns a function that ends listening. */
    on(topic: string, hear: () => void): () => void;
  };
  /** Hold a lock by name among all programs of the home, until disposed or the program ends; undefined: it is taken. */
  lock(name: string): Promise<HeldLock | undefined>;
  /** Wait for what is running, and let go of the database. */
  close(): Promise<void>;
}
