import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { sha256 } from '../../base/json.ts';
import type { Store } from '../../store/store.ts';
import { normalise } from '../index/lsa.ts';
import { type HnswlibFolder, readHnswlib } from '../langchain/hnswlib-files.ts';
import { type Chunk, searchableText } from '../read/chunk.ts';
import type { ImportReport, RagOptions } from '../types.ts';
import { IMPORTED_KIND, importRoot } from './import-root.ts';
import { type ImportedDocument, toDocuments } from './imported-documents.ts';
import { type Outcome, ProjectRows } from './project-rows.ts';
import type { IngestContext } from './types.ts';

type Rows = Pick<Store, 'sql' | 'transaction'>;

export interface ImportDeps {
  readonly store: Rows;
  readonly options: Pick<RagOptions, 'chunkWords'>;
}

export interface ImportRequest {
  readonly project: string;
  /** Absolute. */
  readonly folder: string;
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

/** Remove the documents imported from a folder. @returns how many there were. */
export function removeImported(store: Rows, project: string, folder: string): number {
  const records = new ProjectRows(store.sql, project);
  const gone = records.imported().filter(({ root }) => root === importRoot(folder));
  if (gone.length === 0) return 0;
  store.transaction(() => {
    for (const { id } of gone) records.remove(id);
    records.nameDocuments();
    records.bumpRevision();
  });
  return gone.length;
}

/** Copy what was imported into one project to another. What is already there is not copied again. */
export function copyImported(store: Rows, from: string, to: string): void {
  const records = new ProjectRows(store.sql, to);
  const here = new Set(records.imported().map(keyOf));
  for (const source of new ProjectRows(store.sql, from).imported()) {
    if (here.has(keyOf(source))) continue;
    store.transaction(() => {
      records.copy(source.id);
      records.bumpRevision();
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
    this.#root = importRoot(request.folder);
    this.#records = new ProjectRows(deps.store.sql, request.project);
    this.#staged = new ProjectRows(deps.store.sql, this.#staging);
  }

  async run(): Promise<ImportReport> {
    const store = await readHnswlib(this.#request.folder);
    const documents = toDocuments(store, this.#deps.options.chunkWords);
    const known = new Set(this.#records.imported().map(contentOf));
    const fresh = documents.filter((document) => !known.has(contentOf(document)));
    this.#clearStaging();
    try {
      await this.#stage(fresh);
      const vectors = this.#context.signal.aborted ? 0 : await this.#takeVectors(store, documents);
      if (this.#context.signal.aborted) return this.#report({ imported: 0, unchanged: 0, removed: 0, vectors: 0 });
      const removed = this.#take(documents, fresh.length);
      return this.#report({ imported: fresh.length, unchanged: documents.length - fresh.length, removed, vectors });
    } finally {
      this.#clearStaging();
    }
  }

  #report(counts: Pick<ImportReport, 'imported' | 'unchanged' | 'removed' | 'vectors'>): ImportReport {
    return { ...counts, chunks: this.#records.chunkCount(), aborted: this.#context.signal.aborted };
  }

  /** Also clears what an import that was killed left behind. */
  #clearStaging(): void {
    this.#deps.store.sql.prepare('DELETE FROM sources WHERE project = ?').run(this.#staging);
  }

  /** Write in several transactions, so that other writers get their turn. */
  async #stage(documents: readonly ImportedDocument[]): Promise<void> {
    const at = new Date().toISOString();
    const mtimeUs = Math.round(statSync(join(this.#request.folder, 'docstore.json')).mtimeMs * 1000);
    const ids = new Map<ImportedDocument, number>();
    for (const parts of inTransactions(documents.flatMap(partsOf))) {
      this.#deps.store.transaction(() => {
        for (const { document, from, chunks } of parts) {
          const id = ids.get(document) ?? this.#staged.save(this.#outcome(document, mtimeUs), at);
          ids.set(document, id);
          this.#staged.append(id, from, { chunks, title: null });
        }
      });
      const file = parts.at(-1)?.document.path ?? '';
      this.#context.progress({ done: ids.size, total: documents.length, file, stage: 'read' });
      await setImmediate();
      if (this.#context.signal.aborted) return;
    }
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
    let rows: TextVector[] = [];
    for await (const [label, values] of store.vectors()) {
      if (this.#context.signal.aborted) return taken;
      const sha = shaOf.get(label);
      const vector = normalise(values);
      if (sha !== undefined && vector) rows.push({ sha, vector });
      if (rows.length < ROWS_PER_TRANSACTION) continue;
      taken += this.#saveVectors(model, rows);
      rows = [];
    }
    return taken + this.#saveVectors(model, rows);
  }

  #saveVectors(model: string, rows: readonly TextVector[]): number {
    const insert = this.#deps.store.sql.prepare(
      'INSERT OR IGNORE INTO vectors (text_sha, model, dimensions, vector) VALUES (?, ?, ?, ?)',
    );
    this.#deps.store.transaction(() => {
      for (const { sha, vector } of rows) insert.run(sha, model, vector.length, new Uint8Array(vector.buffer));
    });
    return rows.length;
  }

  /** Move the collected rows to the project. @returns how many documents of an earlier import are gone. */
  #take(documents: readonly ImportedDocument[], fresh: number): number {
    const wanted = new Set(documents.map(contentOf));
    const gone = this.#records.imported().filter((each) => each.root === this.#root && !wanted.has(contentOf(each)));
    if (gone.length + fresh === 0) return 0;
    this.#deps.store.transaction(() => {
      for (const { id } of gone) this.#records.remove(id);
      this.#records.takeFrom(this.#staging);
      this.#records.nameDocuments();
      this.#records.bumpRevision();
    });
    return gone.length;
  }
}

interface TextVector {
  readonly sha: string;
  /** Of unit length. */
  readonly vector: Float32Array;
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

function keyOf({ root, path }: { readonly root: string; readonly path: string }): string {
  return `${root}\u0000${path}`;
}

function contentOf({ path, sha256: sha }: { readonly path: string; readonly sha256: string }): string {
  return `${sha} ${path}`;
}
