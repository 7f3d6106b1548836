import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { sha256 } from '../../base/json.ts';
import type { Store } from '../../store/store.ts';
import { normalise } from '../index/lsa.ts';
import { type HnswlibFolder, readHnswlib } from '../langchain/hnswlib-files.ts';
import { type Chunk, searchableText } from '../read/chunk.ts';
import type { ImportReport, RagOptions } from '../types.ts';
import { inBatches } from './batches.ts';
import { nameDocuments } from './document-names.ts';
import { IMPORTED_KIND, importRoot } from './import-root.ts';
import { type ImportedDocument, toDocuments } from './imported-documents.ts';
import { type Outcome, ProjectRows, sourceKey } from './project-rows.ts';
import type { IngestContext } from './types.ts';
import { type EmbeddedText, vectorRow } from './vector-rows.ts';

export interface ImportDeps {
  readonly store: Store;
  readonly options: Pick<RagOptions, 'chunkWords'>;
}

export interface ImportRequest {
  readonly project: string;
  /** Absolute. */
  readonly folder: string;
  /** The same folder as named in the database. */
  readonly storedFolder: string;
  /** The `model:NAME` that made the store's vectors, if they are to be kept. */
  readonly model: string | undefined;
}

/** A few texts of a store with their unit vectors, to verify which model made them. */
export interface Sample {
  readonly texts: readonly string[];
  readonly vectors: readonly Float32Array[];
}

const VERSION = 'hnswlib.1';
const ROWS_PER_TRANSACTION = 2000;
const SAMPLES = 3;

/**
 * Bring a project's rows up to date with a saved store, in one transaction at the end: an import that is stopped or
 * killed before it leaves the project as it was.
 */
export async function importStore(
  deps: ImportDeps,
  request: ImportRequest,
  context: IngestContext,
): Promise<ImportReport> {
  return new ImportRun(deps, request, context).run();
}

/** Take a few texts of a store with their vectors. @throws AssistantError `index_unavailable` */
export async function sampleOf(folder: string): Promise<Sample> {
  const store = await readHnswlib(folder);
  const chosen = store.texts.filter(({ pageContent }) => pageContent.trim() !== '').slice(0, SAMPLES);
  return {
    texts: chosen.map(({ pageContent }) => pageContent),
    vectors: chosen.map(({ label }) => {
      const vector = store.vectorOf(label);
      return normalise(vector) ?? vector;
    }),
  };
}

/** Remove the documents imported from a folder, given as the database names it. @returns how many there were. */
export async function removeImported(store: Store, project: string, folder: string): Promise<number> {
  const records = new ProjectRows(store, project);
  const gone = (await records.imported()).filter(({ root }) => root === importRoot(folder));
  if (gone.length === 0) return 0;
  await store.transaction(async () => {
    const removed = await records.remove(gone);
    await nameDocuments(store, project);
    await records.bumpRevision(removed);
  });
  return gone.length;
}

/** Copy what was imported into one project to another. What is already there is not copied again. */
export async function copyImported(store: Store, from: string, to: string): Promise<void> {
  const records = new ProjectRows(store, to);
  const here = new Set((await records.imported()).map(sourceKey));
  for (const source of await new ProjectRows(store, from).imported()) {
    if (here.has(sourceKey(source))) continue;
    await store.transaction(async () => {
      await records.bumpRevision(await records.copy(source.id));
    });
  }
}

class ImportRun {
  readonly #deps: ImportDeps;
  readonly #request: ImportRequest;
  readonly #context: IngestContext;
  readonly #records: ProjectRows;
  /** A name that no project can have, under which rows are collected. */
  readonly #staging: string;
  readonly #staged: ProjectRows;
  readonly #root: string;

  constructor(deps: ImportDeps, request: ImportRequest, context: IngestContext) {
    this.#deps = deps;
    this.#request = request;
    this.#context = context;
    this.#staging = `${request.project}~import`;
    this.#root = importRoot(request.storedFolder);
    this.#records = new ProjectRows(deps.store, request.project);
    this.#staged = new ProjectRows(deps.store, this.#staging);
  }

  async run(): Promise<ImportReport> {
    const store = await readHnswlib(this.#request.folder);
    const documents = toDocuments(store, this.#deps.options.chunkWords);
    const known = new Set((await this.#records.imported()).map(contentOf));
    const fresh = documents.filter((document) => !known.has(contentOf(document)));
    await this.#clearStaging();
    try {
      await this.#stage(fresh);
      const vectors = this.#context.signal.aborted ? 0 : await this.#takeVectors(store, documents);
      if (this.#context.signal.aborted)
        return await this.#report({ imported: 0, unchanged: 0, removed: 0, vectors: 0 });
      const removed = await this.#take(documents, fresh.length);
      const unchanged = documents.length - fresh.length;
      return await this.#report({ imported: fresh.length, unchanged, removed, vectors });
    } finally {
      await this.#clearStaging();
    }
  }

  async #report(counts: Pick<ImportReport, 'imported' | 'unchanged' | 'removed' | 'vectors'>): Promise<ImportReport> {
    return { ...counts, chunks: await this.#records.chunkCount(), aborted: this.#context.signal.aborted };
  }

  /** Also clears what an import that was killed left behind. */
  async #clearStaging(): Promise<void> {
    await this.#deps.store.db.deleteFrom('sources').where('project', '=', this.#staging).execute();
  }

  /** Write in several transactions, so that other writers get their turn. */
  async #stage(documents: readonly ImportedDocument[]): Promise<void> {
    const at = new Date().toISOString();
    const mtimeUs = Math.round(statSync(join(this.#request.folder, 'docstore.json')).mtimeMs * 1000);
    let ids: ReadonlyMap<ImportedDocument, number> = new Map();
    for (const parts of inTransactions(documents.flatMap(partsOf))) {
      const before = ids;
      ids = await this.#deps.store.transaction(() => this.#stageParts(parts, before, { at, mtimeUs }));
      const file = parts.at(-1)?.document.path ?? '';
      this.#context.progress({ done: ids.size, total: documents.length, file, stage: 'read' });
      await setImmediate();
      if (this.#context.signal.aborted) return;
    }
  }

  /** @returns the ids of the documents before, and of those that are new with these parts. */
  async #stageParts(
    parts: readonly Part[],
    before: ReadonlyMap<ImportedDocument, number>,
    { at, mtimeUs }: { at: string; mtimeUs: number },
  ): Promise<ReadonlyMap<ImportedDocument, number>> {
    const fresh = [...new Set(parts.map(({ document }) => document))].filter((document) => !before.has(document));
    const { ids: saved } = await this.#staged.save(
      fresh.map((document) => this.#outcome(document, mtimeUs)),
      at,
    );
    const ids = new Map([...before, ...fresh.map((document, index) => [document, saved[index] ?? 0] as const)]);
    await this.#staged.append(
      parts.map(({ document, ...part }) => ({ ...part, source: ids.get(document) ?? 0, title: null })),
    );
    return ids;
  }

  #outcome({ path, bytes, sha256: sha, chunks: passages }: ImportedDocument, mtimeUs: number): Outcome {
    const file = { root: this.#root, path, absolute: '', size: bytes, mtimeUs };
    const state = passages.length === 0 ? 'empty' : 'indexed';
    return { file, sha256: sha, kind: IMPORTED_KIND, version: VERSION, title: null, state, error: null, chunks: [] };
  }

  /** Vectors are stored by text and model, whichever project has the text: superfluous ones do no harm. */
  async #takeVectors(store: HnswlibFolder, documents: readonly ImportedDocument[]): Promise<number> {
    const { model } = this.#request;
    if (model === undefined) return 0;
    const shaOf = new Map<number, string>();
    for (const { chunks: passages } of documents)
      for (const { label, chunk } of passages)
        if (label !== undefined) shaOf.set(label, sha256(searchableText(chunk, null)));
    let taken = 0;
    let rows: EmbeddedText[] = [];
    for await (const [label, values] of store.vectors()) {
      if (this.#context.signal.aborted) return taken;
      const sha = shaOf.get(label);
      const vector = normalise(values);
      if (sha !== undefined && vector) rows.push({ sha, vector });
      if (rows.length < ROWS_PER_TRANSACTION) continue;
      taken += await this.#saveVectors(model, rows);
      rows = [];
    }
    return taken + (await this.#saveVectors(model, rows));
  }

  async #saveVectors(model: string, rows: readonly EmbeddedText[]): Promise<number> {
    const { store } = this.#deps;
    const values = rows.map((row) => vectorRow(model, row));
    await store.transaction(async () => {
      for (const some of inBatches(values))
        await store.db
          .insertInto('vectors')
          .values(some)
          .onConflict((conflict) => conflict.columns(['text_sha', 'model']).doNothing())
          .execute();
    });
    return rows.length;
  }

  /** Move the collected rows to the project. @returns how many documents of an earlier import are gone. */
  async #take(documents: readonly ImportedDocument[], fresh: number): Promise<number> {
    const wanted = new Set(documents.map(contentOf));
    const known = await this.#records.imported();
    const gone = known.filter((each) => each.root === this.#root && !wanted.has(contentOf(each)));
    if (gone.length + fresh === 0) return 0;
    await this.#deps.store.transaction(async () => {
      const removed = await this.#records.remove(gone);
      const taken = await this.#records.takeFrom(this.#staging);
      await nameDocuments(this.#deps.store, this.#request.project);
      await this.#records.bumpRevision(removed, taken);
    });
    return gone.length;
  }
}

/** Some chunks of a document, from the `from`-th on. */
interface Part {
  readonly document: ImportedDocument;
  readonly from: number;
  readonly chunks: readonly Chunk[];
}

function partsOf(document: ImportedDocument): Part[] {
  const chunks = document.chunks.map((passage) => passage.chunk);
  const parts: Part[] = [{ document, from: 0, chunks: chunks.slice(0, ROWS_PER_TRANSACTION) }];
  for (let from = ROWS_PER_TRANSACTION; from < chunks.length; from += ROWS_PER_TRANSACTION)
    parts.push({ document, from, chunks: chunks.slice(from, from + ROWS_PER_TRANSACTION) });
  return parts;
}

/** Group the parts into transactions of about `ROWS_PER_TRANSACTION` rows. */
function inTransactions(parts: readonly Part[]): Part[][] {
  const groups: Part[][] = [];
  let rows = ROWS_PER_TRANSACTION;
  for (const part of parts) {
    if (rows >= ROWS_PER_TRANSACTION) {
      groups.push([]);
      rows = 0;
    }
    groups.at(-1)?.push(part);
    rows += part.chunks.length + 1;
  }
  return groups;
}

function contentOf({ path, sha256: sha }: { readonly path: string; readonly sha256: string }): string {
  return `${sha} ${path}`;
}
