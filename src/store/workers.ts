import type { Selectable } from 'kysely';
import { isAlive, isGone, processIdentity } from '../base/process-identity.ts';
import type { Store } from './contract.ts';
import type { Database } from './schema.ts';

/** How often an open store on a server sends a heartbeat. */
export const BEAT_MS = 5000;
/** A live worker sends six heartbeats within this time. */
export const GONE_MS = 30_000;
/** Rows of workers that ended long ago are deleted. */
export const FORGET_MS = 24 * 3_600_000;

/**
 * Which of these lease holders are certainly gone.
 *
 * On SQLite all of them are on this machine, so the system knows their processes. On PostgreSQL they may be anywhere,
 * even with the same host name in separate containers: each open store has a row in `workers` that says when it was
 * last seen, by the database's clock.
 *
 * @param options `leased`: their leases expire by themselves, so on SQLite a name that does not identify a process of
 *   this machine counts as alive; otherwise as gone. On PostgreSQL every name can be looked up.
 */
export async function goneOwners(
  store: Store,
  owners: readonly string[],
  { leased = false }: { readonly leased?: boolean } = {},
): Promise<Set<string>> {
  if (owners.length === 0) return new Set();
  if (store.kind === 'sqlite') return new Set(owners.filter((owner) => (leased ? isGone(owner) : !isAlive(owner))));
  const alive = await processesAlive(store);
  return new Set(owners.filter((owner) => !alive.has(processOf(owner))));
}

/** The programs that work on the home or did recently, latest heartbeat first; none on SQLite. */
export function knownWorkers(store: Store): Promise<Selectable<Database['workers']>[]> {
  return store.read.selectFrom('workers').selectAll().orderBy('seen_at', 'desc').execute();
}

async function processesAlive(store: Store): Promise<Set<string>> {
  const since = await ago(store, GONE_MS);
  const rows = await store.db.selectFrom('workers').select('id').where('seen_at', '>', since).execute();
  return new Set([processIdentity(), ...rows.map(({ id }) => processOf(id))]);
}

async function ago(store: Store, ms: number): Promise<string> {
  return new Date(Date.parse(await store.now()) - ms).toISOString();
}

/** The process behind a holder: a process may have several, distinguished by the part after the last slash. */
function processOf(holder: string): string {
  return holder.replace(/\/[0-9a-f]{8}$/u, '');
}
