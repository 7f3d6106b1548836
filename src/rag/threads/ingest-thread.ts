import { workerData } from 'node:worker_threads';
import { openStore, type StoreLocation } from '../../store/store.ts';
import { writeFailure } from '../../store/write-failure.ts';
import { updateIndex } from '../index/writer.ts';
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
}

const { location, options } = workerData as IngestThreadData;
// Documents can be read again, so a power cut may cost the last transactions, but never the database.
const store = await openStore(location, { durability: 'relaxed' });
const reader = new GuardedReader({ timeoutMs: options.parseTimeoutMs });
const parts = { store, options, read: reader.read };

/** Requests of this process wait for each other; only another process makes one fail as busy. */
const turn = { last: Promise.resolve() as Promise<unknown> };

interface RemoveRequest {
  readonly project: string;
  readonly folder: string;
}

serve(
  {
    ingest: (request: IngestRequest, context: HandlerContext): Promise<IngestReport> =>
      inTurn(request.project, context, () => ingest(parts, request, context)),
    refresh: (request: IngestRequest, context: HandlerContext) =>
      inTurn(request.project, context, () => refresh(request, context)),
    import: (request: ImportRequest, context: HandlerContext) =>
      inTurn(request.project, context, () => importStore(parts, request, context)),
    sample: (folder: string) => sampleOf(folder),
    removeImported: ({ project, folder }: RemoveRequest, context: HandlerContext) =>
      inTurn(project, context, () => removeImported(store, project, folder)),
    index: (request: IndexRequest, context: HandlerContext) =>
      inTurn(request.project, context, () => index(request, context)),
  },
  async () => {
    await reader.close();
    await store.close();
  },
);

function inTurn<T>(project: string, { ending }: HandlerContext, work: () => Promise<T>): Promise<T> {
  const result = turn.last.then(async () => {
    ending.throwIfAborted();
    try {
      return await withWriterLock(store, project, work);
    } catch (error) {
      // Translated here: the class of an error is lost on its way to another thread.
      throw writeFailure(error) ?? error;
    }
  });
  turn.last = result.catch(() => undefined);
  return result;
}

/** Ingest the project's own folder only. @returns how long that took and how many files had changed. */
async function refresh(request: IngestRequest, context: IngestContext) {
  const started = performance.now();
  const { indexed, removed } = await ingest(parts, { ...request, ownOnly: true }, context);
  return { tookMs: performance.now() - started, changed: indexed + removed };
}

async function index(
  { project, dir, model, rebuild }: IndexRequest,
  { ending, progress }: HandlerContext,
): Promise<void> {
  const corpus = new Corpus(store, project);
  const dimensions = model === undefined ? 0 : await corpus.vectorDimensions(model);
  const source = model === undefined || dimensions === 0 ? undefined : { id: model, dimensions };
  await updateIndex({
    // A caller who gives up still wants to find what was read; only the end of the thread stops this.
    ...{ dir, corpus, options, rebuild, signal: ending },
    model: source && { ...source, vectorsOf: (ids: Uint32Array) => corpus.vectors(ids, source.id, source.dimensions) },
    progress: (done, total) => progress({ done, total, file: '', stage: 'index' }),
  });
}
