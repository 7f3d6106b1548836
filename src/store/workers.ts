import { hostname } from 'node:os';
import type { Selectable } from 'kysely';
import { isAlive, isGone, leaseHolder, processIdentity } from '../base/process-identity.ts';
import type { Store } from './contract.ts';
import type { WorkerRow } from './schema.ts';

const BEAT_MS = 5000;
/** A worker that is alive is seen six times within this time. */
const GONE_MS = 30_000;
/** Rows of workers that ended long ago are deleted. */
const FORGET_MS = 24 * 3_600_000;

/**
 * This program among those that work on one home.
 *
 * On SQLite all of them are on this machine, so the system is asked about their processes and there is nothing to do
 * here. On PostgreSQL they are anywhere, maybe with the same host name in separate containers: there each open store
 * has a row in `workers` that says when it was last seen, by the database's clock.
 */
export class Workers {
  readonly #store: Store;
  /** Begins with the identity of the process, as the owners of runs, messages and turns do. */
  readonly #id = leaseHolder();
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Say that this program is here, and go on saying it until `remove`. */
  async register(): Promise<void> {
    if (this.#store.kind === 'sqlite' || this.#timer) return;
    this.#timer = setInterval(() => this.#beatInBackground(), BEAT_MS).unref();
    await this.beat();
    const forgotten = await ago(this.#store, FORGET_MS);
    await this.#store.db.deleteFrom('workers').where('seen_at', '<', forgotten).execute();
  }

  /** What cannot be said now is said with the next beat; after many failures the others take over, as they should. */
  #beatInBackground(): void {
    this.#beating ??= this.beat()
      .catch(() => {})
      .finally(() => {
        this.#beating = undefined;
      });
  }

  /** Say once that this program is here. */
  async beat(): Promise<void> {
    if (this.#store.kind === 'sqlite') return;
    const now = await this.#store.now();
    await this.#store.db
      .insertInto('workers')
      .values({ id: this.#id, host: hostname(), started_at: now, seen_at: now })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at: now }))
      .execute();
  }

  /** Say that this program is going. Call it before the store is closed. */
  async remove(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    await this.#beating;
    if (this.#store.kind === 'sqlite') return;
    await this.#store.db.deleteFrom('workers').where('id', '=', this.#id).execute();
  }
}

/**
 * Which of these holders certainly do nothing any more.
 *
 * @param options `leased`: what they hold has a lease that ends by itself, so on SQLite a name that says nothing about
 *   a process of this machine counts as alive; else as gone. On PostgreSQL every name can be looked up.
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

/** The programs that work on the home or did lately, the last one to say so first; none on SQLite. */
export function knownWorkers(store: Store): Promise<Selectable<WorkerRow>[]> {
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

/** The process behind a holder: one process has several, told apart by what follows the last slash. */
function processOf(holder: string): string {
  return holder.replace(/\/[0-9a-f]{8}$/u, '');
}
