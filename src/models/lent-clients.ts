import type { Attempt } from './attempt.ts';
import type { WireWatch } from './guard-fetch.ts';

/** Makes a client whose requests report to whoever `watch` says when they begin. */
export type MakeClient<Client> = (watch: () => WireWatch) => Promise<Client>;

/** Clients that nobody uses, of all kinds together; settings rarely change, so these are few. */
const MAX_IDLE = 8;

interface Lent<Client> {
  readonly key: string;
  readonly client: Client;
  watch: WireWatch;
}

/**
 * A pool of model clients for consecutive attempts, since creating one costs as much as a request. A
 * client is lent to one attempt at a time, because its requests have to report to that one.
 */
export class LentClients<Client> {
  /** Most recently used last. */
  #idle: Lent<Client>[] = [];

  /**
   * Lend a client until the attempt ends.
   *
   * @param key  everything that clients differ by.
   */
  async lend(key: string, attempt: Attempt, make: MakeClient<Client>): Promise<Client> {
    const lent = this.#take(key, attempt) ?? (await this.#made(key, attempt, make));
    attempt.onEnd(() => {
      this.#idle = [...this.#idle, lent].slice(-MAX_IDLE);
    });
    return lent.client;
  }

  #take(key: string, attempt: Attempt): Lent<Client> | undefined {
    const at = this.#idle.findLastIndex((each) => each.key === key);
    const [lent] = at < 0 ? [] : this.#idle.splice(at, 1);
    if (lent) lent.watch = attempt;
    return lent;
  }

  async #made(key: string, attempt: Attempt, make: MakeClient<Client>): Promise<Lent<Client>> {
    let lent: Lent<Client> | undefined;
    const client = await make(() => lent?.watch ?? attempt);
    lent = { key, client, watch: attempt };
    return lent;
  }
}
