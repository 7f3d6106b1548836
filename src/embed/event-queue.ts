import type { TurnEvent } from '../base/turn.ts';

/**
 * Events between a turn, which does not wait, and a reader, who may be slow. Nothing is lost; tokens that pile up
 * become one event, so that the queue is never larger than the text itself.
 */
export class EventQueue {
  #waiting: TurnEvent[] = [];
  #ended = false;
  #wake: (() => void) | undefined;

  push(event: TurnEvent): void {
    const last = this.#waiting.at(-1);
    if (event.type === 'token' && last?.type === 'token') {
      this.#waiting[this.#waiting.length - 1] = { type: 'token', text: last.text + event.text };
    } else this.#waiting.push(event);
    this.#wake?.();
  }

  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  /** For one reader. Ends when `end` was called and everything was read. */
  async *read(): AsyncGenerator<TurnEvent, void, undefined> {
    for (;;) {
      const next = this.#waiting.shift();
      if (next) yield next;
      else if (this.#ended) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
