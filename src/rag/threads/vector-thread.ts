import { workerData } from 'node:worker_threads';
import type { VectorIndex } from '../index/hnsw-graph.ts';
import { type Folder, openFolder } from '../langchain/folder.ts';
import type { OpenedStore, SaveJob } from '../langchain/store-files.ts';
import { type CoreChange, type CoreQuery, type CoreState, VectorCore } from '../langchain/vector-core.ts';
import { NativeLock } from './native-lock.ts';
import { serve } from './rpc.ts';

export interface VectorThreadData {
  /** The memory of a NativeLock. */
  readonly gate: SharedArrayBuffer;
}

/** An answer from a thread; `lost` when the thread was restarted and must be given the state first. */
export type Held<T> = { readonly result: T } | 'lost';

/** An opened store as it is passed between threads. */
export interface Handed {
  readonly dimensions: number;
  readonly blocks: readonly SharedArrayBuffer[];
  readonly count: number;
  readonly slots: Uint32Array;
  readonly documents: SharedArrayBuffer;
}

/** Which folder to open, and how to search its vectors. */
export interface OpenRequest extends Folder {
  readonly vectorIndex: VectorIndex;
}

/** Holds the one store of this thread. */
class Holder {
  readonly #gate: NativeLock;
  #core: VectorCore | undefined;

  constructor(gate: NativeLock) {
    this.#gate = gate;
  }

  adopt(state: CoreState): void {
    this.#core = new VectorCore(state, { gate: this.#gate });
  }

  async open({ vectorIndex, ...folder }: OpenRequest): Promise<Handed> {
    const opened = await openFolder(folder);
    this.#core = VectorCore.of(opened, vectorIndex, this.#gate);
    return handOver(opened);
  }

  async ask<T>(question: (core: VectorCore) => Promise<T>): Promise<Held<T>> {
    return this.#core ? { result: await question(this.#core) } : 'lost';
  }
}

function handOver({ vectors, slots, documents }: OpenedStore): Handed {
  const { dimensions, blocks, count } = vectors;
  return { dimensions, blocks, count, slots, documents };
}

const { gate } = workerData as VectorThreadData;
const holder = new Holder(new NativeLock(gate));

serve({
  adopt: (state: CoreState) => holder.adopt(state),
  open: (request: OpenRequest) => holder.open(request),
  update: (change: CoreChange) => holder.ask((core) => core.update(change)),
  search: (query: CoreQuery) => holder.ask((core) => core.search(query)),
  settle: () => holder.ask((core) => core.settle()),
  save: (job: SaveJob) => holder.ask((core) => core.save(job)),
});
