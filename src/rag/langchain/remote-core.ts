import type { GraphHit } from '../index/hnsw-graph.ts';
import { NativeLock, shutAtExit } from '../threads/native-lock.ts';
import { Thread } from '../threads/rpc.ts';
import type { Held } from '../threads/vector-thread.ts';
import type { SaveJob } from './store-files.ts';
import type { Core, CoreChange, CoreQuery, CoreState } from './vector-core.ts';

/** The thread of one store, which never ends during a native call. */
export class VectorThread {
  readonly #gate = new NativeLock();
  readonly #thread = new Thread(new URL('../threads/vector-thread.ts', import.meta.url), { gate: this.#gate.memory });
  readonly #release = shutAtExit(this.#gate);

  call<T>(method: string, argument: unknown): Promise<T> {
    return this.#thread.call<T>(method, argument);
  }

  async stop(): Promise<void> {
    this.#gate.shut();
    this.#release();
    await this.#thread.stop();
  }
}

/** Stops the threads of stores that were garbage-collected. */
const forgotten = new FinalizationRegistry<VectorThread>((thread) => void thread.stop());

/** Searches in a thread, over shared memory. A thread that died is replaced and given the state again. */
export class RemoteCore implements Core {
  readonly #thread: VectorThread;
  readonly #asked = new Set<Promise<unknown>>();
  readonly #state: () => CoreState;
  #telling: Promise<void> | undefined;

  /** @param state gives the current state. @param thread one that has the state already. */
  constructor(state: () => CoreState, thread = new VectorThread()) {
    this.#state = state;
    this.#thread = thread;
    forgotten.register(this, thread);
  }

  update(change: CoreChange): Promise<void> {
    return this.#ask('update', change);
  }

  search(query: CoreQuery): Promise<readonly GraphHit[]> {
    return this.#ask('search', query);
  }

  settle(): Promise<void> {
    return this.#ask('settle', undefined);
  }

  save(job: SaveJob): Promise<void> {
    return this.#ask('save', job);
  }

  /** End the thread once it has answered all requests. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#asked);
    await this.#thread.stop();
  }

  async #ask<T>(method: string, argument: unknown): Promise<T> {
    const answer = this.#answer<T>(method, argument);
    this.#asked.add(answer);
    try {
      return await answer;
    } finally {
      this.#asked.delete(answer);
    }
  }

  async #answer<T>(method: string, argument: unknown): Promise<T> {
    for (;;) {
      const held = await this.#thread.call<Held<T>>(method, argument);
      if (held !== 'lost') return held.result;
      this.#telling ??= this.#thread.call<void>('adopt', this.#state()).finally(() => {
        this.#telling = undefined;
      });
      await this.#telling;
    }
  }
}
