import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Transaction } from 'kysely';
import type { TransactionOptions } from './contract.ts';
import type { Database } from './schema.ts';

const TRIES = 3;
const PAUSE_MS = 30;

/** What differs between the databases. */
export interface TransactionKind {
  /** Run `work` in a new transaction; commit it, or roll it back when `work` throws. */
  begin<T>(options: TransactionOptions, work: (tx: Transaction<Database>) => Promise<T>): Promise<T>;
  /** Called before `work` joins a transaction with other options. */
  join?(tx: Transaction<Database>, options: TransactionOptions, begun: TransactionOptions): Promise<void>;
  /** Whether the transaction may succeed on a retry; `committing`: the commit may have gone through. */
  isConflict(error: unknown, committing: boolean): boolean;
}

interface Scope {
  readonly tx: Transaction<Database>;
  readonly options: TransactionOptions;
  readonly atEnd: ((committed: boolean) => void)[];
  ended: boolean;
}

type Attempted<T> = { readonly result: T } | { readonly error: unknown; readonly committing: boolean };

/** A write that was to ride along failed. */
class AlongsideFailed extends Error {}

/** The ambient transactions of one store: see `Store`. */
export class Transactions {
  readonly #scopes = new AsyncLocalStorage<Scope>();
  readonly #kind: TransactionKind;
  readonly #alongside = new Set<() => Promise<void>>();

  constructor(kind: TransactionKind) {
    this.#kind = kind;
  }

  /** The transaction that the caller is in. Work that outlives its transaction is no longer in it. */
  get current(): Transaction<Database> | undefined {
    return this.#scope?.tx;
  }

  get #scope(): Scope | undefined {
    const scope = this.#scopes.getStore();
    return scope && !scope.ended ? scope : undefined;
  }

  /** Do something once the caller's transaction is committed; immediately outside transactions. */
  afterCommit(act: () => void): void {
    if (!this.#scope) act();
    this.atEnd((committed) => {
      if (committed) act();
    });
  }

  /** See `Store`. */
  atEnd(act: (committed: boolean) => void): void {
    this.#scope?.atEnd.push(act);
  }

  /** See `Store`. */
  alongside(write: () => Promise<void>): void {
    this.#alongside.add(write);
  }

  /**
   * Fail where the caller would deadlock on the connection of its own transaction.
   *
   * @throws Error when the caller is in a transaction.
   */
  refuseOutside(): void {
    if (this.#scope) throw new Error('A kept database handle was used within a transaction: ask the store for `db`.');
  }

  async run<T>(options: TransactionOptions, work: () => Promise<T>): Promise<T> {
    const scope = this.#scope;
    if (scope) {
      await this.#kind.join?.(scope.tx, options, scope.options);
      return work();
    }
    for (let tries = 1; ; ) {
      const atEnd: Scope['atEnd'] = [];
      const attempt = await this.#attempt(options, work, atEnd);
      for (const act of atEnd) act('result' in attempt);
      if ('result' in attempt) return attempt.result;
      // It has been taken off the list, so this costs one more attempt at most.
      if (attempt.error instanceof AlongsideFailed) continue;
      if (tries === TRIES || !this.#kind.isConflict(attempt.error, attempt.committing)) throw attempt.error;
      await sleep(PAUSE_MS * tries * Math.random());
      tries++;
    }
  }

  async #attempt<T>(options: TransactionOptions, work: () => Promise<T>, atEnd: Scope['atEnd']): Promise<Attempted<T>> {
    let committing = false;
    let failure: { readonly error: unknown } | undefined;
    try {
      const result = await this.#kind.begin(options, async (tx) => {
        const scope = { tx, options, atEnd, ended: false };
        try {
          const done = await this.#scopes.run(scope, async () => {
            const done = await work();
            if (!options.shared) await this.#takeAlong();
            return done;
          });
          committing = true;
          return done;
        } catch (error) {
          failure = { error };
          throw error;
        } finally {
          scope.ended = true;
        }
      });
      return { result };
    } catch (error) {
      // The error of the work says more than that the rollback failed as well.
      return { error: failure ? failure.error : error, committing };
    }
  }

  async #takeAlong(): Promise<void> {
    const writes = [...this.#alongside];
    this.#alongside.clear();
    try {
      for (const write of writes) await write();
    } catch {
      throw new AlongsideFailed();
    }
  }
}
