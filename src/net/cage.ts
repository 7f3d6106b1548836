import { AsyncLocalStorage } from 'node:async_hooks';
import { Socket } from 'node:net';

/** What code of strangers meets in place of the network. */
export interface Cage {
  /** Stands where the global `fetch` is; it runs outside. */
  readonly fetch: typeof fetch;
  /** Asked for every connection that is opened without `fetch`; that connection fails with this error. */
  refusal(): Error;
}

const INSIDE = new AsyncLocalStorage<Cage | undefined>();

/** The wrappers that are in place; what was put over one since gets a wrapper of its own. */
const GUARDS = new WeakSet<object>();

/**
 * Run code that brings its own HTTP: its `fetch` is the cage's, and a socket of its own is refused before anything is
 * looked up or sent. Holds for everything that the work starts and waits for, and for nothing else in the process.
 * It keeps honest packages to the one way out; code that means to escape is none that a process can hold.
 */
export function runCaged<T>(cage: Cage, work: () => T): T {
  guardFetch();
  guardSockets();
  return INSIDE.run(cage, work);
}

/** Our own connections may be opened while caged code waits for them. */
export function outsideOfCage<T>(work: () => T): T {
  return INSIDE.run(undefined, work);
}

/** The same values, with every step of it in the cage: a generator runs where its next step is asked for. */
export async function* eachCaged<T>(cage: Cage, source: AsyncIterable<T>): AsyncGenerator<T> {
  const steps = source[Symbol.asyncIterator]();
  try {
    for (;;) {
      const step = await runCaged(cage, () => steps.next());
      if (step.done) return;
      yield step.value;
    }
  } finally {
    await runCaged(cage, () => steps.return?.());
  }
}

function guardFetch(): void {
  const free = globalThis.fetch;
  if (GUARDS.has(free)) return;
  const guarded: typeof fetch = (input, init) => {
    const cage = INSIDE.getStore();
    return cage ? outsideOfCage(() => cage.fetch(input, init)) : free(input, init);
  };
  GUARDS.add(guarded);
  globalThis.fetch = guarded;
}

/** node:http, node:https, node:http2, node:tls and every client built on them connect through this one method. */
function guardSockets(): void {
  const free = Socket.prototype.connect;
  if (GUARDS.has(free)) return;
  const guarded = function (this: Socket, ...target: Parameters<typeof free>): Socket {
    const cage = INSIDE.getStore();
    if (!cage) return free.apply(this, target);
    const refusal = cage.refusal();
    // As a failed connection reports itself: later, to whoever listens by then.
    process.nextTick(() => this.destroy(refusal));
    return this;
  } as typeof free;
  GUARDS.add(guarded);
  Socket.prototype.connect = guarded;
}
