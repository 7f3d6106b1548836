import { Socket } from 'node:net';
import { type Cage, INSIDE, outsideOfCage } from '../base/cage.ts';

/** The installed wrappers, so that none is wrapped twice. A function that has replaced one since gets a new wrapper. */
const GUARDS = new WeakSet<object>();

/**
 * Run code that brings its own HTTP client: its `fetch` is the cage's, and sockets it opens itself are refused before
 * any name is resolved or byte sent. This covers everything the work starts and awaits, and nothing else in the
 * process. It keeps well-behaved packages on the gateway; a process cannot hold code that means to escape.
 */
export function runCaged<T>(cage: Cage, work: () => T): T {
  guardFetch();
  guardSockets();
  return INSIDE.run(cage, work);
}

/** The same values, with every step in the cage: a generator runs in the context of whoever asks for its next value. */
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

/** node:http, node:https, node:http2, node:tls and all clients built on them connect through this one method. */
function guardSockets(): void {
  const free = Socket.prototype.connect;
  if (GUARDS.has(free)) return;
  const guarded = function (this: Socket, ...target: Parameters<typeof free>): Socket {
    const cage = INSIDE.getStore();
    if (!cage) return free.apply(this, target);
    const refusal = cage.refusal();
    // On the next tick, as for failed connections, so that listeners attached after this call hear it.
    process.nextTick(() => this.destroy(refusal));
    return this;
  } as typeof free;
  GUARDS.add(guarded);
  Socket.prototype.connect = guarded;
}
