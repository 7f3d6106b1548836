import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { Document, type DocumentInterface } from '@langchain/core/documents';
import type { EmbeddingsInterface } from '@langchain/core/embeddings';
import { VectorStore } from '@langchain/core/vectorstores';
import { z } from 'zod';
import { AssistantError } from '../../base/errors.ts';
import { makeFolder } from '../../base/folders.ts';
import { newId } from '../../base/ids.ts';
import { Damaged, type Written } from '../index/array-file.ts';
import { measureFile, writeParts } from '../index/array-file-writer.ts';
import { HnswGraph, type VectorIndex, wantsGraph } from '../index/hnsw-graph.ts';
import { normalise } from '../index/lsa.ts';
import { moveAside } from '../index/manifest.ts';
import { readVectors, writeVectors } from '../index/segment-file.ts';
import { readHnswlib, refused } from './hnswlib-files.ts';

/** Keeps the documents for which it returns true, or whose metadata has each of the given values. */
export type Filter = ((document: DocumentInterface) => boolean) | Readonly<Record<string, unknown>>;

export interface LocalVectorStoreOptions {
  /** Names the embedding model: a store made with another one is refused. The embeddings' class name by default. */
  readonly model?: string;
  readonly vectorIndex?: VectorIndex;
}

interface Row {
  readonly id: string;
  readonly document: DocumentInterface;
  /** Of unit length. */
  readonly vector: Float32Array;
  /** Its number in the graph and in saved files. */
  readonly label: number;
}

const MANIFEST = 'store.json';
/** The names of our own files, which are deleted once the manifest no longer lists them. */
const OURS = /^(?:vectors|documents|graph)-v_\w+\.(?:bin|jsonl|hnsw)(?:\.writing)?$/u;
/** Deleted points slow a graph down: with more points than this per document it is rebuilt. */
const MOST_POINTS = 1.4;
const SPARE_POINTS = 1000;
const SLICE_MS = 5;

const fileSchema = z.object({ file: z.string().regex(/^[a-z]+-v_\w+\.[a-z]+$/u), bytes: z.int(), crc: z.int() });
const manifestSchema = z.object({
  model: z.string(),
  dimensions: z.int().min(0).max(100_000),
  vectors: fileSchema,
  /** JSON lines in the order of the vectors. */
  documents: fileSchema,
  graph: fileSchema.nullable().default(null),
});
const documentSchema = z.object({
  id: z.string(),
  pageContent: z.string(),
  metadata: z.record(z.string(), z.unknown()),
});

/**
 * A LangChain vector store with ids, deletes, updates, filters, cosine scores (higher is better, only positive ones are
 * returned) and atomic saves to a folder. Compares all vectors up to 20,000, and searches an HNSW graph above.
 */
export class LocalVectorStore extends VectorStore {
  declare FilterType: Filter;
  readonly #options: LocalVectorStoreOptions;
  readonly #rows = new Map<string, Row>();
  readonly #byLabel = new Map<number, Row>();
  #nextLabel = 0;
  /** Contains every row if it exists. */
  #graph: HnswGraph | undefined;
  /** Changes and saves run one after the other. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(embeddings: EmbeddingsInterface, options: LocalVectorStoreOptions = {}) {
    super(embeddings, {});
    this.#options = options;
  }

  override _vectorstoreType(): string {
    return 'wooster';
  }

  get size(): number {
    return this.#rows.size;
  }

  /** @param options.ids an id that exists already replaces its document. @returns the ids. */
  override async addDocuments(documents: DocumentInterface[], options?: { ids?: string[] }): Promise<string[]> {
    const texts = documents.map(({ pageContent }) => pageContent);
    return this.addVectors(await this.embeddings.embedDocuments(texts), documents, options);
  }

  /** When one vector is refused, none is added. */
  override async addVectors(
    vectors: readonly ArrayLike<number>[],
    documents: DocumentInterface[],
    options?: { ids?: string[] },
  ): Promise<string[]> {
    return this.#inTurn(async () => {
      const dimensions = this.#dimensions ?? vectors[0]?.length ?? 0;
      const rows: Row[] = [];
      await inSlices([...documents.entries()], ([index, document]) => {
        const vector = normalise(Float32Array.from(vectors[index] ?? []));
        if (!vector) throw new TypeError('a vector must have a direction and only finite numbers');
        checkLength(dimensions, vector.length);
        const id = options?.ids?.[index] ?? document.id ?? newId('doc');
        rows.push({ id, document, vector, label: this.#nextLabel++ });
      });
      await inSlices(rows, (row) => this.#put(row));
      await this.#keepGraph();
      return rows.map(({ id }) => id);
    });
  }

  override async delete({ ids }: { ids: string[] }): Promise<void> {
    await this.#inTurn(async () => {
      for (const id of ids) this.#remove(id);
      await this.#keepGraph();
    });
  }

  override async similaritySearchVectorWithScore(
    query: number[],
    k: number,
    filter?: Filter,
  ): Promise<[Document, number][]> {
    const vector = normalise(Float32Array.from(query));
    if (!vector || this.size === 0) return [];
    checkLength(this.#dimensions ?? 0, vector.length);
    // Comparing all vectors is faster than a graph that has to skip most of its points.
    const hits = filter === undefined ? this.#graph?.search(vector, k) : undefined;
    const scored = hits
      ? hits.flatMap(({ id, score }) => ({ row: this.#byLabel.get(id), score }))
      : [...this.#rows.values()]
          .filter(({ document }) => filter === undefined || fits(document, filter))
          .map((row) => ({ row, score: dot(vector, row.vector) }));
    return scored
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, k)
      .flatMap(({ row, score }): [Document, number][] =>
        row ? [[new Document({ ...row.document, id: row.id }), score]] : [],
      );
  }

  /** Write texts, vectors and graph. A process killed meanwhile leaves the former store intact. */
  async save(dir: string): Promise<void> {
    await this.#inTurn(async () => {
      makeFolder(dir);
      const id = newId('v');
      const name = { vectors: `vectors-${id}.bin`, documents: `documents-${id}.jsonl`, graph: `graph-${id}.hnsw` };
      const rows = [...this.#rows.values()].sort((a, b) => a.label - b.label);
      const dimensions = this.#dimensions ?? 0;
      const vectors = new Float32Array(rows.length * dimensions);
      const lines: Buffer[] = [];
      await inSlices(rows, ({ id, document: { pageContent, metadata }, vector }) => {
        vectors.set(vector, lines.length * dimensions);
        lines.push(Buffer.from(`${JSON.stringify({ id, pageContent, metadata })}\n`));
      });
      const ids = Uint32Array.from(rows, ({ label }) => label);
      const manifest: z.infer<typeof manifestSchema> = {
        ...{ model: this.#model, dimensions },
        vectors: { file: name.vectors, ...writeVectors(join(dir, name.vectors), { ids, vectors }) },
        documents: { file: name.documents, ...writeParts(join(dir, name.documents), [Buffer.concat(lines)]) },
        graph: this.#graph ? { file: name.graph, ...(await saveGraph(this.#graph, join(dir, name.graph))) } : null,
      };
      writeParts(join(dir, MANIFEST), [Buffer.from(JSON.stringify(manifest))]);
      const listed = new Set<string>(Object.values(name));
      for (const file of readdirSync(dir)) if (OURS.test(file) && !listed.has(file)) rmSync(join(dir, file));
    });
  }

  /**
   * Open a saved store.
   *
   * @throws AssistantError `index_unavailable` when it is damaged or was made with another model.
   */
  static async load(
    dir: string,
    embeddings: EmbeddingsInterface,
    options: LocalVectorStoreOptions = {},
  ): Promise<LocalVectorStore> {
    const store = new LocalVectorStore(embeddings, options);
    const manifest = readManifest(dir);
    if (manifest.model !== store.#model) throw otherModel(manifest.model, store.#model);
    try {
      await store.#fill(dir, manifest);
    } catch (error) {
      // Another process may have saved the store while the files were being read.
      if (readManifest(dir).vectors.file !== manifest.vectors.file)
        return LocalVectorStore.load(dir, embeddings, options);
      const hint = 'Build it again from its documents, or restore a backup of the folder.';
      throw new AssistantError('index_unavailable', `The vector store in ${dir} is damaged.`, { hint, cause: error });
    }
    return store;
  }

  /**
   * Import a folder that LangChain's `HNSWLib` saved; its numbers become the ids.
   *
   * @param embeddings must be the model that the folder was made with.
   * @throws AssistantError `index_unavailable` when the folder is incomplete or damaged.
   */
  static async importHnswlib(
    dir: string,
    embeddings: EmbeddingsInterface,
    options?: LocalVectorStoreOptions,
  ): Promise<LocalVectorStore> {
    const { texts, vectorOf } = await readHnswlib(dir);
    const store = new LocalVectorStore(embeddings, options);
    const vectors: Float32Array[] = [];
    await inSlices(texts, ({ label }) => {
      const vector = normalise(vectorOf(label));
      if (!vector) throw refused(dir, `vector ${label} is zero or not finite`);
      vectors.push(vector);
    });
    const documents = texts.map((text) => new Document(text));
    await store.addVectors(vectors, documents, { ids: texts.map(({ label }) => String(label)) });
    return store;
  }

  static override async fromTexts(
    texts: string[],
    metadatas: object[] | object,
    embeddings: EmbeddingsInterface,
    options?: LocalVectorStoreOptions,
  ): Promise<LocalVectorStore> {
    const metadataOf = (index: number) => ({ ...(Array.isArray(metadatas) ? metadatas[index] : metadatas) });
    const documents = texts.map((pageContent, index) => new Document({ pageContent, metadata: metadataOf(index) }));
    return LocalVectorStore.fromDocuments(documents, embeddings, options);
  }

  static override async fromDocuments(
    documents: DocumentInterface[],
    embeddings: EmbeddingsInterface,
    options?: LocalVectorStoreOptions,
  ): Promise<LocalVectorStore> {
    const store = new LocalVectorStore(embeddings, options);
    await store.addDocuments(documents);
    return store;
  }

  get #model(): string {
    return this.#options.model ?? this.embeddings.constructor.name;
  }

  /** Undefined for an empty store, which accepts vectors of any length. */
  get #dimensions(): number | undefined {
    for (const { vector } of this.#rows.values()) return vector.length;
    return undefined;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }

  #put(row: Row): void {
    this.#remove(row.id);
    this.#rows.set(row.id, row);
    this.#byLabel.set(row.label, row);
    this.#graph?.add(row.label, row.vector);
  }

  #remove(id: string): void {
    const row = this.#rows.get(id);
    if (!row) return;
    this.#rows.delete(id);
    this.#byLabel.delete(row.label);
    this.#graph?.removeIfThere(row.label);
  }

  /** Build the graph when the store needs one and has none, or one of mostly deleted points. */
  async #keepGraph(): Promise<void> {
    if (!wantsGraph(this.#options.vectorIndex ?? 'auto', this.size) || this.size === 0) {
      this.#graph = undefined;
      return;
    }
    if (this.#graph && this.#graph.size <= this.size * MOST_POINTS + SPARE_POINTS) return;
    const fresh = await HnswGraph.create(this.#dimensions ?? 0, this.size);
    await inSlices([...this.#rows.values()], ({ label, vector }) => fresh?.add(label, vector));
    this.#graph = fresh;
  }

  async #fill(dir: string, manifest: z.infer<typeof manifestSchema>): Promise<void> {
    const { dimensions } = manifest;
    const path = join(dir, manifest.vectors.file);
    const { ids: labels, vectors } = readVectors(path, manifest.vectors);
    if (vectors.length !== labels.length * dimensions) throw new Damaged(path, 'vectors of another length');
    const texts = join(dir, manifest.documents.file);
    await check(texts, manifest.documents);
    const lines = readFileSync(texts);
    let at = 0;
    await inSlices([...labels.entries()], ([index, label]) => {
      const end = lines.indexOf('\n', at);
      const { id, ...document } = documentSchema.parse(JSON.parse(lines.toString('utf8', at, Math.max(at, end))));
      const vector = vectors.slice(index * dimensions, (index + 1) * dimensions);
      this.#put({ id, document: new Document({ ...document, id }), vector, label });
      at = end + 1;
    });
    this.#nextLabel = (labels.at(-1) ?? -1) + 1;
    this.#graph = manifest.graph
      ? await loadGraph(dir, manifest.graph, { dimensions, least: labels.length })
      : undefined;
    await this.#keepGraph();
  }
}

/** Keeps a long loop from blocking the event loop. */
async function inSlices<T>(items: readonly T[], work: (item: T) => unknown): Promise<void> {
  let since = performance.now();
  for (const item of items) {
    work(item);
    if (performance.now() - since <= SLICE_MS) continue;
    await setImmediate();
    since = performance.now();
  }
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let axis = 0; axis < a.length; axis++) sum += (a[axis] as number) * (b[axis] as number);
  return sum;
}

function fits(document: DocumentInterface, filter: Filter): boolean {
  if (typeof filter === 'function') return (filter as (document: DocumentInterface) => boolean)(document);
  return Object.entries(filter).every(([key, value]) => (document.metadata as Record<string, unknown>)[key] === value);
}

/** @throws AssistantError `index_unavailable` when the folder holds none. */
function readManifest(dir: string): z.infer<typeof manifestSchema> {
  try {
    return manifestSchema.parse(JSON.parse(readFileSync(join(dir, MANIFEST), 'utf8')));
  } catch (error) {
    const hint = 'Build it again from its documents.';
    throw new AssistantError('index_unavailable', `${dir} holds no vector store.`, { hint, cause: error });
  }
}

async function saveGraph(graph: HnswGraph, path: string): Promise<Written> {
  await graph.save(path);
  return measureFile(path);
}

/** A damaged graph is moved aside: it can be built from the vectors. */
async function loadGraph(
  dir: string,
  { file, ...written }: z.infer<typeof fileSchema>,
  { dimensions, least }: { dimensions: number; least: number },
): Promise<HnswGraph | undefined> {
  const path = join(dir, file);
  try {
    await check(path, written);
    const graph = await HnswGraph.load(path, dimensions);
    if (graph && graph.size < least) throw new Damaged(path, 'fewer vectors');
    return graph;
  } catch {
    moveAside(dir, file);
    return undefined;
  }
}

/** @throws Damaged when size or checksum do not fit. */
async function check(path: string, { bytes, crc }: Written): Promise<void> {
  const found = await measureFile(path);
  if (found.bytes !== bytes || found.crc !== crc) throw new Damaged(path, 'wrong size or checksum');
}

function checkLength(before: number, now: number): void {
  if (before !== now) throw otherModel(`vectors of ${before} numbers`, `vectors of ${now} numbers`);
}

function otherModel(before: string, now: string): AssistantError {
  const hint = 'Use the model it was made with, or embed the documents again into a new store.';
  return new AssistantError('index_unavailable', `The store was made with ${before}, not with ${now}.`, { hint });
}
