import { workerData } from 'node:worker_threads';
import { AssistantError } from '../../base/errors.ts';
import { openStore, type StoreLocation } from '../../store/store.ts';
import { writeFailure } from '../../store/write-failure.ts';
import { CachedIndex } from '../index/cached-index.ts';
import { readManifest } from '../index/manifest.ts';
import { noServer } from '../index/vector-extension.ts';
import { VectorTable } from '../index/vector-table.ts';
import { unfiled, updateIndex, WORTH_A_FILE } from '../index/writer.ts';
import { GuardedReader } from '../ingest/guarded-read.ts';
import { type ImportRequest, importStore, removeImported, sampleOf } from '../ingest/import-store.ts';
import { ingest } from '../ingest/ingest.ts';
import type { IngestContext, IngestRequest } from '../ingest/types.ts';
import { withWriterLock } from '../ingest/writer-lock.ts';
import { Corpus } from '../search/corpus.ts';
import type { IngestReport, RagOptions } from '../types.ts';
import { type HandlerContext, serve } from './rpc.ts';

export interface IngestThreadData {
  readonly location: StoreLocation;
  readonly options: RagOptions;
}

/** Where a project's index is, and whose vectors it should contain. */
export interface IndexRequest {
  readonly project: string;
  readonly dir: string;
  readonly model: string | undefined;
  readonly rebuild: boolean;
  /** Do nothing when another program is writing. */
  readonly ifFree?: boolean;
  /** Skip slow work that the next ingest can do, because somebody is waiting for an answer. */
  readonly quick?: boolean;
}

const { location, options } = workerData as IngestThreadData;
// Documents can be read again, so a power cut may cost the last transactions, but never the database.
const store = await openStore(location, { durability: 'relaxed' });
const { parseTimeoutMs: timeoutMs, pictureLanguages: languages, exif } = options;
const reader = new GuardedReader({ timeoutMs, languages, exif });
const parts = { store, options, reader };

/** Requests of this process wait for each other; only another process makes one that writes rows fail as busy. */
const turn = { last: Promise.resolve() as Promise<unknown> };

/** Projects that this thread has refreshed. */
const looked = new Set<string>();

export interface RefreshRequest extends IngestRequest {
  /** Where the project's index is. */
  readonly dir: string;
}

export interface Refreshed {
  readonly tookMs: number;
  readonly changed: number;
  /** Whether so many passages are in no index file that each start of the program would be slow. */
  readonly indexBehind: boolean;
}

interface RemoveRequest {
  readonly project: string;
  readonly folder: string;
}

serve(
  {
    ingest: (request: IngestRequest, context: HandlerContext): Promise<IngestReport> =>
      inTurn(request.project, context, (own) => ingest(parts, request, own)),
    refresh: (request: RefreshRequest, context: HandlerContext) =>
      inTurn(request.project, context, (own) => refresh(request, own)),
    import: (request: ImportRequest, context: HandlerContext) =>
      inTurn(request.project, context, (own) => importStore(parts, request, own)),
    sample: (folder: string) => sampleOf(folder),
    removeImported: ({ project, folder }: RemoveRequest, context: HandlerContext) =>
      inTurn(project, context, () => removeImported(store, project, folder)),
    index: (request: IndexRequest, context: HandlerContext) => indexUnlessDone(request, context),
  },
  async () => {
    await reader.close();
    await store.close();
  },
);

/** @param work gets a context whose signals also fire when the lock is lost. */
function inTurn<T>(project: string, context: HandlerContext, work: (own: HandlerContext) => Promise<T>): Promise<T> {
  const { ending, signal, progress } = context;
  const result = turn.last.then(async () => {
    ending.throwIfAborted();
    try {
      return await withWriterLock(store, project, (lost) =>
        work({ progress, signal: AbortSignal.any([signal, lost]), ending: AbortSignal.any([ending, lost]) }),
      );
    } catch (error) {
      // Translated here: the class of an error is lost on its way to another thread.
      throw writeFailure(error) ?? error;
    }
  });
  turn.last = result.catch(() => undefined);
  return result;
}

/** Ingest the project's own folder only. @returns how long that took, how many files had changed, and `indexBehind`. */
async function refresh({ dir, ...request }: RefreshRequest, context: IngestContext) {
  const started = performance.now();
  const { indexed, removed } = await ingest(parts, { ...request, ownOnly: true }, context);
  const tookMs = performance.now() - started;
  const changed = indexed + removed;
  // Listing all passages is slow in a large project, and pointless without a change.
  const mayLag = store.kind === 'sqlite' && (changed > 0 || !looked.has(request.project));
  looked.add(request.project);
  const indexBehind = mayLag && (await unfiled(dir, new Corpus(store, request.project))) >= WORTH_A_FILE;
  return { tookMs, changed, indexBehind };
}

/** When machines share an index, another one may already be doing the work: then wait for it. */
async function indexUnlessDone(request: IndexRequest, context: HandlerContext): Promise<void> {
  const { project, dir } = request;
  const wanted = store.kind === 'postgres' ? await new Corpus(store, project).revision() : 0;
  for (;;)
    try {
      return await inTurn(project, context, (own) => index(request, own));
    } catch (error) {
      const busy = error instanceof AssistantError && error.code === 'index_busy';
      const cache = CachedIndex.of(store, project, dir);
      if (!busy || !cache) throw error;
      if (request.ifFree || context.ending.aborted || (await cache.revision()) >= wanted) return;
    }
}

async function index(
  { project, dir, model, rebuild, quick = false }: IndexRequest,
  { signal, progress }: HandlerContext,
): Promise<void> {
  const corpus = new Corpus(store, project);
  const dimensions = model === undefined ? 0 : await corpus.vectorDimensions(model);
  const source = model === undefined || dimensions === 0 ? undefined : { id: model, dimensions };
  const cache = CachedIndex.of(store, project, dir);
  const synced = await cache?.sync();
  // A damaged file is fetched again if possible, rather than rebuilt.
  const restored = synced !== undefined && synced.fetched > 0 && synced.missing === 0;
  const table = options.vectors === 'pgvector' ? tableOf(project) : undefined;
  await updateIndex({
    ...{ dir, corpus, options, rebuild: rebuild && !restored, quick, signal, shared: cache, table },
    model: source && { ...source, vectorsOf: (ids: Uint32Array) => corpus.vectors(ids, source.id, source.dimensions) },
    progress: (done, total) => progress({ done, total, file: '', stage: 'index' }),
  });
  const { dense } = readManifest(dir);
  if (dense?.table !== undefined) await table?.keepOnly(dense.table, dense.dimensions);
}

/** @throws AssistantError `bad_setting` where there is no PostgreSQL. */
function tableOf(project: string): VectorTable {
  if (store.kind === 'postgres') return new VectorTable(store, project);
  throw noServer();
}
