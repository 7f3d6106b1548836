import type { Log } from '../../base/log.ts';
import { preview } from '../../base/text.ts';
import { requireHomeId } from '../../store/homes.ts';
import { backoffMs, outsideName, type ServedHome } from './served-home.ts';

/** How soon homes that were added or removed are noticed. */
const LIST_MS = 2000;
/** Opening a home mostly waits for the database and the disk, so several are opened at once. */
const OPEN_AT_ONCE = 4;

type OpenHome = Pick<ServedHome, 'close'>;

export interface HomeServerParts {
  /** The ids of the homes to serve now. */
  list(): Promise<readonly string[]>;
  /** Open a home and start its work. */
  open(id: string): Promise<OpenHome>;
  readonly log: Log;
}

interface Failure {
  readonly times: number;
  readonly againMs: number;
}

/**
 * Serves the homes that are listed: opens new ones, closes those that are gone. A home that cannot be opened is retried
 * with backoff, and the others never wait for it.
 */
export class HomeServer {
  readonly #parts: HomeServerParts;
  readonly #open = new Map<string, OpenHome>();
  readonly #failures = new Map<string, Failure>();
  readonly #closing = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #following: Promise<void> | undefined;
  #closed = false;

  constructor(parts: HomeServerParts) {
    this.#parts = parts;
  }

  /** How many homes are open. */
  get size(): number {
    return this.#open.size;
  }

  /** Open the homes that exist now, and keep following the list. */
  async start(): Promise<void> {
    await this.#follow();
    if (!this.#closed) this.#timer = setInterval(() => void this.#follow(), LIST_MS);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    await this.#following;
    for (const [id, home] of this.#open) this.#close(id, home);
    await Promise.all(this.#closing);
  }

  #follow(): Promise<void> {
    this.#following ??= this.#followOnce()
      .catch((error: unknown) => this.#parts.log.error('homes not listed', { error: outsideName(error) }))
      .finally(() => {
        this.#following = undefined;
      });
    return this.#following;
  }

  async #followOnce(): Promise<void> {
    const listed = new Set(await this.#parts.list());
    for (const id of this.#failures.keys()) if (!listed.has(id)) this.#failures.delete(id);
    for (const [id, home] of this.#open) if (!listed.has(id)) this.#close(id, home);
    const now = performance.now();
    const missing = [...listed].filter((id) => !this.#open.has(id) && (this.#failures.get(id)?.againMs ?? 0) <= now);
    const queue = missing.values();
    const openers = Array.from({ length: OPEN_AT_ONCE }, async () => {
      for (const id of queue) if (!this.#closed) await this.#tryToOpen(id);
    });
    await Promise.all(openers);
  }

  async #tryToOpen(id: string): Promise<void> {
    try {
      requireHomeId(id);
      this.#open.set(id, await this.#parts.open(id));
    } catch (error) {
      const times = (this.#failures.get(id)?.times ?? 0) + 1;
      this.#failures.set(id, { times, againMs: performance.now() + backoffMs(times) });
      this.#parts.log.error('a home was not opened', { home: preview(id, 80), times, error: outsideName(error) });
    }
  }

  /** Not awaited: the runs of one home may take a while to end. */
  #close(id: string, home: OpenHome): void {
    this.#open.delete(id);
    const closing = home
      .close()
      .catch((error: unknown) => this.#parts.log.error('a home did not close', { home: id, error: outsideName(error) }))
      .finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }
}
