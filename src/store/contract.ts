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
  /** The error for everything that would have to be kept. */
  readonly why: AssistantError;
  /** The file. */
  readonly path: string;
}

export interface OpenOptions {
  /** `relaxed`: commits may not survive a power cut, only a crash. For what can be read again, such as documents. */
  readonly durability?: 'full' | 'relaxed';
  /** Open what exists, without writing to it or bringing it to the newest version. */
  readonly readOnly?: boolean;
  /** Called before each statement on the writing connection. What it throws reaches the caller of the statement. */
  readonly beforeStatement?: (sql: string) => void;
  /** See `Store`. */
  readonly unkept?: Unkept;
  /** Receives transient errors of background work. */
  readonly log?: Pick<Log, 'warn'>;
}

export interface TransactionOptions {
  /** The commit survives a crash of the program, but not always a power cut. */
  readonly relaxed?: boolean;
  /**
   * Runs concurrently with other transactions, where the database can do that: for short work whose statements are each
   * safe on their own, such as claiming. What it reads may be out of date when it writes.
   */
  readonly shared?: boolean;
}

/** A lock that is held. */
export interface HeldLock extends AsyncDisposable {
  /** Aborted when the connection to the database breaks, because the lock is lost with it. */
  readonly lost: AbortSignal;
  /** Ask the database, which may know before this program that the lock is lost; rejects if it is. */
  confirm(): Promise<void>;
}

/**
 * The database of one home, shared by all modules. Each module owns its tables; other modules ask it for their rows.
 *
 * Transactions are ambient: while the `work` of `transaction` runs, `db` and `read` are that transaction for all code
 * that `work` calls. So ask the store for `db` each time, and never keep it.
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
   * another transaction, `work` becomes part of that one. A conflict is retried up to three times, so `work` must be
   * repeatable, and it must not wait for a model or the network.
   */
  transaction<T>(work: () => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** As `transaction`, but the commit survives a crash of the program, not always a power cut. */
  relaxed<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Write something small at the end of the next transaction, whoever begins it, to save a commit. If it fails, that
   * transaction is repeated without it. If no further transaction comes, it is never written.
   */
  alongside(write: () => Promise<void>): void;
  /** In a transaction: do something when it has ended. Not committed means rolled back, or outcome unknown. */
  atEnd(act: (committed: boolean) => void): void;
  /** The database's clock, as ISO 8601 UTC text. Leases are in this time, since hosts may disagree. */
  now(): Promise<string>;
  /** Notifications between the programs of a home that something has changed. They may get lost, so poll as well. */
  readonly wake: {
    /** Within a transaction, sent when it commits. */
    notify(topic: string): Promise<void>;
    /** @returns a function that unsubscribes. */
    on(topic: string, hear: () => void): () => void;
  };
  /** Hold a named lock among all programs of the home until disposed or the program ends; undefined if it is taken. */
  lock(name: string): Promise<HeldLock | undefined>;
  /** Wait for running work, then close the database. */
  close(): Promise<void>;
}
