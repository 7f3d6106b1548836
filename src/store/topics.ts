import { AsyncResource } from 'node:async_hooks';

/** Listeners by topic. */
export class Topics {
  readonly #hearers = new Map<string, Set<() => void>>();

  on(topic: string, hear: () => void): () => void {
    const hearers = this.#hearers.get(topic) ?? new Set();
    this.#hearers.set(topic, hearers);
    // Wrapped, so that the same listener can subscribe twice; and called outside the notifying transaction.
    const own = AsyncResource.bind(() => hear());
    hearers.add(own);
    return () => hearers.delete(own);
  }

  /** Notify the listeners of one topic, or of all. */
  hear(topic?: string): void {
    const hearers = topic === undefined ? [...this.#hearers.values()] : [this.#hearers.get(topic) ?? []];
    for (const hear of hearers.flatMap((group) => [...group])) hear();
  }
}
