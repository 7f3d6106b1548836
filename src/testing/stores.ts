import { createHash, randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import { type OpenOptions, openStore, type Store, type StoreLocation } from '../store/store.ts';

/** A PostgreSQL server on which tests may leave homes behind; empty: tests use SQLite. */
const SERVER = process.env.WOOSTER_TEST_STORE_URL;

/** The databases that tests can use here, for `describe.each`. */
export const STORE_KINDS: readonly Store['kind'][] = SERVER ? ['sqlite', 'postgres'] : ['sqlite'];

/**
 * Where a test's store is: a home of its own on the server, or the file, or memory. The same path is the same store
 * each time.
 */
export function testLocation(path = ':memory:', kind: Store['kind'] = SERVER ? 'postgres' : 'sqlite'): StoreLocation {
  if (kind === 'sqlite') return { kind, path: path === ':memory:' ? path : resolve(path) };
  if (!SERVER) throw new Error('WOOSTER_TEST_STORE_URL is not set.');
  const home = path === ':memory:' ? randomUUID() : createHash('sha256').update(resolve(path)).digest('hex');
  return { kind, url: SERVER, home: `test-${home.slice(0, 32)}`, pool: 4 };
}

/** Open a fresh store, or the one at `path`, see `testLocation`. Tests of the file itself say `kind: 'sqlite'`. */
export function openTestStore(
  path?: string,
  { kind, ...options }: OpenOptions & { readonly kind?: Store['kind'] } = {},
): Promise<Store> {
  return openStore(testLocation(path, kind), options);
}

/** The settings with which the program opens the store of a home folder; none for a file, which it finds by itself. */
export function storeSettings(folder: string, kind?: Store['kind']): Readonly<Record<string, string>> {
  const location = testLocation(join(folder, 'state', 'wooster.sqlite3'), kind);
  return location.kind === 'postgres' ? { WOOSTER_STORE_URL: location.url, WOOSTER_HOME_ID: location.home } : {};
}

/** The same store with another way to run transactions, which can call the store's own. */
export function withTransactions(store: Store, transaction: Store['transaction']): Store {
  return new Proxy(store, {
    get(target, name) {
      if (name === 'transaction') return transaction;
      if (name === 'relaxed') return <T>(work: () => Promise<T>) => transaction(work, { relaxed: true });
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
