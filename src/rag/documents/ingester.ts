import { resolve } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import type { Embedder } from '../embedder.ts';
import { makeRelative } from '../ingest/relative-rows.ts';
import type { IngestRequest } from '../ingest/types.ts';
import { storedPath } from '../places.ts';
import type { IndexRequest, Refreshed } from '../threads/ingest-thread.ts';
import { Thread } from '../threads/rpc.ts';
import type { ImportOptions, ImportReport, IngestOptions, IngestReport } from '../types.ts';
import { importChecked } from './checked-import.ts';
import type { DocumentsDeps, ProjectSetup } from './project-setup.ts';

/**
 * Several times what the largest projects need. V8 lets garbage pile up in proportion to what it may use, which is
 * gigabytes unless given.
 */
const HEAP_MB = 1024;

/** Brings rows, vectors and index files up to date. Reading and indexing run in one thread, one job after the other. */
export class Ingester {
  readonly #deps: DocumentsDeps;
  readonly #setup: ProjectSetup;
  readonly #thread: Thread;

  constructor(deps: DocumentsDeps, setup: ProjectSetup) {
    this.#deps = deps;
    this.#setup = setup;
    const data = { location: deps.store.location, options: deps.options };
    this.#thread = new Thread(new URL('../threads/ingest-thread.ts', import.meta.url), data, {
      maxOldGenerationSizeMb: HEAP_MB,
    });
  }

  /** Whether a job is running or waiting. */
  get busy(): boolean {
    return this.#thread.busy;
  }

  /** Read what is new or changed, embed it, then update the index. */
  async ingest(project: string, request: IngestRequest, options: IngestOptions): Promise<IngestReport> {
    const { signal, onProgress } = options;
    const read = await this.#thread.call<IngestReport>('ingest', request, { signal, onProgress });
    const withheldFrom = this.#setup.withheldFrom(project);
    const report = { ...read, ...(withheldFrom !== undefined && { withheldFrom }) };
    if (report.aborted || signal.aborted) return report;
    await this.#embedAndIndex(project, { signal, onProgress });
    return { ...report, aborted: signal.aborted };
  }

  async importStore(project: string, folder: string, options: ImportOptions): Promise<ImportReport> {
    const { signal, onProgress, vectors } = options;
    const calling = { signal, onProgress };
    await this.#setup.refuseMixing(project);
    const target = { project, embedder: this.#setup.embedderOf(project) };
    const request = { folder: resolve(folder), storedFolder: await this.#storedFolder(project, folder), vectors };
    const report = await importChecked({ ...target, ingester: this.#thread }, request, calling);
    if (!report.aborted) await this.#embedAndIndex(project, calling);
    return report;
  }

  async removeImported(project: string, folder: string, { signal }: Pick<IngestOptions, 'signal'>): Promise<number> {
    const argument = { project, folder: await this.#storedFolder(project, folder) };
    const removed = await this.#thread.call<number>('removeImported', argument, { signal });
    if (removed > 0) await this.#index(project, { signal });
    return removed;
  }

  /** Look at the project's own folder only. @returns how long reading took. */
  async refresh(project: string): Promise<Pick<Refreshed, 'tookMs'>> {
    const request = { ...this.#setup.ingestRequest(project), dir: this.#setup.dir(project) };
    const refreshed = await this.#thread.call<Refreshed>('refresh', request);
    const embedder = this.#setup.embedderOf(project);
    if (refreshed.changed > 0 && embedder) await this.#tryToEmbed(project, embedder);
    if (refreshed.indexBehind) await this.catchUp(project, { quick: true });
    return refreshed;
  }

  /** Build all index files again from the rows. */
  async rebuildIndex(project: string): Promise<void> {
    await this.#thread.call('index', this.#setup.indexRequest(project, true));
  }

  /** Index what no index file has, unless another program is at it. */
  async catchUp(project: string, how: Pick<IndexRequest, 'quick'> = {}): Promise<void> {
    await this.#thread.call('index', { ...this.#setup.indexRequest(project, false), ifFree: true, ...how });
  }

  stop(): Promise<void> {
    return this.#thread.stop();
  }

  /** How the database names a folder that was imported from. */
  async #storedFolder(project: string, folder: string): Promise<string> {
    const { places } = this.#deps.projects;
    await makeRelative(this.#deps.store, project, places);
    return storedPath(places, resolve(folder));
  }

  async #embedAndIndex(project: string, calling: Parameters<Embedder['embedMissing']>[1]): Promise<void> {
    await this.#setup.embedderOf(project)?.embedMissing(project, calling);
    await this.#index(project, calling);
  }

  /** A caller who gives up finds what was read all the same: the next search indexes what no file has. */
  async #index(project: string, calling: Parameters<Thread['call']>[2] & Pick<IngestOptions, 'signal'>): Promise<void> {
    try {
      await this.#thread.call('index', this.#setup.indexRequest(project, false), calling);
    } catch (error) {
      if (!calling.signal.aborted) throw error;
    }
  }

  /** A refresh comes before a search, which must not fail with the embedding model. */
  async #tryToEmbed(project: string, embedder: Embedder): Promise<void> {
    try {
      await this.#setup.refuseMixing(project);
      await embedder.embedMissing(project, { signal: new AbortController().signal });
    } catch (error) {
      this.#deps.log.warn('the embedding model did not embed new passages', { project, error: messageOf(error) });
    }
  }
}
