import { Document, type DocumentInterface } from '@langchain/core/documents';
import type { EmbeddingsInterface } from '@langchain/core/embeddings';
import { VectorStore } from '@langchain/core/vectorstores';
import { AssistantError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { VectorIndex } from '../index/hnsw-graph.ts';
import { normalise } from '../index/lsa.ts';
import { hnswlibBytes } from './hnswlib-files.ts';
import { Layout, type Opened, openLayout, type Row } from './layout.ts';
import { Pace } from './pace.ts';
import { type Filter, fitting, toLines } from './rows.ts';
import { SharedVectors } from './shared-vectors.ts';
import { damaged, parseDocument, readStoreManifest } from './store-files.ts';

export type { Filter } from './rows.ts';

export interface LocalVectorStoreOptions {
  /**
   * Identifies the embedding model: a store made with another one is refused. By default the embeddings' class name.
   */
  readonly model?: string;
  readonly vectorIndex?: VectorIndex;
}

/**
 * A LangChain vector store with ids, deletes, updates, filters, cosine scores (higher is better, only positive ones are
 * returned) and atomic saves to a folder. Uses an HNSW graph from 20,000 vectors on and compares all vectors below.
 * Large stores are searched in a thread of their own, which ends with `close`, the process, or the last reference.
 *
 * Vectors are kept in numbered slots of shared memory. Deleting a document leaves its slot dead until the store is
 * compacted.
 */
export class LocalVectorStore extends VectorStore {
  declare FilterType: Filter;
  readonly #options: LocalVectorStoreOptions;
  readonly #rows = new Map<string, Row>();
  #layout: Layout | undefined;
  /** Changes and saves run one after the other; searches see the last finished change. */
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

  override async addVectors(
    vectors: number[][],
    documents: DocumentInterface[],
    options?: { ids?: string[] },
  ): Promise<string[]> {
    return this.#inTurn(async () => {
      if (documents.length === 0) return [];
      const layout = this.#layout ?? this.#newLayout(vectors[0]?.length ?? 0);
      const rows = await this.#placeAll(layout, documents, { vectors, ids: options?.ids });
      this.#layout = layout;
      await this.#publish(layout, rows);
      return rows.map(({ id }) => id);
    });
  }

  override async delete({ ids }: { ids: string[] }): Promise<void> {
    await this.#inTurn(async () => {
      const layout = this.#layout;
      if (!layout) return;
      const removed = ids.flatMap((id) => this.#remove(layout, id) ?? []);
      await layout.publish(layout.vectors.count, removed);
      await this.#compact(layout);
    });
  }

  override async similaritySearchVectorWithScore(
    query: number[],
    k: number,
    filter?: Filter,
  ): Promise<[Document, number][]> {
    const layout = this.#layout;
    const vector = normalise(Float32Array.from(query));
    if (!vector || !layout || this.#rows.size === 0) return [];
    checkLength(layout, vector);
    const allowed = filter === undefined ? undefined : await fitting(layout, filter);
    const found = await layout.core.search({ vector, k, allowed });
    return found.flatMap(({ id: slot, score }): [Document, number][] => {
      const row = layout.rows[slot];
      return row ? [[new Document({ ...row.document, id: row.id }), score]] : [];
    });
  }

  /** Resolves when the graph contains every vector. Until then, searches compare the rest one by one. */
  async settle(): Promise<void> {
    await this.#inTurn(async () => this.#layout?.core.settle());
  }

  /** Write texts, vectors and graph. A process killed meanwhile leaves the former store intact. */
  async save(dir: string): Promise<void> {
    await this.#inTurn(async () => {
      const layout = this.#layout ?? this.#newLayout(0);
      await layout.core.save({ dir, model: this.#model(), documents: await toLines(layout) });
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
    const { model, vectors } = readStoreManifest(dir);
    if (model !== store.#model()) throw otherModel(model, store.#model());
    const request = { dir, form: 'own', vectorIndex: store.#vectorIndex() } as const;
    return store.#fill(dir, await openLayout(request, vectors.bytes));
  }

  /** Import a folder that LangChain's `HNSWLib` saved. `embeddings` must be the model that it was made with. */
  static async importHnswlib(
    dir: string,
    embeddings: EmbeddingsInterface,
    options?: LocalVectorStoreOptions,
  ): Promise<LocalVectorStore> {
    const store = new LocalVectorStore(embeddings, options);
    const request = { dir, form: 'hnswlib', vectorIndex: store.#vectorIndex() } as const;
    return store.#fill(dir, await openLayout(request, hnswlibBytes(dir)));
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

  /** End the thread of a large store. The store stays usable: the next call starts a new thread. */
  async close(): Promise<void> {
    await this.#inTurn(async () => this.#layout?.close());
  }

  #model(): string {
    return this.#options.model ?? this.embeddings.constructor.name;
  }

  #vectorIndex(): VectorIndex {
    return this.#options.vectorIndex ?? 'auto';
  }

  #newLayout(dimensions: number): Layout {
    return new Layout(new SharedVectors(dimensions), this.#vectorIndex());
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }

  /** Put every vector into a slot that is not published yet: when one is refused, none is added. */
  async #placeAll(
    layout: Layout,
    documents: readonly DocumentInterface[],
    { vectors, ids }: { vectors: readonly (readonly number[])[]; ids: readonly string[] | undefined },
  ): Promise<Row[]> {
    const pace = new Pace();
    const rows: Row[] = [];
    for (const [index, document] of documents.entries()) {
      const vector = normalise(Float32Array.from(vectors[index] ?? []));
      if (!vector) throw new TypeError('a vector must have a direction and only finite numbers');
      checkLength(layout, vector);
      const slot = layout.vectors.count + index;
      layout.vectors.put(slot, vector);
      rows.push({ id: ids?.[index] ?? document.id ?? newId('doc'), document, slot });
      if (pace.due) await pace.pause();
    }
    return rows;
  }

  async #publish(layout: Layout, rows: readonly Row[]): Promise<void> {
    const pace = new Pace();
    const removed: number[] = [];
    for (const row of rows) {
      removed.push(...this.#remove(layout, row.id));
      this.#rows.set(row.id, row);
      layout.rows[row.slot] = row;
      if (pace.due) await pace.pause();
    }
    await layout.publish(layout.vectors.count + rows.length, removed);
    await this.#compact(layout);
  }

  /** Remove a document. @returns its slot, which is dead now. */
  #remove(layout: Layout, id: string): number[] {
    const row = this.#rows.get(id);
    if (!row) return [];
    this.#rows.delete(id);
    layout.rows[row.slot] = undefined;
    return [row.slot];
  }

  /** Compact the store when too many slots are dead. Searches already running finish on the former layout. */
  async #compact(layout: Layout): Promise<void> {
    if (!layout.isSparse(this.#rows.size)) return;
    const fresh = this.#newLayout(layout.vectors.dimensions);
    const pace = new Pace();
    const living = layout.rows.filter((row) => row !== undefined);
    for (const [slot, row] of living.entries()) {
      fresh.vectors.put(slot, layout.vectors.at(row.slot));
      fresh.rows[slot] = { ...row, slot };
      if (pace.due) await pace.pause();
    }
    for (const row of fresh.rows) if (row) this.#rows.set(row.id, row);
    this.#layout = fresh;
    await fresh.publish(living.length, []);
    await layout.close();
  }

  /** Parse the documents of an opened folder, one line each. */
  async #fill(dir: string, { layout, slots, documents }: Opened): Promise<this> {
    const bytes = Buffer.from(documents);
    const pace = new Pace();
    try {
      let at = 0;
      for (const slot of slots) {
        const end = bytes.indexOf('\n', at);
        const { id, ...document } = parseDocument(bytes.toString('utf8', at, end < 0 ? at : end));
        const row = { id, document: new Document({ ...document, id }), slot };
        this.#rows.set(id, row);
        layout.rows[slot] = row;
        at = end + 1;
        if (pace.due) await pace.pause();
      }
    } catch (error) {
      await layout.close();
      throw damaged(dir, error);
    }
    if (slots.length > 0) this.#layout = layout;
    return this;
  }
}

function checkLength({ vectors }: Layout, { length }: Float32Array): void {
  if (vectors.dimensions !== length)
    throw otherModel(`vectors of ${vectors.dimensions} numbers`, `vectors of ${length} numbers`);
}

function otherModel(before: string, now: string): AssistantError {
  const hint = 'Use the model it was made with, or embed the documents again into a new store.';
  return new AssistantError('index_unavailable', `The store was made with ${before}, not with ${now}.`, { hint });
}
