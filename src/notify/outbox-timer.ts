import type { Notifier } from './contract.ts';
import type { Notices } from './notices.ts';

/** How late a notice goes on at most. */
const ADVANCE_MS = 1000;
/** Backoffs and holds are longer; this only bounds how late a due message is sent. */
const FLUSH_MS = 5000;

interface Delivering extends Pick<Notifier, 'flush'> {
  readonly notices: Pick<Notices, 'advance'>;
}

/** Takes notices further every second, and flushes the outbox at the start and then every five. */
export class OutboxTimer {
  readonly #notifier: Delivering;
  #timers: readonly NodeJS.Timeout[] = [];

  constructor(notifier: Delivering) {
    this.#notifier = notifier;
  }

  start(): void {
    if (this.#timers.length > 0) return;
    const { notices } = this.#notifier;
    this.#timers = [
      setInterval(() => void notices.advance(), ADVANCE_MS).unref(),
      setInterval(() => void this.#notifier.flush(), FLUSH_MS).unref(),
    ];
    void this.#notifier.flush();
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#timers = [];
  }
}
