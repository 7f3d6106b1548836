import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { AssistantError, messageOf } from '../../base/errors.ts';
import type { Embedder } from '../embedder.ts';
import type { ImportRequest, Sample } from '../ingest/import-store.ts';
import { makeRelative } from '../ingest/relative-rows.ts';
import type { IngestRequest } from '../ingest/types.ts';
import { storedPath } from '../places.ts';
import type { IndexRequest, Refreshed } from '../threads/ingest-thread.ts';
import { type CallOptions, Thread } from '../threads/rpc.ts';
import type { ImportOptions, ImportReport, IngestOptions, IngestReport } from '../types.ts';
import type { DocumentsDeps, ProjectSetup } from './project-setup.ts';

/**
 * Several times what the largest projects need. V8 lets garbage accumulate in proportion to its heap limit, which is
 * gigabytes by default.
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

  /** Index what is in no index file yet, unless another program is doing so. */
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

  /** If the caller gives up, nothing is lost: the next search indexes whatever is in no file yet. */
  async #index(project: string, calling: Parameters<Thread['call']>[2] & Pick<IngestOptions, 'signal'>): Promise<void> {
    try {
      await this.#thread.call('index', this.#setup.indexRequest(project, false), calling);
    } catch (error) {
      if (!calling.signal.aborted) throw error;
    }
  }

  /** A refresh precedes a search, which must not fail because the embedding model does. */
  async #tryToEmbed(project: string, embedder: Embedder): Promise<void> {
    try {
      await this.#setup.refuseMixing(project);
      await embedder.embedMissing(project, { signal: new AbortController().signal });
    } catch (error) {
      this.#deps.log.warn('the embedding model did not embed new passages', { project, error: messageOf(error) });
    }
  }
}

/** The project that is imported into, and what does the work. */
interface ImportDeps {
  readonly project: string;
  readonly ingester: Thread;
  /** Undefined when no model is set, or it may not see the project's documents. */
  readonly embedder: Embedder | undefined;
}

/** Bring the project's rows up to date with a saved store. The caller updates the index. */
async function importChecked(
  deps: ImportDeps,
  { folder, storedFolder, vectors }: { folder: string; storedFolder: string; vectors: string | undefined },
  calling: CallOptions,
): Promise<ImportReport> {
  const { ingester, project } = deps;
  if (!existsSync(folder)) {
    const hint = 'Give the folder that HNSWLib.save wrote. A relative path starts at the current folder.';
    throw new AssistantError('file_not_found', `There is no folder ${folder}.`, { hint });
  }
  const model = vectors === undefined ? undefined : await checkedModel(deps, folder, vectors);
  const request: ImportRequest = { project, folder, storedFolder, model };
  return ingester.call<ImportReport>('import', request, calling);
}

/**
 * The folder does not say which model made its vectors, so the person does, and some texts are embedded again to verify
 * it. Vectors of two models in one index would silently make every search worse.
 */
async function checkedModel(
  { embedder, ingester }: ImportDeps,
  folder: string,
  name: string,
): Promise<string | undefined> {
  const hint = 'Omit --vectors: the texts are then embedded by the model that is set, or searched without one.';
  if (!embedder)
    throw new AssistantError('bad_usage', 'This project has no embedding model to use vectors with.', { hint });
  if (embedder.id !== `model:${name}`)
    throw new AssistantError('bad_usage', `The embedding model set is ${embedder.name}, not ${name}.`, { hint });
  const sample = await ingester.call<Sample>('sample', folder);
  if (await embedder.made(sample)) return embedder.id;
  throw new AssistantError('index_unavailable', `The vectors in ${folder} were not made by ${name}.`, { hint });
}
