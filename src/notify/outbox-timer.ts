import type { Notifier } from './types.ts';

/** Backoffs and holds are longer; this only bounds how late a due message is sent. */
const FLUSH_MS = 5_000;

/** Flushes the outbox at the start and then every five seconds. */
export class OutboxTimer {
  readonly #notifier: Pick<Notifier, 'flush'>;
  #timer: NodeJS.Timeout | undefined;

  constructor(notifier: Pick<Notifier, 'flush'>) {
    this.#notifier = notifier;
  }

  start(): void {
    this.#timer ??= setInterval(() => void this.#notifier.flush(), FLUSH_MS).unref();
    void this.#notifier.flush();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
