import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Document, type DocumentInterface } from '@langchain/core/documents';
import type { EmbeddingsInterface } from '@langchain/core/embeddings';
import { VectorStore } from '@langchain/core/vectorstores';
import { z } from 'zod';
import { AssistantError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { writeParts } from '../index/container.ts';
import { ExactVectors } from '../index/dense.ts';
import { GRAPH_FROM, Graph } from '../index/graph.ts';
import { normalise } from '../index/lsa.ts';
import { readVectors, writeVectors } from '../index/segment-file.ts';
import { readHnswlib } from './hnswlib-files.ts';

/** Keeps a document when it returns true, or when each given field of its metadata has the given value. */
export type Filter = ((document: DocumentInterface) => boolean) | Readonly<Record<string, unknown>>;

export interface LocalVectorStoreOptions {
  /** Vectors made by another model are refused; the class of the embeddings unless given. */
  readonly model?: string;
  readonly vectorIndex?: 'auto' | 'exact' | 'hnsw';
}

interface Row {
  readonly id: string;
  readonly document: DocumentInterface;
  readonly vector: Float32Array;
}

const MANIFEST = 'store.json';
const savedSchema = z.object({
  model: z.string(),
  dimensions: z.int(),
  vectors: z.object({ file: z.string(), bytes: z.int(), crc: z.int() }),
  documents: z.array(
    z.object({ id: z.string(), pageContent: z.string(), metadata: z.record(z.string(), z.unknown()) }),
  ),
});

/**
 * A LangChain vector store in a folder: real ids, deletes and updates, filters, cosine scores (higher is better),
 * atomic saves. By graph from 20,000 vectors on, one by one below.
 */
export class LocalVectorStore extends VectorStore {
  declare FilterType: Filter;
  readonly #options: LocalVectorStoreOptions;
  readonly #rows = new Map<string, Row>();
  #index:
    | {
        readonly rows: readonly Row[];
        search(vector: Float32Array, k: number, allowed: Uint8Array): { slot: number; score: number }[];
      }
    | undefined;

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

  /** @param options.ids the same id again replaces what it stood for. @returns the ids. */
  override async addDocuments(documents: DocumentInterface[], options?: { ids?: string[] }): Promise<string[]> {
    const texts = documents.map(({ pageContent }) => pageContent);
    return this.addVectors(await this.embeddings.embedDocuments(texts), documents, options);
  }

  override async addVectors(
    vectors: number[][],
    documents: DocumentInterface[],
    options?: { ids?: string[] },
  ): Promise<string[]> {
    const rows = documents.map((document, index) => this.#toRow(document, vectors[index], options?.ids?.[index]));
    for (const row of rows) this.#rows.set(row.id, row);
    this.#index = undefined;
    return rows.map(({ id }) => id);
  }

  override async delete({ ids }: { ids: string[] }): Promise<void> {
    for (const id of ids) this.#rows.delete(id);
    this.#index = undefined;
  }

  override async similaritySearchVectorWithScore(
    query: number[],
    k: number,
    filter?: Filter,
  ): Promise<[Document, number][]> {
    const vector = normalise(Float32Array.from(query));
    if (!vector || this.#rows.size === 0) return [];
    this.#checkLength(vector);
    this.#index ??= await this.#build();
    const { rows } = this.#index;
    const allowed = Uint8Array.from(rows, ({ document }) => (fits(document, filter) ? 1 : 0));
    const found = this.#index.search(vector, k, allowed);
    return found.flatMap(({ slot, score }): [Document, number][] => {
      const row = rows[slot];
      return row ? [[new Document({ ...row.document, id: row.id }), score]] : [];
    });
  }

  async save(dir: string): Promise<void> {
    mkdirSync(dir, { recursive: true });
    const rows = [...this.#rows.values()];
    const dimensions = rows[0]?.vector.length ?? 0;
    const all = new Float32Array(rows.length * dimensions);
    for (const [index, { vector }] of rows.entries()) all.set(vector, index * dimensions);
    const file = `vectors-${newId('v')}.bin`;
    const written = writeVectors(join(dir, file), { ids: Uint32Array.from(rows.keys()), vectors: all });
    const documents = rows.map(({ id, document: { pageContent, metadata } }) => ({ id, pageContent, metadata }));
    const saved = { model: this.#model(), dimensions, vectors: { file, ...written }, documents };
    writeParts(join(dir, MANIFEST), [Buffer.from(JSON.stringify(saved))]);
  }

  /** @throws AssistantError `index_unavailable` when it was made with another model or is damaged. */
  static async load(
    dir: string,
    embeddings: EmbeddingsInterface,
    options: LocalVectorStoreOptions = {},
  ): Promise<LocalVectorStore> {
    const store = new LocalVectorStore(embeddings, options);
    const { model, dimensions, vectors, documents } = readSaved(dir);
    if (model !== store.#model()) throw otherModel(model, store.#model());
    const { vectors: all } = readVectors(join(dir, vectors.file), vectors);
    const rows = documents.map((_document, index) =>
      Array.from(all.subarray(index * dimensions, (index + 1) * dimensions)),
    );
    await store.addVectors(
      rows,
      documents.map((each) => new Document(each)),
      { ids: documents.map(({ id }) => id) },
    );
    return store;
  }

  /** Take over a folder that LangChain's `HNSWLib` saved. `embeddings` must be the model that it was made with. */
  static async importHnswlib(
    dir: string,
    embeddings: EmbeddingsInterface,
    options?: LocalVectorStoreOptions,
  ): Promise<LocalVectorStore> {
    const store = new LocalVectorStore(embeddings, options);
    const entries = await readHnswlib(dir);
    await store.addVectors(
      entries.map(({ vector }) => vector),
      entries.map(({ document }) => document),
      { ids: entries.map(({ id }) => id) },
    );
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

  #model(): string {
    return this.#options.model ?? this.embeddings.constructor.name;
  }

  #toRow(document: DocumentInterface, values: readonly number[] | undefined, id: string | undefined): Row {
    const vector = normalise(Float32Array.from(values ?? []));
    if (!vector) throw new TypeError('a vector must have a direction and only finite numbers');
    this.#checkLength(vector);
    return { id: id ?? document.id ?? newId('doc'), document, vector };
  }

  #checkLength(vector: Float32Array): void {
    const [first] = this.#rows.values();
    if (first && first.vector.length !== vector.length)
      throw otherModel(`vectors of ${first.vector.length} numbers`, `vectors of ${vector.length} numbers`);
  }

  async #build() {
    const rows = [...this.#rows.values()];
    const dimensions = rows[0]?.vector.length ?? 0;
    const all = new Float32Array(rows.length * dimensions);
    for (const [index, { vector }] of rows.entries()) all.set(vector, index * dimensions);
    const part = { ids: Uint32Array.from(rows.keys()), vectors: all };
    const exact = new ExactVectors([part], { dimensions, slots: rows.length }, (id) => id);
    const { vectorIndex = 'auto' } = this.#options;
    const wanted = vectorIndex === 'hnsw' || (vectorIndex === 'auto' && rows.length > GRAPH_FROM);
    const graph = wanted ? await Graph.create(dimensions, rows.length) : undefined;
    for (const [index, { vector }] of rows.entries()) graph?.add(index, vector);
    const search = (vector: Float32Array, k: number, allowed: Uint8Array) => {
      // A graph that must skip most of what it meets is slower than looking at each.
      const all = allowed.every((flag) => flag === 1);
      return graph && all
        ? graph.search(vector, k).map(({ id, score }) => ({ slot: id, score }))
        : exact.search(vector, k, allowed);
    };
    return { rows, search };
  }
}

function fits(document: DocumentInterface, filter: Filter | undefined): boolean {
  if (filter === undefined) return true;
  if (typeof filter === 'function') return (filter as (document: DocumentInterface) => boolean)(document);
  return Object.entries(filter).every(([key, value]) => (document.metadata as Record<string, unknown>)[key] === value);
}

function readSaved(dir: string): z.infer<typeof savedSchema> {
  try {
    return savedSchema.parse(JSON.parse(readFileSync(join(dir, MANIFEST), 'utf8')));
  } catch (error) {
    const hint = 'Make it anew from its documents.';
    throw new AssistantError('index_unavailable', `${dir} holds no vector store.`, { hint, cause: error });
  }
}

function otherModel(before: string, now: string): AssistantError {
  const hint = 'Use the model it was made with, or embed the documents anew into another store.';
  return new AssistantError('index_unavailable', `The store was made with ${before}, not with ${now}.`, { hint });
}
