import { AsyncResource } from 'node:async_hooks';

/** Who listens to what. */
export class Topics {
  readonly #hearers = new Map<string, Set<() => void>>();

  on(topic: string, hear: () => void): () => void {
    const hearers = this.#hearers.get(topic) ?? new Set();
    this.#hearers.set(topic, hearers);
    // A function of its own, so that the same hearer can listen twice; and not in the transaction of who tells it.
    const own = AsyncResource.bind(() => hear());
    hearers.add(own);
    return () => hearers.delete(own);
  }

  /** Tell the hearers of one topic, or all of them. */
  hear(topic?: string): void {
    const hearers = topic === undefined ? [...this.#hearers.values()] : [this.#hearers.get(topic) ?? []];
    for (const hear of hearers.flatMap((group) => [...group])) hear();
  }
}
