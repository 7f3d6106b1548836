import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { HierarchicalNSW } from 'hnswlib-node';
import { syncFolder } from './array-file-writer.ts';

/** From this many vectors on, the graph pays off. */
export const GRAPH_FROM = 20_000;

export type VectorIndex = 'auto' | 'exact' | 'hnsw';

/** Whether an index of this many vectors gets a graph. */
export function wantsGraph(vectorIndex: VectorIndex, count: number): boolean {
  return vectorIndex === 'hnsw' || (vectorIndex === 'auto' && count > GRAPH_FROM);
}

/** HNSW's M: links per point. */
const NEIGHBOURS = 16;
/** HNSW's efConstruction. */
const BUILD_WIDTH = 100;
/** Capacity grows by this factor. */
const HEAD_ROOM = 1.25;
/** HNSW's minimum ef: the width of a search. */
const LEAST_WIDTH = 200;

export interface GraphHit {
  readonly id: number;
  readonly score: number;
}

/**
 * An HNSW graph over unit vectors, labelled with chunk ids. The library is native and may be missing.
 *
 * @see Malkov and Yashunin 2018, "Efficient and robust approximate nearest neighbor search using HNSW graphs"
 */
export class HnswGraph {
  readonly #index: HierarchicalNSW;

  private constructor(index: HierarchicalNSW) {
    this.#index = index;
  }

  /** Undefined if the native library cannot be loaded on this machine. */
  static async create(dimensions: number, capacity: number): Promise<HnswGraph | undefined> {
    const library = await loadLibrary();
    if (!library) return undefined;
    const index = new library.HierarchicalNSW('ip', dimensions);
    index.initIndex(Math.ceil(capacity * HEAD_ROOM) + 16, NEIGHBOURS, BUILD_WIDTH, 100, true);
    return new HnswGraph(index);
  }

  /**
   * Undefined when the native library cannot be loaded.
   *
   * @throws when the file is not a graph of that many dimensions.
   */
  static async load(path: string, dimensions: number): Promise<HnswGraph | undefined> {
    const library = await loadLibrary();
    if (!library) return undefined;
    const index = new library.HierarchicalNSW('ip', dimensions);
    await index.readIndex(path, true);
    return new HnswGraph(index);
  }

  get size(): number {
    return this.#index.getCurrentCount();
  }

  add(id: number, vector: Float32Array): void {
    const full = this.#index.getMaxElements();
    if (this.size >= full) this.#index.resizeIndex(Math.ceil(full * HEAD_ROOM) + 16);
    this.#index.addPoint(Array.from(vector), id);
  }

  /** Mark a point as deleted. A chunk that never had a vector is not an error. */
  removeIfThere(id: number): void {
    try {
      this.#index.markDelete(id);
    } catch {
      // The library has no "has"; it throws for an unknown label and for one that is already deleted.
    }
  }

  /** @param filter ids that may be returned; slow if it is very selective. */
  search(vector: Float32Array, k: number, filter?: (id: number) => boolean): GraphHit[] {
    const wanted = Math.min(k, this.size);
    if (wanted === 0) return [];
    // The width is not stored in the file and must be at least k.
    this.#index.setEf(Math.max(LEAST_WIDTH, 2 * wanted));
    const { neighbors, distances } = this.#index.searchKnn(Array.from(vector), wanted, filter);
    return neighbors.map((id, index) => ({ id, score: 1 - (distances[index] ?? 1) }));
  }

  /** Write atomically: to a temporary file, which is synced and then renamed. */
  async save(path: string): Promise<void> {
    const temporary = `${path}.writing`;
    rmSync(temporary, { force: true });
    await this.#index.writeIndex(temporary);
    const file = openSync(temporary, 'r+');
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
    syncFolder(dirname(path));
  }
}

async function loadLibrary(): Promise<typeof import('hnswlib-node') | undefined> {
  try {
    const library = await import('hnswlib-node');
    return 'default' in library ? (library.default as typeof library) : library;
  } catch {
    return undefined;
  }
}
