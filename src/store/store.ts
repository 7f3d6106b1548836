import { resolve } from 'node:path';
import { AssistantError } from '../base/errors.ts';
import { HOME_ID_FORM, isHomeId } from '../base/home-id.ts';
import { preview } from '../base/text.ts';
import type { OpenOptions, Store, StoreLocation } from './contract.ts';
import { openSqlite } from './sqlite/store.ts';

export type { OpenOptions, Store, StoreLocation } from './contract.ts';

/**
 * Open or create the store and bring it to the newest version. A string is the path of an SQLite file, or `:memory:`.
 *
 * @throws AssistantError `home_not_writable` when the folder or file cannot be written,
 *   `bad_setting` when a home on a server cannot have this name, `store_unavailable` when it cannot be reached or
 *   another program holds it, `store_damaged` when it is not a usable database.
 */
export async function openStore(location: StoreLocation | string, options: OpenOptions = {}): Promise<Store> {
  const at: StoreLocation = typeof location === 'string' ? sqliteAt(location) : location;
  if (at.kind === 'sqlite') return openSqlite(at, options);
  if (!isHomeId(at.home)) {
    throw new AssistantError('bad_setting', `"${preview(at.home, 80)}" cannot be the name of a home.`, {
      hint: `Set WOOSTER_HOME_ID to ${HOME_ID_FORM}.`,
    });
  }
  // Loaded here, so that a store in a file need not wait for it.
  const { openPostgres } = await import('./postgres/store.ts');
  return openPostgres(at, options);
}

function sqliteAt(path: string): StoreLocation {
  return { kind: 'sqlite', path: path === ':memory:' ? path : resolve(path) };
}
