import { AssistantError, messageOf } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { App, Home, Schedule } from '../../face/app.ts';
import { RUNS_TOPIC } from '../../scheduler/due.ts';
import type { Seat } from './fair-slots.ts';
import type { HomeContext } from './home-context.ts';
import type { Looked, Rounds } from './rounds.ts';

/** How long a lost notification can delay its work. */
const LONGEST_MS = 10_000;
/** Between polls of a home with work that cannot start yet. */
const SHORTEST_MS = 1000;
/** Jitter: all workers get the same notification, and the later ones then find nothing left to do. */
const SPREAD_MS = 800;
/** Debounce of notifications that arrive together. */
const HINT_MS = 200;
/** Retries wait longer; this only bounds how late they are. */
const FLUSH_MS = 5000;
const LONGEST_BACKOFF_MS = 5 * 60_000;

/** The part of the program on that home that it uses. */
export interface ServedApp extends Pick<App, 'start' | 'close'> {
  readonly home: Pick<Home, 'log'>;
  readonly store: Pick<App['store'], 'wake'>;
  readonly schedule: {
    readonly jobs: Pick<Schedule['jobs'], 'nextLook' | 'tick'>;
    readonly notifier: Pick<Schedule['notifier'], 'nextFlush' | 'flush'>;
  };
}

interface ServedHomeParts {
  readonly id: string;
  readonly app: ServedApp;
  readonly context: HomeContext;
  readonly seat: Seat;
  readonly rounds: Rounds;
  /** The serving program's log. It learns that something failed, but never a text of the home. */
  readonly log: Log;
}

/** One open home of a program that serves several: polls it when there is something to do. */
export class ServedHome implements Looked {
  readonly id: string;
  nextMs = 0;
  readonly #parts: ServedHomeParts;
  readonly #spreadMs = Math.random() * SPREAD_MS;
  #unlisten: (() => void) | undefined;
  #hinted = false;
  #failures = 0;
  #tickedAt = new Date(0);
  #flushAskedMs = Number.NEGATIVE_INFINITY;
  #flushedAt = new Date(0);

  constructor(parts: ServedHomeParts) {
    this.id = parts.id;
    this.#parts = parts;
  }

  async start(): Promise<void> {
    const { app, rounds } = this.#parts;
    await this.#parts.context.run(() => app.start('server'));
    this.#unlisten = app.store.wake.on(RUNS_TOPIC, () => {
      this.#hinted = true;
      this.nextMs = Math.min(this.nextMs, performance.now() + HINT_MS + this.#spreadMs);
    });
    rounds.add(this);
  }

  async look(): Promise<void> {
    this.#hinted = false;
    try {
      const waitMs = await this.#parts.context.run(() => this.#lookOnce());
      this.#failures = 0;
      this.nextMs = performance.now() + (this.#hinted ? HINT_MS + this.#spreadMs : waitMs);
    } catch (error) {
      this.#failures++;
      this.nextMs = performance.now() + backoffMs(this.#failures);
      this.#parts.app.home.log.error('not looked at', { error: messageOf(error) });
      this.#parts.log.error('a home failed', { home: this.id, failures: this.#failures, error: outsideName(error) });
    }
  }

  /** @returns how long to wait before the next poll. */
  async #lookOnce(): Promise<number> {
    const { jobs } = this.#parts.app.schedule;
    let next = await jobs.nextLook(this.#tickedAt);
    if (isDue(next)) {
      this.#tickedAt = new Date();
      await jobs.tick();
      next = await jobs.nextLook(this.#tickedAt);
    }
    await this.#flush();
    return this.#waitUntil(next?.getTime() ?? Number.POSITIVE_INFINITY);
  }

  /** Send messages that wait for a retry. New ones are sent by the code that enters them. */
  async #flush(): Promise<void> {
    const { notifier } = this.#parts.app.schedule;
    if (performance.now() - this.#flushAskedMs < FLUSH_MS) return;
    this.#flushAskedMs = performance.now();
    if (!isDue(await notifier.nextFlush(this.#flushedAt))) return;
    this.#flushedAt = new Date();
    // Sending takes as long as the network does.
    void notifier.flush();
  }

  /** Work that was due at the last poll and still is cannot start yet; a slot that becomes free wakes it. */
  #waitUntil(timeMs: number): number {
    if (timeMs <= this.#tickedAt.getTime()) return SHORTEST_MS;
    return Math.min(LONGEST_MS, Math.max(0, timeMs - Date.now()) + this.#spreadMs);
  }

  /** Aborts its runs and releases their leases, so that others may take over. */
  async close(): Promise<void> {
    const { app, context, rounds, seat } = this.#parts;
    this.#unlisten?.();
    await Promise.all([rounds.remove(this), context.run(() => app.close())]);
    seat.leave();
  }
}

function isDue(time: Date | undefined): boolean {
  return time !== undefined && time.getTime() <= Date.now();
}

/** From one second, doubling, to five minutes. */
export function backoffMs(failures: number): number {
  return Math.min(LONGEST_BACKOFF_MS, 1000 * 2 ** Math.min(failures - 1, 20)) * (1 + Math.random() / 10);
}

/** An error without its message, which may quote the person: their texts stay in their own log. */
export function outsideName(error: unknown): string {
  if (error instanceof AssistantError) return `${error.code}: ${error.message}`;
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? `${error.name} ${error.code}` : error.name;
}
