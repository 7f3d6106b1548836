import { AsyncLocalStorage } from 'node:async_hooks';

/** What third-party code gets instead of the network. */
export interface Cage {
  /** Replaces the global `fetch`; it runs outside the cage itself. */
  readonly fetch: typeof fetch;
  /** The error with which every connection opened without `fetch` fails. */
  refusal(): Error;
}

/** The cage around the running code; `net/` puts code into it and guards the ways out. */
export const INSIDE = new AsyncLocalStorage<Cage | undefined>();

/** Run our own code while caged code waits for it: it may open connections. */
export function outsideOfCage<T>(work: () => T): T {
  return INSIDE.run(undefined, work);
}
