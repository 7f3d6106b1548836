import { join, resolve } from 'node:path';
import { AssistantError, messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Store } from '../store/store.ts';
import { Embedder, type EmbeddingModel } from './embedder.ts';
import { fileStamp } from './file-stamp.ts';
import { type ImportDeps, importRows } from './imports.ts';
import { readManifest } from './index/manifest.ts';
import type { IngestRequest } from './ingest/ingest.ts';
import { withWriterLock } from './ingest/writer-lock.ts';
import type { Projects } from './projects.ts';
import { extractAnswer } from './search/answer.ts';
import { parseQuery, resolveQuery } from './search/query.ts';
import { lexicalReranker, RERANK_DEPTH, type Reranker, rerank } from './search/rerank.ts';
import type { SearchRequest, SearchResponse } from './search/search-engine.ts';
import type { IndexRequest } from './threads/ingest-thread.ts';
import { closed, Thread } from './threads/rpc.ts';
import { beginTrial, clearProject, hasTrial, isTrial, ownerOf, type TrialDirs, takeTrial, trialOf } from './trial.ts';
import type {
  Documents,
  ExtractiveAnswer,
  Hit,
  ImportOptions,
  ImportReport,
  IngestOptions,
  IngestReport,
  RagOptions,
  SearchOptions,
  SourceInfo,
  WatchOptions,
} from './types.ts';
import { watchPaths } from './watch.ts';

export interface DocumentsDeps {
  /** Must be a file: threads open it for themselves. */
  readonly store: Store;
  readonly projects: Projects;
  /** Where the indexes lie, one folder per project. */
  readonly vectorDataDir: string;
  readonly log: Log;
  readonly options: RagOptions;
  /** Its vectors take the place of LSA. */
  readonly embedding?: EmbeddingModel | undefined;
  /** What the `rerank` option `model` stands for; without it that option changes nothing. */
  readonly reranker?: Reranker | undefined;
}

interface Rebuild {
  readonly paths: readonly string[];
  readonly dirs: TrialDirs;
}

/** A scan of the own folder may take at most this share of the time since the last one. */
const SCAN_SHARE = 0.1;
const ALWAYS_SCAN_BELOW_MS = 10;
/** Passages that an extractive answer is looked for in. */
const ANSWER_DEPTH = 8;

/** The documents of all projects. Reading, indexing and searching run in threads of their own. */
export function createDocuments(deps: DocumentsDeps): Documents {
  return new ThreadedDocuments(deps);
}

class ThreadedDocuments implements Documents {
  readonly #deps: DocumentsDeps;
  readonly #ingester: Thread;
  readonly #embedder: Embedder | undefined;
  readonly #reranker: Reranker | undefined;
  readonly #searchers = new Map<string, Thread>();
  readonly #refreshing = new Map<string, Promise<void>>();
  readonly #scans = new Map<string, { at: number; tookMs: number; journal: string }>();
  readonly #background = new Set<Promise<void>>();
  readonly #rebuilding = new Set<string>();
  #closed = false;

  constructor(deps: DocumentsDeps) {
    this.#deps = deps;
    const data = { database: deps.store.path, options: deps.options };
    this.#ingester = new Thread(new URL('./threads/ingest-thread.ts', import.meta.url), data);
    this.#reranker = { none: undefined, lexical: lexicalReranker, model: deps.reranker }[deps.options.rerank];
    this.#embedder = deps.embedding && new Embedder(deps.store, deps.embedding);
  }

  async ingest(project: string, paths: readonly string[], options: IngestOptions): Promise<IngestReport> {
    const absolute = paths.map((path) => resolve(path));
    const dirs = { project: this.#dir(project), trial: this.#dir(trialOf(project)) };
    if (options.rebuild) return this.#rebuild(project, { paths: absolute, dirs }, options);
    this.#refuseMixing(project);
    await this.#clearLeftTrial(project, dirs);
    return this.#take(project, { ...this.#request(project), paths: absolute }, options);
  }

  /** Make a new store beside the old one, have it judged, and only then put it into the old one's place. */
  async #rebuild(project: string, { paths, dirs }: Rebuild, options: IngestOptions): Promise<IngestReport> {
    const { store } = this.#deps;
    const trial = trialOf(project);
    await Promise.all(this.#background);
    // Nobody else may write meanwhile: folders remembered there would be lost with the rows that are replaced.
    return withWriterLock(dirs.project, project, async () => {
      this.#rebuilding.add(project);
      try {
        beginTrial(store, project, dirs);
        const { report, accepted } = await this.#makeTrial(trial, paths, options);
        await this.#closeSearcher(trial);
        if (!accepted) return { ...report, refused: !report.aborted };
        await this.#closeSearcher(project);
        takeTrial(store, project, dirs);
        return report;
      } finally {
        this.#rebuilding.delete(project);
        await this.#closeSearcher(trial);
        clearProject(store, trial, dirs.trial);
      }
    });
  }

  async #makeTrial(trial: string, paths: readonly string[], options: IngestOptions) {
    const project = ownerOf(trial);
    const request = { ...this.#request(project), project: trial, importedOf: project };
    const named = paths.length > 0 ? await this.#take(trial, { ...request, paths }, options) : undefined;
    const all = await this.#take(trial, request, options);
    const report = { ...all, missing: [...new Set([...(named?.missing ?? []), ...all.missing])] };
    return { report, accepted: !report.aborted && ((await options.accept?.(trial)) ?? true) };
  }

  /** What a rebuild that was killed left behind. */
  async #clearLeftTrial(project: string, dirs: TrialDirs): Promise<void> {
    const { store } = this.#deps;
    if (!hasTrial(store, project, dirs.trial)) return;
    await withWriterLock(dirs.project, project, async () => clearProject(store, trialOf(project), dirs.trial));
  }

  async #take(project: string, request: IngestRequest, { signal, onProgress }: IngestOptions): Promise<IngestReport> {
    const calling = { signal, onProgress };
    const found = await this.#ingester.call<IngestReport>('ingest', { request, dir: this.#dir(project) }, calling);
    const withheldFrom = this.withheldFrom(project);
    const report = { ...found, ...(withheldFrom !== undefined && { withheldFrom }) };
    if (report.aborted || signal.aborted) return report;
    await this.#follow(project, calling);
    return { ...report, aborted: signal.aborted };
  }

  /** Bring vectors and index up to date with the rows. */
  async #follow(project: string, calling: Parameters<Embedder['embedMissing']>[1]): Promise<void> {
    await this.#embedderOf(project)?.embedMissing(project, calling);
    await this.#ingester.call('index', this.#indexRequest(project, false), calling);
  }

  async importStore(project: string, folder: string, options: ImportOptions): Promise<ImportReport> {
    const { signal, onProgress, vectors } = options;
    const calling = { signal, onProgress };
    this.#refuseMixing(project);
    const report = await importRows(this.#importParts(project), { folder: resolve(folder), vectors }, calling);
    if (!report.aborted) await this.#follow(project, calling);
    return report;
  }

  async removeImported(project: string, folder: string, { signal }: Pick<IngestOptions, 'signal'>): Promise<number> {
    const argument = { project, dir: this.#dir(project), folder: resolve(folder) };
    const removed = await this.#ingester.call<number>('removeImported', argument, { signal });
    if (removed > 0) await this.#ingester.call('index', this.#indexRequest(project, false), { signal });
    return removed;
  }

  #importParts(project: string): ImportDeps {
    return { project, dir: this.#dir(project), ingester: this.#ingester, embedder: this.#embedderOf(project) };
  }

  async open(project: string): Promise<void> {
    // The first search waits for it, so nobody else has to; what fails there, fails there again.
    this.#inBackground(this.#refresh(project).catch(() => undefined));
    await this.#searcher(project).call('open', undefined);
  }

  async search(project: string, query: string, options: SearchOptions): Promise<readonly Hit[]> {
    await this.#refresh(project);
    options.signal?.throwIfAborted();
    const { text, conditions } = parseQuery(query);
    const resolved = resolveQuery(text, options.history ?? []);
    const { k, documents = false, neighbours = 0 } = options;
    const vector = await this.#queryVector(project, resolved);
    const reranker = options.reranked === false ? undefined : this.#reranker;
    const wanted = reranker ? Math.max(k, RERANK_DEPTH) : k;
    const request: SearchRequest = { text: resolved, conditions, k: wanted, documents, neighbours, vector };
    const { hits, damaged } = await this.#searcher(project).call<SearchResponse>('search', request, {
      signal: options.signal,
    });
    if (damaged.length > 0) this.#repair(project, damaged);
    if (!reranker) return hits;
    const asked = { project: ownerOf(project), query: resolved, hits, signal: options.signal, turn: options.turn };
    return (await rerank(reranker, asked)).slice(0, k);
  }

  async answer(project: string, question: string, options: SearchOptions): Promise<ExtractiveAnswer> {
    const hits = await this.search(project, question, { ...options, k: Math.max(options.k, ANSWER_DEPTH) });
    const asked = resolveQuery(parseQuery(question).text, options.history ?? []);
    const { answer, passages } = extractAnswer(asked, hits);
    const shown = passages.slice(0, options.k);
    return { answer, passages: shown, journalOnly: shown.every(({ chunkId }) => this.#isJournal(project, chunkId)) };
  }

  #isJournal(project: string, chunkId: number): boolean {
    const source = this.#deps.store.sql
      .prepare('SELECT s.root, s.path FROM chunks c JOIN sources s ON s.id = c.source_id WHERE c.id = ?')
      .get(chunkId);
    return (
      source !== undefined && resolve(String(source.root), String(source.path)) === this.#deps.projects.journal(project)
    );
  }

  async watch(project: string, options: WatchOptions): Promise<void> {
    const { folder, attached } = this.#request(project);
    const roots = this.#deps.store.sql.prepare('SELECT path FROM roots WHERE project = ?').all(project);
    await watchPaths([folder, ...attached, ...roots.map((row) => String(row.path))], options.signal, async () => {
      const report = await this.ingest(project, [], { signal: options.signal });
      if (report.indexed + report.removed + report.renamed > 0) options.onReport(report);
    });
  }

  async sources(project: string): Promise<readonly SourceInfo[]> {
    const rows = await this.#deps.store.db
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
    await this.#closeSearcher(project);
    clearProject(this.#deps.store, project, this.#dir(project));
  }

  async #closeSearcher(project: string): Promise<void> {
    const searcher = this.#searchers.get(project);
    // A search that comes meanwhile gets a thread of its own.
    this.#searchers.delete(project);
    await searcher?.stop();
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([this.#ingester, ...this.#searchers.values()].map((thread) => thread.stop()));
    await Promise.all(this.#background);
  }

  /**
   * A note just written must be found: look at the project's own folder before a search when the journal was written
   * since, and otherwise while that is cheap. One look at a time: a later one sees what was written during the first.
   */
  async #refresh(project: string): Promise<void> {
    const before = this.#refreshing.get(project);
    const work = Promise.allSettled([before]).then(() => this.#look(project));
    this.#refreshing.set(project, work);
    try {
      await work;
    } finally {
      if (this.#refreshing.get(project) === work) this.#refreshing.delete(project);
    }
  }

  async #look(project: string): Promise<void> {
    const last = this.#scans.get(project);
    const at = performance.now();
    const journal = fileStamp(this.#deps.projects.journal(ownerOf(project)));
    const due =
      !last ||
      last.journal !== journal ||
      last.tookMs < ALWAYS_SCAN_BELOW_MS ||
      last.tookMs < (at - last.at) * SCAN_SHARE;
    if (!due || isTrial(project) || this.#ingester.busy || this.#rebuilding.has(project)) return;
    const argument = { request: this.#request(project), dir: this.#dir(project) };
    try {
      const { tookMs, changed } = await this.#ingester.call<{ tookMs: number; changed: number }>('refresh', argument);
      this.#scans.set(project, { at, tookMs, journal });
      const embedder = this.#embedderOf(project);
      if (changed > 0 && embedder) await this.#embedQuietly(project, embedder);
    } catch (error) {
      if (!(error instanceof AssistantError)) throw error;
      this.#deps.log.warn('own documents were not looked at', { project, error: error.message });
    }
  }

  withheldFrom(project: string): string | undefined {
    const { embedding } = this.#deps;
    return embedding?.allows?.(ownerOf(project)) === false ? embedding.name : undefined;
  }

  #embedderOf(project: string): Embedder | undefined {
    return this.withheldFrom(project) === undefined ? this.#embedder : undefined;
  }

  async #embedQuietly(project: string, embedder: Embedder): Promise<void> {
    try {
      this.#refuseMixing(project);
      await embedder.embedMissing(project, { signal: new AbortController().signal });
    } catch (error) {
      this.#deps.log.warn('new passages were not given to the embedding model', { project, error: messageOf(error) });
    }
  }

  /** Without its model a query is still searched by words and grams. */
  async #queryVector(project: string, query: string): Promise<Float32Array | undefined> {
    try {
      return await this.#embedderOf(project)?.embedQuery(query);
    } catch (error) {
      this.#deps.log.warn('the embedding model could not be asked', { error: messageOf(error) });
      return undefined;
    }
  }

  #repair(project: string, damaged: readonly string[]): void {
    const { log } = this.#deps;
    log.warn('broken index files were moved aside and are made anew', { project, damaged });
    const work = this.#ingester.call<void>('index', this.#indexRequest(project, true)).catch((error: unknown) => {
      log.warn('the index could not be made anew', { project, error: messageOf(error) });
    });
    this.#inBackground(work);
  }

  /** `close` waits for it. It must not reject. */
  #inBackground(work: Promise<void>): void {
    this.#background.add(work);
    void work.finally(() => this.#background.delete(work));
  }

  /** Vectors of two models cannot be compared, and making all anew may cost money: that is for the person to say. */
  #refuseMixing(project: string): void {
    const embedder = this.#embedderOf(project);
    if (!embedder) return;
    const indexed = readManifest(this.#dir(project)).dense?.id;
    const isOthers = indexed?.startsWith('model:') === true && indexed !== embedder.id;
    // Without index files, because they were deleted or never written, the database alone knows.
    const made = isOthers ? indexed : embedder.otherModelOf(project);
    if (made === undefined) return;
    const message = `The index of project ${project} was made with ${nameOf(made)}, the model set now is ${nameOf(embedder.id)}.`;
    const hint = 'Set the former model again, or make the index anew: wooster ingest --rebuild';
    throw new AssistantError('index_unavailable', message, { hint });
  }

  #request(project: string): IngestRequest {
    const { projects } = this.#deps;
    return { project, folder: projects.folder(project), attached: projects.attached(project), paths: [] };
  }

  #indexRequest(project: string, rebuild: boolean): IndexRequest {
    return { project, dir: this.#dir(project), model: this.#embedderOf(project)?.id, rebuild };
  }

  #dir(project: string): string {
    // Refuses a name that would lead out of the folder.
    this.#deps.projects.folder(ownerOf(project));
    return join(this.#deps.vectorDataDir, project);
  }

  #searcher(project: string): Thread {
    const known = this.#searchers.get(project);
    if (known) return known;
    if (this.#closed) throw closed();
    const data = {
      database: this.#deps.store.path,
      project,
      dir: this.#dir(project),
      model: this.#embedderOf(project)?.id,
    };
    const thread = new Thread(new URL('./threads/search-thread.ts', import.meta.url), data);
    this.#searchers.set(project, thread);
    return thread;
  }
}

/** An embedding model's name as it was set. */
function nameOf(id: string): string {
  return id.replace(/^model:/u, '');
}
