import type { Store } from './contract.ts';

/**
 * The time that leases are given and judged by.
 *
 * On PostgreSQL the database's, because the clocks of several machines disagree. On SQLite all programs are on one
 * machine, so it is the program's own clock, `now`.
 */
export async function leaseTime(store: Pick<Store, 'kind' | 'now'>, now: () => Date): Promise<Date> {
  return store.kind === 'postgres' ? new Date(await store.now()) : now();
}
