import type { Store, StoreLocation } from './contract.ts';

export type { Store, StoreLocation } from './contract.ts';

export interface OpenOptions {
  /** `relaxed`: every commit survives a crash of the program only. For what can be read again, as documents can. */
  readonly durability?: 'full' | 'relaxed';
  /** Open what exists, without writing to it or bringing it to the newest version. */
  readonly readOnly?: boolean;
}

/**
 * Open or create the store and bring it to the newest version. A string is the path of an SQLite file, or `:memory:`.
 *
 * @throws AssistantError `home_not_writable` when the folder or file cannot be written,
 *   `store_unavailable` when it cannot be reached or another program holds it, `store_damaged` when it is not a usable
 *   database.
 */
export async function openStore(_location: StoreLocation | string, _options: OpenOptions = {}): Promise<Store> {
  throw new Error('not yet');
}
