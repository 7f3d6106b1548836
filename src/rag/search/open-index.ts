import { basename, join } from 'node:path';
import { fileStamp } from '../file-stamp.ts';
import { Damaged } from '../index/array-file.ts';
import { measureFile } from '../index/array-file-writer.ts';
import { Bm25 } from '../index/bm25.ts';
import type { CachedIndex } from '../index/cached-index.ts';
import { HnswGraph } from '../index/hnsw-graph.ts';
import type { Lsa } from '../index/lsa.ts';
import { EMPTY_MANIFEST, type IndexFile, type Manifest, moveAside, readManifest } from '../index/manifest.ts';
import { mergeSegments, type Segment, SegmentBuilder } from '../index/segment.ts';
import { type Lazy, NO_VECTORS, openLsa, openSegment, readVectors, type VectorRows } from '../index/segment-file.ts';
import type { VectorTable } from '../index/vector-table.ts';
import { type Corpus, searchable } from './corpus.ts';
import { VectorRetriever } from './dense-retriever.ts';
import { DocIds } from './doc-ids.ts';

export interface OpenIndexDeps {
  readonly dir: string;
  readonly corpus: Corpus;
  /** `model:NAME` to use the vectors of an embedding model, undefined for LSA. */
  readonly model: string | undefined;
  /** Keeps the folder as it is published, where machines share an index. */
  readonly cache?: CachedIndex | undefined;
  /** Where the vectors are if they are not in files. */
  readonly table?: VectorTable | undefined;
}

const CHUNKS_PER_READ = 1000;
/** Segments in memory are merged beyond this number. */
const MOST_FRESH = 8;
/** Differs from every real state of rows and files. */
const NEVER = { revision: -1, stamp: 'never' };

interface Filed {
  readonly manifest: Manifest;
  readonly segments: ReadonlyMap<string, Segment & Lazy>;
  readonly lsa: ({ readonly lsa: Lsa } & Lazy) | undefined;
  readonly graph: Promise<HnswGraph | undefined>;
}

const NOTHING: Filed = {
  manifest: EMPTY_MANIFEST,
  segments: new Map(),
  lsa: undefined,
  graph: Promise.resolve(undefined),
};

/**
 * One project's index, open for searching: what the index files hold, and chunks newer than them in memory. Follows the
 * database and the files as other processes change them, and goes on without damaged files. Of large files only the
 * parts that searches touch are read. Its methods must be called one after the other.
 */
export class OpenIndex {
  readonly #deps: OpenIndexDeps;
  #filed = NOTHING;
  #fresh: Segment[] = [];
  #seen = NEVER;
  /** The chunks that existed at a revision; -1: not known. */
  #alive = { revision: NEVER.revision, ids: new Set<number>() };
  readonly #damaged: string[] = [];
  /** Chunk id by document id. */
  ids = new Uint32Array(0);
  /** 1 by document id; 0 for chunks deleted since the files were written. */
  live = new Uint8Array(0);
  words = new Bm25([]);
  grams = new Bm25([]);
  dense: VectorRetriever | undefined;

  constructor(deps: OpenIndexDeps) {
    this.#deps = deps;
  }

  /** Damaged files moved aside since the last call, which the writer should rebuild. */
  takeDamaged(): string[] {
    return this.#damaged.splice(0);
  }

  /** How many chunks are indexed in memory only. */
  get unfiled(): number {
    return this.#fresh.reduce((sum, { ids }) => sum + ids.length, 0);
  }

  /** Take in what has changed since the last call. Cheap when nothing has. */
  async follow(): Promise<void> {
    await this.#deps.cache?.sync();
    const seen = { revision: await this.#deps.corpus.revision(), stamp: this.#stamp() };
    if (seen.revision === this.#seen.revision && seen.stamp === this.#seen.stamp) return;
    if (seen.stamp !== this.#seen.stamp) {
      this.#replaceFiled(this.#readFiles());
      this.#fresh = [];
    }
    if (await this.#isComplete(seen.revision)) {
      this.#alive = { revision: NEVER.revision, ids: new Set() };
      await this.#assemble(undefined);
    } else {
      await this.#advance(seen.revision);
      await this.#addFresh(this.#alive.ids);
      await this.#assemble(this.#alive.ids);
    }
    this.#seen = seen;
  }

  /** Learn which chunks exist at a revision: from the changes since the last one where those are known. */
  async #advance(revision: number): Promise<void> {
    const { ids, revision: before } = this.#alive;
    const known = before >= 0 && before <= revision && (await this.#deps.corpus.advance(ids, before, revision));
    this.#alive = { revision, ids: known ? ids : new Set(await this.#deps.corpus.ids()) };
  }

  /** Drop a file that turned out to be damaged during a search; the next `follow` fills the gap from the rows. */
  leaveOut(path: string): void {
    const name = basename(path);
    const { manifest, segments, lsa } = this.#filed;
    if (readManifest(this.#deps.dir).next === manifest.next) this.#setAside(name);
    const kept = new Map([...segments].filter(([file]) => file !== name));
    this.#replaceFiled({ ...this.#filed, segments: kept, lsa: manifest.dense?.lsa?.file === name ? undefined : lsa });
    this.#seen = { ...this.#seen, revision: NEVER.revision };
  }

  /** Changes whenever the manifest is replaced. */
  #stamp(): string {
    return fileStamp(join(this.#deps.dir, 'manifest.json'));
  }

  /** Whether the files hold exactly the project's chunks: then a large index opens without listing all their ids. */
  async #isComplete(revision: number): Promise<boolean> {
    const { manifest, segments } = this.#filed;
    if (manifest.revision !== revision || this.#fresh.length > 0) return false;
    let count = 0;
    for (const { ids } of segments.values()) count += ids.length;
    return count === (await this.#deps.corpus.count());
  }

  #replaceFiled(filed: Filed): void {
    const before = this.#filed;
    this.#filed = filed;
    for (const [file, segment] of before.segments) if (!filed.segments.has(file)) segment.close();
    if (before.lsa !== filed.lsa) before.lsa?.close();
  }

  #readFiles(): Filed {
    for (;;) {
      const manifest = readManifest(this.#deps.dir);
      const opened: Lazy[] = [];
      try {
        return this.#open(manifest, opened);
      } catch (error) {
        for (const each of opened) each.close();
        // Unless a writer replaced the files while they were being read, the error is real.
        if (this.#stamp() === 'none' || readManifest(this.#deps.dir).next === manifest.next) throw error;
      }
    }
  }

  /** @param opened collects what is newly opened, so that the caller can close it again on failure. */
  #open(manifest: Manifest, opened: Lazy[]): Filed {
    const before = this.#filed;
    const attempt = <T extends Lazy>(file: IndexFile, openFile: (path: string, file: IndexFile) => T) => {
      const found = this.#attempt(manifest, file, openFile);
      if (found) opened.push(found);
      return found;
    };
    const segments = new Map<string, Segment & Lazy>();
    for (const file of manifest.segments) {
      const segment = before.segments.get(file.file) ?? attempt(file, openSegment);
      if (segment) segments.set(file.file, segment);
    }
    const [dense, old] = [manifest.dense, before.manifest.dense];
    const ofLsa = this.#deps.model === undefined ? dense?.lsa : null;
    const keptLsa = ofLsa?.file === old?.lsa?.file ? before.lsa : undefined;
    const lsa = keptLsa ?? (ofLsa ? attempt(ofLsa, openLsa) : undefined);
    const sameGraph = dense?.graph?.file === old?.graph?.file;
    return { manifest, segments, lsa, graph: sameGraph ? before.graph : this.#loadGraph(manifest) };
  }

  /** Undefined when there is no graph, or none that can be used. */
  async #loadGraph(manifest: Manifest): Promise<HnswGraph | undefined> {
    const { dense } = manifest;
    if (!dense?.graph || !this.#fits(manifest)) return undefined;
    const { file, crc } = dense.graph;
    const path = join(this.#deps.dir, file);
    try {
      if ((await measureFile(path)).crc !== crc) throw new Damaged(path, 'wrong checksum');
      return await HnswGraph.load(path, dense.dimensions);
    } catch {
      // Without the graph, vectors are compared one by one.
      if (readManifest(this.#deps.dir).next === manifest.next) this.#setAside(file);
      return undefined;
    }
  }

  /** Undefined for a damaged file, which is moved aside unless a newer manifest shows that it was just replaced. */
  #attempt<T>(manifest: Manifest, file: IndexFile, readFile: (path: string, file: IndexFile) => T): T | undefined {
    const { dir } = this.#deps;
    try {
      return readFile(join(dir, file.file), file);
    } catch (error) {
      if (readManifest(dir).next !== manifest.next) throw error;
      this.#setAside(file.file);
      return undefined;
    }
  }

  #setAside(file: string): void {
    this.#damaged.push(file);
    moveAside(this.#deps.dir, file);
  }

  async #addFresh(ids: ReadonlySet<number>): Promise<void> {
    const { corpus } = this.#deps;
    const known = new DocIds(this.#segments().map((segment) => segment.ids));
    const missing = [...ids].filter((id) => known.of(id) < 0);
    if (missing.length === 0) return;
    const builder = new SegmentBuilder();
    for (let at = 0; at < missing.length; at += CHUNKS_PER_READ)
      for (const [id, chunk] of await corpus.getMany(missing.slice(at, at + CHUNKS_PER_READ)))
        builder.add(id, searchable(chunk));
    this.#fresh.push(builder.build());
    if (this.#fresh.length > MOST_FRESH) this.#fresh = [mergeSegments(this.#fresh, () => true)];
  }

  #segments(): Segment[] {
    return [...this.#filed.segments.values(), ...this.#fresh];
  }

  /** @param live the chunk ids that still exist; all when left out. */
  async #assemble(live: ReadonlySet<number> | undefined): Promise<void> {
    const segments = this.#segments();
    this.ids = concatenated(segments.map(({ ids }) => ids));
    this.live = live
      ? Uint8Array.from(this.ids, (id) => (live.has(id) ? 1 : 0))
      : new Uint8Array(this.ids.length).fill(1);
    this.words = new Bm25(segments.map((segment) => segment.words));
    this.grams = new Bm25(segments.map((segment) => segment.grams));
    this.dense = await this.#denseRetriever();
  }

  async #denseRetriever(): Promise<VectorRetriever | undefined> {
    const { manifest, graph } = this.#filed;
    const lsa = this.#filed.lsa?.lsa;
    const { corpus, model } = this.#deps;
    const dense = this.#fits(manifest) ? manifest.dense : null;
    const dimensions = dense?.dimensions ?? (model === undefined ? 0 : await corpus.vectorDimensions(model));
    if (dimensions === 0 || (model === undefined && !lsa)) return undefined;
    const docIds = new DocIds(this.#segments().map(({ ids }) => ids));
    const vectorsOf = async ({ ids, words }: Segment) =>
      lsa ? lsa.embedAll(words) : await corpus.vectors(ids, model ?? '', dimensions);
    const fresh: VectorRows[] = [];
    for (const segment of this.#fresh) fresh.push({ ids: segment.ids, vectors: await vectorsOf(segment) });
    const { table } = this.#deps;
    const source = table && dense?.table;
    const tabled = source !== undefined && (await table?.has(source, dimensions)) ? table : undefined;
    return new VectorRetriever({
      ...(tabled && {
        nearest: (vector: Float32Array, depth: number, mask: Uint8Array | undefined) =>
          tabled.search(source ?? '', vector, {
            depth,
            ids: mask && [...this.ids.filter((_, docId) => mask[docId] === 1)],
          }),
      }),
      ...{ kind: model === undefined ? 'lsa' : 'model', dimensions, docCount: this.ids.length, lsa, graph, fresh },
      filed: () => (dense && this.#attempt(manifest, dense, readVectors)) ?? NO_VECTORS,
      docIdOf: (id) => docIds.of(id),
    });
  }

  /** Whether the vectors on disk are those of the current model, or of LSA when none is set. */
  #fits({ dense }: Manifest): boolean {
    return dense !== null && (this.#deps.model === undefined ? dense.lsa !== null : dense.id === this.#deps.model);
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
