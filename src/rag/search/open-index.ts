import { statSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { Bm25 } from '../index/bm25.ts';
import { Damaged, readWhole } from '../index/container.ts';
import { Graph } from '../index/graph.ts';
import type { Lsa } from '../index/lsa.ts';
import { EMPTY_MANIFEST, type IndexFile, type Manifest, moveAside, readManifest } from '../index/manifest.ts';
import { mergeSegments, type Segment, SegmentBuilder } from '../index/segment.ts';
import { readLsa, readSegment, readVectors, type VectorRows } from '../index/segment-file.ts';
import { type Corpus, searchable } from './corpus.ts';
import { VectorArm } from './dense-arm.ts';

export interface OpenIndexParts {
  readonly dir: string;
  readonly corpus: Corpus;
  /** `model:NAME` when a model's vectors are to be used. */
  readonly model: string | undefined;
}

const CHUNKS_PER_READ = 1000;
const MOST_FRESH = 8;
const NO_VECTORS: VectorRows = { ids: new Uint32Array(0), vectors: new Float32Array(0) };

interface Filed {
  readonly manifest: Manifest;
  readonly segments: ReadonlyMap<string, Segment>;
  readonly lsa: Lsa | undefined;
  readonly graph: Graph | undefined;
}

/**
 * One project's index, open for searching: files as far as they go, the rest in memory. Follows rows and files as
 * others change them, and does without what is broken.
 */
export class OpenIndex {
  readonly #parts: OpenIndexParts;
  #filed: Filed = { manifest: EMPTY_MANIFEST, segments: new Map(), lsa: undefined, graph: undefined };
  #fresh: Segment[] = [];
  #seen = { revision: -1, stamp: 'never' };
  readonly #damaged: string[] = [];
  ids = new Uint32Array(0);
  live = new Uint8Array(0);
  words = new Bm25([]);
  grams = new Bm25([]);
  dense: VectorArm | undefined;

  constructor(parts: OpenIndexParts) {
    this.#parts = parts;
  }

  /** Broken files that were moved aside since the last call; the writer should make them anew. */
  takeDamaged(): string[] {
    return this.#damaged.splice(0);
  }

  /** Take in what changed since the last look; cheap when nothing did. */
  async follow(): Promise<void> {
    const seen = { revision: this.#parts.corpus.revision(), stamp: stampOf(this.#parts.dir) };
    if (seen.revision === this.#seen.revision && seen.stamp === this.#seen.stamp) return;
    if (seen.stamp !== this.#seen.stamp) {
      this.#filed = await this.#readFiles();
      this.#fresh = [];
    }
    if (this.#isComplete(seen.revision)) this.#assemble(() => true);
    else {
      const ids = this.#parts.corpus.ids();
      this.#addFresh(ids);
      const live = new Set(ids);
      this.#assemble((id) => live.has(id));
    }
    this.#seen = seen;
  }

  /** Whether the files hold exactly the rows: then a large store opens without a look at each of its ids. */
  #isComplete(revision: number): boolean {
    const { manifest, segments } = this.#filed;
    if (manifest.revision !== revision || this.#fresh.length > 0) return false;
    let count = 0;
    for (const { ids } of segments.values()) count += ids.length;
    return count === this.#parts.corpus.count();
  }

  async #readFiles(): Promise<Filed> {
    for (;;) {
      const manifest = readManifest(this.#parts.dir);
      try {
        return await this.#load(manifest);
      } catch (error) {
        // A writer put other files into use while these were read.
        if (stampOf(this.#parts.dir) === 'none' || readManifest(this.#parts.dir).next === manifest.next) throw error;
      }
    }
  }

  async #load(manifest: Manifest): Promise<Filed> {
    // The library reads in a thread of its own, so that goes first.
    const graph = this.#loadGraph(manifest);
    graph.catch(() => undefined);
    const segments = new Map<string, Segment>();
    for (const file of manifest.segments) {
      const segment = this.#filed.segments.get(file.file) ?? this.#attempt(manifest, file, readSegment);
      if (segment) segments.set(file.file, segment);
    }
    const { dense } = manifest;
    const lsa = dense?.lsa && this.#parts.model === undefined ? this.#attempt(manifest, dense.lsa, readLsa) : undefined;
    return { manifest, segments, lsa, graph: await graph };
  }

  async #loadGraph(manifest: Manifest): Promise<Graph | undefined> {
    const { dense } = manifest;
    if (!dense?.graph || !this.#fits(manifest)) return undefined;
    const sound = this.#attempt(manifest, dense.graph, checkWhole);
    return sound && (await Graph.load(join(this.#parts.dir, dense.graph.file), dense.dimensions));
  }

  /** Undefined for a broken file, which is moved aside, unless a newer manifest shows that it was just replaced. */
  #attempt<T>(manifest: Manifest, file: IndexFile, readFile: (path: string, file: IndexFile) => T): T | undefined {
    const { dir } = this.#parts;
    try {
      return readFile(join(dir, file.file), file);
    } catch (error) {
      if (readManifest(dir).next !== manifest.next) throw error;
      this.#damaged.push(file.file);
      moveAside(dir, file.file);
      return undefined;
    }
  }

  #addFresh(ids: readonly number[]): void {
    const { corpus } = this.#parts;
    const known = new Set(this.#segments().flatMap((segment) => [...segment.ids]));
    const missing = ids.filter((id) => !known.has(id));
    if (missing.length === 0) return;
    const builder = new SegmentBuilder();
    for (let at = 0; at < missing.length; at += CHUNKS_PER_READ)
      for (const [id, chunk] of corpus.getMany(missing.slice(at, at + CHUNKS_PER_READ)))
        builder.add(id, searchable(chunk));
    this.#fresh.push(builder.build());
    if (this.#fresh.length > MOST_FRESH) this.#fresh = [mergeSegments(this.#fresh, () => true)];
  }

  #segments(): Segment[] {
    return [...this.#filed.segments.values(), ...this.#fresh];
  }

  #assemble(isLive: (id: number) => boolean): void {
    const segments = this.#segments();
    this.ids = concatenated(segments.map(({ ids }) => ids));
    this.live = Uint8Array.from(this.ids, (id) => (isLive(id) ? 1 : 0));
    this.words = new Bm25(segments.map((segment) => segment.words));
    this.grams = new Bm25(segments.map((segment) => segment.grams));
    this.dense = this.#denseArm();
  }

  #denseArm(): VectorArm | undefined {
    const { manifest, lsa, graph } = this.#filed;
    const { corpus, model } = this.#parts;
    const dense = this.#fits(manifest) ? manifest.dense : null;
    const dimensions = dense?.dimensions ?? (model === undefined ? 0 : corpus.vectorDimensions(model));
    if (dimensions === 0 || (model === undefined && !lsa)) return undefined;
    const slots = new Map(Array.from(this.ids, (id, slot) => [id, slot]));
    const fresh = this.#fresh.map((segment) => ({
      ids: segment.ids,
      vectors: lsa ? lsa.embedAll(segment.words) : corpus.vectors(segment.ids, model ?? '', dimensions),
    }));
    return new VectorArm({
      ...{ kind: model === undefined ? 'lsa' : 'model', dimensions, slots: this.ids.length, lsa, graph, fresh },
      filed: () => (dense && this.#attempt(manifest, dense, readVectors)) ?? NO_VECTORS,
      slotOf: (id) => slots.get(id) ?? -1,
    });
  }

  /** Whether the vectors on disk are of the kind that is asked for now. */
  #fits({ dense }: Manifest): boolean {
    return dense !== null && (this.#parts.model === undefined ? dense.lsa !== null : dense.id === this.#parts.model);
  }
}

function concatenated(parts: readonly Uint32Array[]): Uint32Array<ArrayBuffer> {
  const whole = new Uint32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function checkWhole(path: string, file: IndexFile): true {
  if (crc32(new Uint8Array(readWhole(path, file.bytes))) !== file.crc) throw new Damaged(`${path}: wrong checksum`);
  return true;
}

/** Changes whenever the manifest is replaced. */
function stampOf(dir: string): string {
  const found = statSync(join(dir, 'manifest.json'), { throwIfNoEntry: false });
  return found ? `${found.ino} ${found.size} ${found.mtimeMs}` : 'none';
}
