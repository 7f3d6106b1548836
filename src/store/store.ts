import { resolve } from 'node:path';
import type { OpenOptions, Store, StoreLocation } from './contract.ts';
import { openSqlite } from './sqlite/store.ts';

export type { OpenOptions, Store, StoreLocation } from './contract.ts';

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
