import { hostname } from 'node:os';
import { type Kysely, sql } from 'kysely';
import { messageOf } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { leaseHolder } from '../../base/process-identity.ts';
import type { Database } from '../schema.ts';
import { BEAT_MS, FORGET_MS } from '../workers.ts';

/** The server's clock in the form of `toISOString`; the current time even within a transaction. */
export const serverTime = sql<string>`to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * Registers an open store among those of its home on all machines: its row in `workers` says when it was last seen.
 * See `goneOwners`.
 */
export class Presence {
  readonly #db: Kysely<Database>;
  readonly #log: Pick<Log, 'warn'> | undefined;
  /** Begins with the identity of the process, like the owners of runs, messages and turns. */
  readonly #id = leaseHolder();
  #timer: NodeJS.Timeout | undefined;
  /** The heartbeat in progress: whether it got through. */
  #beating: Promise<boolean> | undefined;

  constructor(db: Kysely<Database>, log?: Pick<Log, 'warn'>) {
    this.#db = db;
    this.#log = log;
  }

  /** Register this store and send heartbeats until `remove`. */
  async register(): Promise<void> {
    await this.#beat();
    const { rows } = await sql<{ now: string }>`select ${serverTime} as now`.execute(this.#db);
    const forgotten = new Date(Date.parse(rows[0]?.now ?? '') - FORGET_MS).toISOString();
    await this.#db.deleteFrom('workers').where('seen_at', '<', forgotten).execute();
    this.#timer = setInterval(() => void this.#beatOrWarn(), BEAT_MS).unref();
  }

  /** A failed heartbeat is made up for by the next one; after many failures others take over, as they should. */
  #beatOrWarn(): Promise<boolean> {
    this.#beating ??= this.#beat()
      .then(() => true)
      .catch((error: unknown) => {
        this.#log?.warn('the store could not be told that this program runs', { error: messageOf(error) });
        return false;
      })
      .finally(() => {
        this.#beating = undefined;
      });
    return this.#beating;
  }

  /** It need not reach the disk: after a crash of the server every worker registers again. */
  async #beat(): Promise<void> {
    await sql`insert into workers (id, host, started_at, seen_at)
      select ${this.#id}, ${hostname()}, t.now, t.now
      from (select ${serverTime} as now, set_config('synchronous_commit', 'off', true)) t
      on conflict (home, id) do update set seen_at = excluded.seen_at`.execute(this.#db);
  }

  /** Unregister this store. If the server does not answer, the missing heartbeats tell the others. */
  async remove(): Promise<void> {
    if (!this.#timer) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    if ((await this.#beating) === false) return;
    try {
      await this.#db.deleteFrom('workers').where('id', '=', this.#id).execute();
    } catch (error) {
      this.#log?.warn('the store could not be told that this program ends', { error: messageOf(error) });
    }
  }
}
