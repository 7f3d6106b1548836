import { ExactVectors } from '../index/exact-vectors.ts';
import { GRAPH_FROM, type GraphHit, HnswGraph, type VectorIndex, wantsGraph } from '../index/hnsw-graph.ts';
import { NativeGate } from '../threads/native-gate.ts';
import { Pace } from './pace.ts';
import { SharedVectors } from './shared-vectors.ts';
import { type OpenedStore, type SaveJob, writeStore } from './store-files.ts';

/** All that is needed to search the same vectors elsewhere. */
export interface CoreState extends CoreChange {
  readonly dimensions: number;
  readonly vectorIndex: VectorIndex;
}

/** What there is now, and the slots that are dead from now on. Taking one in twice does no harm. */
export interface CoreChange {
  readonly blocks: readonly SharedArrayBuffer[];
  readonly count: number;
  readonly removed: Uint32Array;
}

export interface CoreQuery {
  /** Of length 1. */
  readonly vector: Float32Array;
  readonly k: number;
  /** 1 for each slot that may be found; all may unless given. */
  readonly allowed?: Uint8Array | undefined;
}

/** Where the vectors of one store are searched: here, or in a thread. */
export interface Core {
  update(change: CoreChange): Promise<void>;
  /** @returns slots with a positive cosine, best first. */
  search(query: CoreQuery): Promise<readonly GraphHit[]>;
  /** Resolves when the graph, where there is to be one, holds every vector. */
  settle(): Promise<void>;
  save(job: SaveJob): Promise<void>;
  close(): Promise<void>;
}

/** Searches by graph where there is one, one by one what the graph does not hold yet or a filter lets through. */
export class VectorCore implements Core {
  readonly #gate: NativeGate;
  readonly #vectorIndex: VectorIndex;
  readonly #dead = new Set<number>();
  #vectors: SharedVectors;
  #graph: HnswGraph | undefined;
  /** Slots below are in the graph or dead. */
  #graphed = 0;
  #building: Promise<void> | undefined;
  #exact: { readonly from: number; readonly vectors: ExactVectors } | undefined;

  /** @param graph holds every vector of the state. @param gate where the thread may be ended from outside. */
  constructor(
    state: CoreState,
    { graph, gate = new NativeGate() }: { graph?: HnswGraph | undefined; gate?: NativeGate } = {},
  ) {
    this.#gate = gate;
    this.#vectorIndex = state.vectorIndex;
    this.#vectors = new SharedVectors(state.dimensions, state.blocks, state.count);
    for (const slot of state.removed) this.#dead.add(slot);
    this.#graph = graph;
    if (graph) this.#graphed = state.count;
    this.#build();
  }

  static of({ vectors, slots, graph }: OpenedStore, vectorIndex: VectorIndex, gate?: NativeGate): VectorCore {
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
    // A graph that must skip most of what it meets is slower than looking at each; a rest that large is as well.
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

  /** Ends the building of a graph; for one who is done with this. */
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
    // Searching goes on one by one; who waits for the graph gets the error.
    this.#building.catch(() => undefined);
  }

  async #extend(): Promise<void> {
    this.#graph ??= await HnswGraph.create(this.#vectors.dimensions, this.#vectors.count);
    const pace = new Pace();
    while (this.#graph && !this.#gate.isShut && this.#graphed < this.#vectors.count) {
      // Searches come in the pauses, and must find each vector in one place only.
      const slot = this.#graphed++;
      if (!this.#dead.has(slot)) this.#gate.pass(() => this.#graph?.add(slot, this.#vectors.at(slot)));
      if (pace.due) await pace.pause();
    }
  }
}
