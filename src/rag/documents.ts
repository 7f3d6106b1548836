import { resolve } from 'node:path';
import { AssistantError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Store } from '../store/store.ts';
import type { IngestRequest } from './ingest/ingest.ts';
import type { Projects } from './projects.ts';
import { extractAnswer } from './search/answer.ts';
import type { EngineQuery } from './search/engine.ts';
import { Thread } from './threads/rpc.ts';
import type {
  Documents,
  ExtractiveAnswer,
  Hit,
  IngestOptions,
  IngestReport,
  RagOptions,
  SearchOptions,
  SourceInfo,
} from './types.ts';

export interface DocumentsParts {
  /** Must be a file: threads open it for themselves. */
  readonly store: Store;
  readonly projects: Projects;
  readonly log: Log;
  readonly options: RagOptions;
}

/** A scan of the own folder may take at most this share of the time since the last one. */
const SCAN_SHARE = 0.1;
const ALWAYS_SCAN_BELOW_MS = 10;
/** Passages that an extractive answer is looked for in. */
const ANSWER_DEPTH = 8;

/** The documents of all projects. Reading, indexing and searching run in threads of their own. */
export function createDocuments(parts: DocumentsParts): Documents {
  return new ThreadedDocuments(parts);
}

class ThreadedDocuments implements Documents {
  readonly #parts: DocumentsParts;
  readonly #ingester: Thread;
  readonly #searchers = new Map<string, Thread>();
  readonly #scans = new Map<string, { at: number; tookMs: number }>();

  constructor(parts: DocumentsParts) {
    this.#parts = parts;
    const data = { database: parts.store.path, options: parts.options };
    this.#ingester = new Thread(new URL('./threads/ingest-thread.ts', import.meta.url), data);
  }

  async ingest(project: string, paths: readonly string[], options: IngestOptions): Promise<IngestReport> {
    const request = {
      ...this.#request(project),
      paths: paths.map((path) => resolve(path)),
      rebuild: options.rebuild === true,
    };
    return this.#ingester.call<IngestReport>('ingest', request, {
      signal: options.signal,
      onProgress: options.onProgress,
    });
  }

  async search(project: string, query: string, options: SearchOptions): Promise<readonly Hit[]> {
    await this.#refresh(project);
    options.signal?.throwIfAborted();
    const request: EngineQuery = { text: query, k: options.k, documents: options.documents === true };
    return this.#searcher(project).call<Hit[]>('search', request, { signal: options.signal });
  }

  async answer(project: string, question: string, options: SearchOptions): Promise<ExtractiveAnswer> {
    const hits = await this.search(project, question, { ...options, k: Math.max(options.k, ANSWER_DEPTH) });
    const { answer, passages } = extractAnswer(question, hits);
    return { answer, passages: passages.slice(0, options.k) };
  }

  async sources(project: string): Promise<readonly SourceInfo[]> {
    const rows = await this.#parts.store.db
      .selectFrom('sources')
      .select(['path', 'root', 'document_id', 'kind', 'state', 'chunks', 'size', 'error', 'indexed_at'])
      .where('project', '=', project)
      .orderBy('path')
      .execute();
    return rows.map((row) => ({
      ...{ file: row.path, root: row.root, documentId: row.document_id, kind: row.kind, state: row.state },
      ...{ chunks: row.chunks, bytes: row.size, error: row.error, indexedAt: row.indexed_at },
    }));
  }

  async forget(project: string): Promise<void> {
    const { store } = this.#parts;
    store.transaction(() => {
      store.sql.prepare('DELETE FROM sources WHERE project = ?').run(project);
      store.sql.prepare('DELETE FROM roots WHERE project = ?').run(project);
      store.sql.prepare('DELETE FROM corpora WHERE project = ?').run(project);
    });
    await this.#searchers.get(project)?.stop();
    this.#searchers.delete(project);
  }

  async close(): Promise<void> {
    await Promise.all([this.#ingester, ...this.#searchers.values()].map((thread) => thread.stop()));
    this.#searchers.clear();
  }

  /** A note just written must be found: look at the project's own folder before each search, while that is cheap. */
  async #refresh(project: string): Promise<void> {
    const last = this.#scans.get(project);
    const started = performance.now();
    const due = !last || last.tookMs < ALWAYS_SCAN_BELOW_MS || last.tookMs < (started - last.at) * SCAN_SHARE;
    if (!due || this.#ingester.busy) return;
    try {
      const { tookMs } = await this.#ingester.call<{ tookMs: number }>('refresh', this.#request(project));
      this.#scans.set(project, { at: started, tookMs });
    } catch (error) {
      if (!(error instanceof AssistantError)) throw error;
      this.#parts.log.warn('own documents were not looked at', { project, error: error.message });
    }
  }

  #request(project: string): IngestRequest {
    const { projects } = this.#parts;
    return { project, folder: projects.folder(project), attached: projects.attached(project), paths: [] };
  }

  #searcher(project: string): Thread {
    const known = this.#searchers.get(project);
    if (known) return known;
    const data = { database: this.#parts.store.path, project };
    const thread = new Thread(new URL('./threads/search-thread.ts', import.meta.url), data);
    this.#searchers.set(project, thread);
    return thread;
  }
}
