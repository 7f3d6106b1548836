import { AsyncLocalStorage } from 'node:async_hooks';

const contexts = new AsyncLocalStorage<HomeContext>();

/**
 * Which of several homes in one process the running code works for: what it starts, and what that starts, belongs to
 * the same home. Globals need it, since packages and plugins use them without being handed anything.
 */
export class HomeContext {
  /** How code of this home reaches the network with the global `fetch`. */
  fetch: typeof fetch | undefined;

  /** The home of the caller; undefined outside any. */
  static get current(): HomeContext | undefined {
    return contexts.getStore();
  }

  run<T>(work: () => T): T {
    return contexts.run(this, work);
  }
}
