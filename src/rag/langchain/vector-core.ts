import { ExactVectors } from '../index/exact-vectors.ts';
import { GRAPH_FROM, type GraphHit, HnswGraph, type VectorIndex, wantsGraph } from '../index/hnsw-graph.ts';
import { NativeLock } from '../threads/native-lock.ts';
import { Pace } from './pace.ts';
import { SharedVectors } from './shared-vectors.ts';
import { type OpenedStore, type SaveJob, writeStore } from './store-files.ts';

/** Everything needed to search the same vectors in another thread. */
export interface CoreState extends CoreChange {
  readonly dimensions: number;
  readonly vectorIndex: VectorIndex;
}

/** The current vectors, and slots that are dead from now on. Applying a change twice does no harm. */
export interface CoreChange {
  readonly blocks: readonly SharedArrayBuffer[];
  readonly count: number;
  readonly removed: Uint32Array;
}

export interface CoreQuery {
  /** Of unit length. */
  readonly vector: Float32Array;
  readonly k: number;
  /** By slot: 1 for those that may be found; all by default. */
  readonly allowed?: Uint8Array | undefined;
}

/** Searches the vectors of one store: in this thread, or in another. */
export interface Core {
  update(change: CoreChange): Promise<void>;
  /** @returns slots with a positive cosine, best first. */
  search(query: CoreQuery): Promise<readonly GraphHit[]>;
  /** Resolves when the graph, if there is one, contains every vector. */
  settle(): Promise<void>;
  save(job: SaveJob): Promise<void>;
  close(): Promise<void>;
}

/**
 * Searches the graph if there is one, and compares one by one what it does not contain yet or a filter lets through.
 */
export class VectorCore implements Core {
  readonly #gate: NativeLock;
  readonly #vectorIndex: VectorIndex;
  readonly #dead = new Set<number>();
  #vectors: SharedVectors;
  #graph: HnswGraph | undefined;
  /** Slots below this one are in the graph or dead. */
  #graphed = 0;
  #building: Promise<void> | undefined;
  #exact: { readonly from: number; readonly vectors: ExactVectors } | undefined;

  /** @param graph contains every vector of the state. @param gate for a thread that may be ended from outside. */
  constructor(
    state: CoreState,
    { graph, gate = new NativeLock() }: { graph?: HnswGraph | undefined; gate?: NativeLock } = {},
  ) {
    this.#gate = gate;
    this.#vectorIndex = state.vectorIndex;
    this.#vectors = new SharedVectors(state.dimensions, state.blocks, state.count);
    for (const slot of state.removed) this.#dead.add(slot);
    this.#graph = graph;
    if (graph) this.#graphed = state.count;
    this.#build();
  }

  static of({ vectors, slots, graph }: OpenedStore, vectorIndex: VectorIndex, gate?: NativeLock): VectorCore {
    const { dimensions, blocks, count } = vectors;
    const live = new Set(slots);
    const removed = Uint32Array.from({ length: count }, (_, slot) => slot).filter((slot) => !live.has(slot));
    const state = { dimensions, vectorIndex, blocks, count, removed };
    return new VectorCore(state, { graph: wantsGraph(vectorIndex, count) ? graph : undefined, ...(gate && { gate }) });
  }

  async update({ blocks, count, removed }: CoreChange): Promise<void> {
    this.#vectors = new SharedVectors(this.#vectors.dimensions, blocks, count);
    for (const slot of removed) {
      this.#dead.add(slot);
      this.#gate.pass(() => this.#graph?.removeIfThere(slot));
    }
    this.#exact = undefined;
    this.#build();
  }

  async search({ vector, k, allowed }: CoreQuery): Promise<GraphHit[]> {
    // Comparing all vectors is faster than a graph that must skip most points, or one that lacks many of them.
    const isBehind = this.#vectors.count - this.#graphed > GRAPH_FROM;
    const graph = allowed || isBehind ? undefined : this.#graph;
    const found = (this.#gate.pass(() => graph?.search(vector, k)) ?? []).filter(({ score }) => score > 0);
    const from = graph ? this.#graphed : 0;
    if (from === this.#vectors.count) return found;
    const others = this.#exactFrom(from).search(vector, k, allowed);
    const all = [...found, ...others.map(({ docId, score }) => ({ id: docId, score }))];
    return all.sort((a, b) => b.score - a.score || a.id - b.id).slice(0, k);
  }

  async settle(): Promise<void> {
    this.#build();
    await this.#building;
  }

  async save(job: SaveJob): Promise<void> {
    await this.settle();
    await writeStore(job, { vectors: this.#vectors, dead: this.#dead, graph: this.#graph });
  }

  /** Stop building the graph. */
  async close(): Promise<void> {
    this.#gate.shut();
  }

  #exactFrom(from: number): ExactVectors {
    if (this.#exact?.from === from) return this.#exact.vectors;
    const { dimensions, count } = this.#vectors;
    const slotOf = (slot: number) => (this.#dead.has(slot) ? -1 : slot);
    const vectors = new ExactVectors(this.#vectors.parts(from), { dimensions, docCount: count }, slotOf);
    this.#exact = { from, vectors };
    return vectors;
  }

  #build(): void {
    if (this.#building || this.#graphed === this.#vectors.count) return;
    if (!wantsGraph(this.#vectorIndex, this.#vectors.count)) return;
    this.#building = this.#extend().finally(() => {
      this.#building = undefined;
    });
    // Searches go on without the graph; whoever waits for it gets the error.
    this.#building.catch(() => undefined);
  }

  async #extend(): Promise<void> {
    this.#graph ??= await HnswGraph.create(this.#vectors.dimensions, this.#vectors.count);
    const pace = new Pace();
    while (this.#graph && !this.#gate.isShut && this.#graphed < this.#vectors.count) {
      // Searches run in the pauses and must find each vector in one place only.
      const slot = this.#graphed++;
      if (!this.#dead.has(slot)) this.#gate.pass(() => this.#graph?.add(slot, this.#vectors.at(slot)));
      if (pace.due) await pace.pause();
    }
  }
}
