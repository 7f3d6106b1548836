import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, ClientConfig } from 'pg';
import type { HeldLock } from '../contract.ts';
import { Topics } from '../topics.ts';
import { StoreClient } from './client.ts';

const HEARTBEAT_MS = 10_000;
const LONGEST_SILENCE_MS = 5000;
const LAST_LOOK_MS = 100;
const LONGEST_GOODBYE_MS = 1000;
const PAUSES_MS = [50, 200, 500, 1000, 2000];

/**
 * How soon the server notices that we are gone when packets vanish, and frees our locks: within half a minute, which
 * is later than our own heartbeat notices.
 */
const KEEPALIVE = 'set tcp_keepalives_idle = 15; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3';

interface Lock {
  readonly lost: AbortController;
}

/** The one connection that stays open, for notifications and locks, which end with their connection. */
export class Hotline {
  readonly #config: ClientConfig;
  readonly #channels = new Map<string, Topics>();
  readonly #locks = new Map<string, Lock>();
  readonly #ended = new AbortController();
  #client: Promise<Client> | undefined;
  #listened = new Set<string>();
  #listening: Promise<void> | undefined;

  constructor(config: ClientConfig) {
    this.#config = config;
  }

  /** Listen to a channel. Listening begins a moment later; `hear` is called then, and again after each reconnection. */
  on(channel: string, topic: string, hear: () => void): () => void {
    const topics = this.#channels.get(channel) ?? new Topics();
    this.#channels.set(channel, topics);
    const stop = topics.on(topic, hear);
    this.#listen();
    return stop;
  }

  /** Hold a lock until it is disposed; undefined when it is taken. */
  async lock(key: string): Promise<HeldLock | undefined> {
    // The server would grant the same connection the same lock again.
    if (this.#locks.has(key)) return undefined;
    const lock = { lost: new AbortController() };
    this.#locks.set(key, lock);
    let taken = false;
    try {
      taken = await this.#ask('select pg_try_advisory_lock($1::bigint) as yes', key);
    } finally {
      if (!taken) this.#locks.delete(key);
    }
    if (!taken) return undefined;
    const lost = lock.lost.signal;
    return {
      lost,
      confirm: () => this.#confirm(lost),
      [Symbol.asyncDispose]: () => this.#unlock(key, lock),
    };
  }

  async end(): Promise<void> {
    this.#ended.abort();
    await this.#listening;
    const client = await this.#client?.catch(() => undefined);
    // A server that does not answer does not say goodbye either.
    await Promise.race([client?.end(), sleep(LONGEST_GOODBYE_MS, undefined, { ref: false })]);
  }

  async #unlock(key: string, lock: Lock): Promise<void> {
    if (this.#locks.get(key) !== lock) return;
    // If this fails, the connection is gone, and the lock with it.
    await this.#ask('select pg_advisory_unlock($1::bigint) as yes', key).catch(() => false);
    this.#locks.delete(key);
  }

  /** The server frees locks when their connection ends, so while it works they are held. */
  async #confirm(lost: AbortSignal): Promise<void> {
    lost.throwIfAborted();
    await this.#ask('select $1::bigint is not null as yes', '0');
    lost.throwIfAborted();
  }

  /**
   * Run a statement about a lock. Without an answer nobody knows whether this connection has the lock, so it is closed
   * and all locks are lost; otherwise the server could hold one forever that nobody here knows of.
   */
  async #ask(text: string, key: string): Promise<boolean> {
    const client = await this.#connected();
    try {
      const { rows } = await client.query(text, [key]);
      return rows[0]?.yes === true;
    } catch (error) {
      client.end().catch(() => {});
      throw error;
    }
  }

  #connected(): Promise<Client> {
    this.#client ??= this.#connect().catch((error) => {
      this.#client = undefined;
      throw error;
    });
    return this.#client;
  }

  async #connect(): Promise<Client> {
    const client = new StoreClient({ ...this.#config, query_timeout: LONGEST_SILENCE_MS });
    client.on('error', () => {});
    client.on('notification', ({ channel, payload }) => this.#channels.get(channel)?.hear(payload));
    await client.connect();
    await client.query(KEEPALIVE).catch((error: unknown) => {
      // Otherwise each further attempt would leak a connection.
      client.end().catch(() => {});
      throw error;
    });
    const heartbeat = setInterval(() => void endUnlessAnswering(client), HEARTBEAT_MS).unref();
    client.once('end', () => {
      clearInterval(heartbeat);
      this.#lose();
    });
    return client;
  }

  #lose(): void {
    this.#client = undefined;
    this.#listened = new Set();
    const locks = [...this.#locks.values()];
    this.#locks.clear();
    for (const { lost } of locks) lost.abort();
    this.#listen();
  }

  #listen(): void {
    if (this.#ended.signal.aborted || this.#channels.size === this.#listened.size) return;
    this.#listening ??= this.#listenAll().finally(() => {
      this.#listening = undefined;
    });
  }

  async #listenAll(): Promise<void> {
    for (let tries = 0; !this.#ended.signal.aborted; tries++) {
      try {
        if (await this.#listenOnce()) return;
        tries = -1;
      } catch {
        const pause = PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)];
        await sleep(pause, undefined, { signal: this.#ended.signal, ref: false }).catch(() => {});
      }
    }
  }

  /** @returns whether all channels are listened to. */
  async #listenOnce(): Promise<boolean> {
    const client = await this.#connected();
    const listened = this.#listened;
    for (const channel of [...this.#channels.keys()].filter((name) => !listened.has(name))) {
      await client.query(`listen ${client.escapeIdentifier(channel)}`);
      listened.add(channel);
      this.#channels.get(channel)?.hear();
    }
    return this.#channels.size === this.#listened.size;
  }
}

/**
 * A thread that was busy for longer than the timeout sees its timer fire before it reads the answer that has arrived
 * meanwhile, so check once more. pg's own timeout does not.
 */
async function endUnlessAnswering(client: Client): Promise<void> {
  const beat = { text: 'select 1', query_timeout: HEARTBEAT_MS * 1000 };
  const answered = client.query(beat).then(
    () => true,
    () => false,
  );
  const silence = async () => {
    await sleep(LONGEST_SILENCE_MS, undefined, { ref: false });
    await sleep(LAST_LOOK_MS, undefined, { ref: false });
    return false;
  };
  if (!(await Promise.race([answered, silence()]))) await client.end().catch(() => {});
}
