import type { DocumentInterface } from '@langchain/core/documents';
import { type VectorIndex, wantsGraph } from '../index/hnsw-graph.ts';
import type { Handed, OpenRequest } from '../threads/vector-thread.ts';
import { openFolder } from './folder.ts';
import { RemoteCore, VectorThread } from './remote-core.ts';
import { SharedVectors } from './shared-vectors.ts';
import { mostSlots } from './store-files.ts';
import { type Core, type CoreState, VectorCore } from './vector-core.ts';

/** A document of a store, and the slot of its vector. */
export interface Row {
  readonly id: string;
  readonly document: DocumentInterface;
  readonly slot: number;
}

/** Comparing with more numbers than this would block the caller's thread for more than about 2 ms. */
const MOST_NUMBERS_HERE = 3_000_000;
/** A graph over more numbers takes more than about a second to build, even if in slices. */
const MOST_IN_GRAPH_HERE = 500_000;
/** Larger folders are opened in a thread. */
const MOST_BYTES_HERE = MOST_IN_GRAPH_HERE * Float32Array.BYTES_PER_ELEMENT;

/** Whether a store of this size is searched in a thread of its own. */
function isLarge(vectorIndex: VectorIndex, { count, dimensions }: { count: number; dimensions: number }): boolean {
  return count * dimensions > (wantsGraph(vectorIndex, count) ? MOST_IN_GRAPH_HERE : MOST_NUMBERS_HERE);
}

/** One assignment of a store's documents to slots, and what searches it. Compacting makes a new one. */
export class Layout {
  readonly vectors: SharedVectors;
  /** By slot; undefined for a dead one. */
  readonly rows: (Row | undefined)[] = [];
  readonly #vectorIndex: VectorIndex;
  #core: Core | undefined;

  /** @param opened has `vectors` already. */
  constructor(vectors: SharedVectors, vectorIndex: VectorIndex, opened?: VectorCore | VectorThread) {
    this.vectors = vectors;
    this.#vectorIndex = vectorIndex;
    this.#core = opened instanceof VectorThread ? new RemoteCore(() => this.#state(), opened) : opened;
  }

  get core(): Core {
    const isLargeNow = isLarge(this.#vectorIndex, this.vectors);
    if (!this.#core || (isLargeNow && this.#core instanceof VectorCore)) {
      void this.#core?.close();
      this.#core = isLargeNow ? new RemoteCore(() => this.#state()) : new VectorCore(this.#state());
    }
    return this.#core;
  }

  /** Make slots below `count` searchable, except `removed` ones. */
  async publish(count: number, removed: readonly number[]): Promise<void> {
    this.vectors.count = count;
    await this.core.update({ blocks: this.vectors.blocks, count, removed: Uint32Array.from(removed) });
  }

  /** Whether so many slots are dead that the store should be compacted. */
  isSparse(live: number): boolean {
    return this.vectors.count > mostSlots(live);
  }

  async close(): Promise<void> {
    await this.#core?.close();
    this.#core = undefined;
  }

  #state(): CoreState {
    const { dimensions, blocks, count } = this.vectors;
    const dead = Uint32Array.from({ length: count }, (_, slot) => slot).filter((slot) => !this.rows[slot]);
    return { dimensions, vectorIndex: this.#vectorIndex, blocks, count, removed: dead };
  }
}

/** A folder's vectors, and its documents, which are still to be put into `layout.rows`. */
export interface Opened extends Pick<Handed, 'slots' | 'documents'> {
  readonly layout: Layout;
}

/** @param bytes of its vectors, about: large ones are read in a thread. @throws AssistantError `index_unavailable` */
export async function openLayout(request: OpenRequest, bytes: number): Promise<Opened> {
  const { vectorIndex } = request;
  if (bytes <= MOST_BYTES_HERE) {
    const opened = await openFolder(request);
    return { ...opened, layout: new Layout(opened.vectors, vectorIndex, VectorCore.of(opened, vectorIndex)) };
  }
  const thread = new VectorThread();
  try {
    const { dimensions, blocks, count, ...rest } = await thread.call<Handed>('open', request);
    return { ...rest, layout: new Layout(new SharedVectors(dimensions, blocks, count), vectorIndex, thread) };
  } catch (error) {
    await thread.stop();
    throw error;
  }
}
