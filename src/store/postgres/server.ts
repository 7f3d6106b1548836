import { createHash } from 'node:crypto';
import { type ClientConfig, Pool, type PoolClient, TypeOverrides } from 'pg';
import { StoreClient } from './client.ts';
import { explain, serverOf } from './errors.ts';
import { Hotline } from './hotline.ts';
import { Session } from './session.ts';

const DEFAULT_POOL = 4;

/** OIDs of int8 and numeric (counts and sums), which pg returns as text. */
const NUMBERS = [20, 1700];

/** Nothing waits forever, even when packets vanish. */
const LIMITS = {
  connectionTimeoutMillis: 3000,
  query_timeout: 30_000,
  statement_timeout: 25_000,
  idle_in_transaction_session_timeout: 15_000,
  lock_timeout: 5000,
  keepAlive: true,
} as const;

/** How to connect to a server. */
export function connectionTo(url: string): ClientConfig {
  const types = new TypeOverrides();
  for (const oid of NUMBERS) types.setTypeParser(oid, Number);
  return { connectionString: url, application_name: 'wooster', types, ...LIMITS };
}

/** Connections to one database, for all homes that this program has open there. */
export class Server {
  /** Without user and password, for messages. */
  readonly name: string;
  readonly hotline: Hotline;
  /** The role that connections assume when the URL's own role bypasses row level security. */
  role: string | undefined;
  readonly #pool: Pool;
  readonly #sessions = new WeakMap<PoolClient, Session>();
  #users = 0;
  /** When a connection last timed out: those opened before would probably time out too. */
  #silentMs = 0;

  private constructor(url: string, most: number) {
    this.name = serverOf(url);
    this.#pool = new Pool({ ...connectionTo(url), max: most, Client: StoreClient });
    this.hotline = new Hotline(connectionTo(url));
    // An idle connection that breaks is replaced; one in use reports the error to its user.
    this.#pool.on('error', () => {});
    this.#pool.on('connect', (client) => client.on('error', () => {}));
  }

  /** The connections to this URL; `leave` gives them back. */
  static at(url: string, most = DEFAULT_POOL): Server {
    const server = servers.get(url) ?? new Server(url, most);
    servers.set(url, server);
    server.#users++;
    server.#pool.options.max = Math.max(server.#pool.options.max, most);
    return server;
  }

  async leave(): Promise<void> {
    if (--this.#users > 0) return;
    for (const [url, server] of servers) if (server === this) servers.delete(url);
    await Promise.all([this.#pool.end(), this.hotline.end()]);
  }

  /** @throws AssistantError `store_unavailable`. */
  async session(home: string): Promise<Session> {
    const session = await this.#connect();
    try {
      await session.enter(home, this.role);
      return session;
    } catch (error) {
      session.release(true);
      throw explain(this.name, error);
    }
  }

  #suspect(): void {
    this.#silentMs = performance.now();
  }

  async #connect(): Promise<Session> {
    try {
      for (;;) {
        const client = await this.#pool.connect();
        const session = this.#sessions.get(client) ?? new Session(client, () => this.#suspect());
        this.#sessions.set(client, session);
        if (session.openedMs >= this.#silentMs) return session;
        session.release(true);
      }
    } catch (error) {
      throw explain(this.name, error);
    }
  }
}

const servers = new Map<string, Server>();

/** A number for an advisory lock, in a form for a parameter. */
export function lockKey(...names: readonly string[]): string {
  return createHash('sha256').update(names.join('\0')).digest().readBigInt64BE().toString();
}
