import {
  ColumnNode,
  InsertQueryNode,
  Kysely,
  type KyselyPlugin,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  sql,
  type Transaction,
} from 'kysely';
import type { HeldLock, OpenOptions, Store, StoreLocation, TransactionOptions } from '../contract.ts';
import { Mutex } from '../mutex.ts';
import { type Backend, OpenedStore } from '../opened-store.ts';
import type { Database } from '../schema.ts';
import { explain, isConflict, isSilence } from './errors.ts';
import { makeReady } from './migrate.ts';
import { Presence, serverTime } from './presence.ts';
import { lockKey, Server } from './server.ts';
import type { Session } from './session.ts';

type PostgresLocation = Extract<StoreLocation, { kind: 'postgres' }>;

/** Open a home on a server and bring the tables to the newest version. Errors: see `openStore`. */
export async function openPostgres(location: PostgresLocation, options: OpenOptions): Promise<Store> {
  const server = Server.at(location.url, location.pool);
  try {
    server.role = await makeReady(location, options.readOnly ?? false);
    const opened: { backend?: PostgresBackend } = {};
    const make = (beforeUse: () => void) => {
      opened.backend = new PostgresBackend(server, location.home, options, beforeUse);
      return opened.backend;
    };
    const store = new OpenedStore(location, make, options);
    if (!options.readOnly) await opened.backend?.presence.register();
    return store;
  } catch (error) {
    await server.leave();
    throw error;
  }
}

/** One home on a server that has others beside it. */
class PostgresBackend implements Backend {
  readonly writer: Kysely<Database>;
  readonly presence: Presence;
  readonly isConflict = isConflict;
  readonly #server: Server;
  readonly #home: string;
  readonly #options: OpenOptions;
  /** Only one of this store's transactions queues at the server, so they do not take up all connections. */
  readonly #turns = new Mutex();
  readonly #users = new Users();

  constructor(server: Server, home: string, options: OpenOptions, beforeUse: () => void) {
    this.#server = server;
    this.#home = home;
    this.#options = options;
    const connect = async () => {
      beforeUse();
      return this.#users.enter(await server.session(home), options.beforeStatement);
    };
    const pool: PostgresPool = { connect, end: () => this.#users.none(), options: {} };
    this.writer = new Kysely<Database>({ dialect: new PostgresDialect({ pool }), plugins: [homePlugin] });
    this.presence = new Presence(this.writer, options.log);
  }

  reader(): Kysely<Database> {
    return this.writer;
  }

  begin<T>(options: TransactionOptions, work: (tx: Transaction<Database>) => Promise<T>): Promise<T> {
    const run = () =>
      this.writer.transaction().execute(async (tx) => {
        if (!options.shared) await this.#takeTurn(tx);
        if (options.relaxed || this.#options.durability === 'relaxed')
          await sql`select set_config('synchronous_commit', ${'off'}, true)`.execute(tx);
        return work(tx);
      });
    return options.shared ? run() : this.#turns.run(() => run().catch((error: unknown) => this.#unanswered(error)));
  }

  /** Whoever waits behind a transaction that timed out would wait as long again. */
  #unanswered(error: unknown): never {
    if (isSilence(error)) this.#turns.refuseWaiting(error);
    throw error;
  }

  async join(tx: Transaction<Database>, options: TransactionOptions, begun: TransactionOptions): Promise<void> {
    if (begun.shared && !options.shared) await this.#takeTurn(tx);
  }

  async now(db: Kysely<Database>): Promise<string> {
    const { rows } = await sql<{ now: string }>`select ${serverTime} as now`.execute(db);
    return rows[0]?.now ?? '';
  }

  async notify(topic: string, db: Kysely<Database>): Promise<void> {
    await sql`select pg_notify(${this.#channel}, ${topic})`.execute(db);
  }

  listen(topic: string, hear: () => void): () => void {
    return this.#server.hotline.on(this.#channel, topic, hear);
  }

  async lock(name: string): Promise<HeldLock | undefined> {
    try {
      return await this.#server.hotline.lock(lockKey('lock', this.#home, name));
    } catch (error) {
      throw explain(this.#server.name, error);
    }
  }

  async end(): Promise<void> {
    await this.presence.remove();
    await this.#turns.run(() => this.#users.none());
    await this.writer.destroy();
    await this.#server.leave();
  }

  /** The server limits the length of channel names, and a home's name may be longer. */
  get #channel(): string {
    return `wooster ${lockKey('channel', this.#home)}`;
  }

  async #takeTurn(tx: Transaction<Database>): Promise<void> {
    await sql`select pg_advisory_xact_lock(${lockKey('home', this.#home)}::bigint)`.execute(tx);
  }
}

/** Counts the connections of the store that are in use. */
class Users {
  #count = 0;
  readonly #waiting: (() => void)[] = [];

  enter(session: Session, beforeStatement: (sql: string) => void = () => {}): PostgresPoolClient {
    this.#count++;
    const query = async (text: string, values: readonly unknown[] = []) => {
      beforeStatement(text);
      return session.query(text, values);
    };
    const release = (destroy?: boolean) => {
      session.release(destroy);
      if (--this.#count === 0) for (const resolve of this.#waiting.splice(0)) resolve();
    };
    // The overload of `query` for streams is not used.
    return { query, release } as unknown as PostgresPoolClient;
  }

  async none(): Promise<void> {
    if (this.#count > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}

/** All keys begin with the home, so the columns of `onConflict` need it too. */
const homePlugin: KyselyPlugin = {
  transformQuery({ node }) {
    if (!InsertQueryNode.is(node) || !node.onConflict?.columns) return node;
    const columns = [ColumnNode.create('home'), ...node.onConflict.columns];
    return { ...node, onConflict: { ...node.onConflict, columns } };
  },
  async transformResult({ result }) {
    return result;
  },
};
