import { resolve } from 'node:path';
import type { Store, StoreLocation } from './contract.ts';
import { openSqlite } from './sqlite/store.ts';

export type { HeldLock, Store, StoreLocation, TransactionOptions } from './contract.ts';

export interface OpenOptions {
  /** `relaxed`: every commit survives a crash of the program only. For what can be read again, as documents can. */
  readonly durability?: 'full' | 'relaxed';
  /** Open what exists, without writing to it or bringing it to the newest version. */
  readonly readOnly?: boolean;
  /** Called before each statement on the connection that writes. What it throws, the statement's caller gets. */
  readonly beforeStatement?: (sql: string) => void;
}

/**
 * Open or create the store and bring it to the newest version. A string is the path of an SQLite file, or `:memory:`.
 *
 * @throws AssistantError `home_not_writable` when the folder or file cannot be written,
 *   `store_unavailable` when it cannot be reached or another program holds it, `store_damaged` when it is not a usable
 *   database.
 */
export async function openStore(location: StoreLocation | string, options: OpenOptions = {}): Promise<Store> {
  const at: StoreLocation = typeof location === 'string' ? sqliteAt(location) : location;
  if (at.kind === 'sqlite') return openSqlite(at, options);
  // Only now, so that a store in a file need not wait for it to load.
  const { openPostgres } = await import('./postgres/store.ts');
  return openPostgres(at, options);
}

function sqliteAt(path: string): StoreLocation {
  return { kind: 'sqlite', path: path === ':memory:' ? path : resolve(path) };
}
