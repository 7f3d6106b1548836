import { escapeIdentifier, escapeLiteral, type PoolClient, type QueryResult } from 'pg';
import { isOutdatedPlan } from './errors.ts';

/** How many statements get a name, so that the server keeps them prepared. */
const MOST_NAMES = 500;
const LONGEST_NAMED = 10_000;

/** Names of statements, by their text. */
const names = new Map<string, string>();
let given = 0;

function nameOf(text: string, values: readonly unknown[]): string | undefined {
  // Without values it may be several statements, or one not worth preparing.
  if (values.length === 0 || text.length > LONGEST_NAMED) return undefined;
  if (!names.has(text) && names.size < MOST_NAMES) names.set(text, `wooster_${++given}`);
  return names.get(text);
}

const NOTHING: QueryResult = { command: '', rowCount: 0, oid: 0, fields: [], rows: [] };

/** One connection of the pool, as Kysely uses it. */
export class Session {
  readonly #client: PoolClient;
  #home: string | undefined;
  #broken = false;
  readonly #onSilence: () => void;
  readonly openedMs = performance.now();

  /** @param onSilence  called when the server does not answer in time. */
  constructor(client: PoolClient, onSilence: () => void) {
    this.#client = client;
    this.#onSilence = onSilence;
  }

  /** Bind the connection to the rows of this home. */
  async enter(home: string, role: string | undefined): Promise<void> {
    if (this.#home === home) return;
    const setRole = this.#home === undefined && role !== undefined ? `set role ${escapeIdentifier(role)}; ` : '';
    this.#home = undefined;
    await this.query(`${setRole}select set_config('wooster.home', ${escapeLiteral(home)}, false)`, []);
    this.#home = home;
  }

  async query(text: string, values: readonly unknown[]): Promise<QueryResult> {
    try {
      return await this.#ask(text, values);
    } catch (error) {
      if (text !== 'rollback') throw error;
      // The server rolls back by itself when the connection ends, and the original error says more.
      this.#broken = true;
      return NOTHING;
    }
  }

  async #ask(text: string, values: readonly unknown[]): Promise<QueryResult> {
    if (this.#broken) throw new Error('Connection terminated: it had not answered in time');
    const name = nameOf(text, values);
    try {
      return await this.#client.query({ text, values: values.map(withoutNul), ...(name ? { name } : {}) });
    } catch (error) {
      // The server may still be running it, so this connection cannot be used again.
      if (error instanceof Error && error.message === 'Query read timeout') {
        this.#broken = true;
        this.#onSilence();
      }
      if (!isOutdatedPlan(error)) throw error;
      names.delete(text);
      // A transaction has now failed and is retried as a whole.
      if (this.#client.getTransactionStatus() !== 'I') throw error;
      return this.#ask(text, values);
    }
  }

  release(destroy = false): void {
    this.#client.release(destroy || this.#broken);
  }
}

/** PostgreSQL's text cannot contain the character 0. */
function withoutNul(value: unknown): unknown {
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '') : value;
  return Array.isArray(value) ? value.map(withoutNul) : value;
}
