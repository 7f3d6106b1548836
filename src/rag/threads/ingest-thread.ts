import { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import { inTransaction } from '../../store/transaction.ts';
import { updateIndex } from '../index/writer.ts';
import { GuardedReader } from '../ingest/guarded-read.ts';
import { type IngestContext, type IngestRequest, ingest } from '../ingest/ingest.ts';
import { withWriterLock } from '../ingest/writer-lock.ts';
import { Corpus } from '../search/corpus.ts';
import type { IngestReport, RagOptions } from '../types.ts';
import { type HandlerContext, serve } from './rpc.ts';

export interface IngestThreadData {
  readonly database: string;
  readonly options: RagOptions;
}

/** Where the project's index lies and whose vectors it is to hold. */
export interface IndexRequest {
  readonly project: string;
  readonly dir: string;
  readonly model: string | undefined;
  readonly rebuild: boolean;
}

const { database, options } = workerData as IngestThreadData;
const sql = new DatabaseSync(database, { timeout: 5000, enableForeignKeyConstraints: true });
// Documents can be read again: a power cut may take the last rows, never the whole.
sql.exec('PRAGMA synchronous = NORMAL');
const { read } = new GuardedReader(options.parseTimeoutMs);
const store = { sql, transaction: <T>(work: () => T) => inTransaction(sql, work) };

/** Jobs of this process wait for each other; only another process makes a job fail as busy. */
const turn = { last: Promise.resolve() as Promise<unknown> };

serve({
  ingest: ({ request, dir }: { request: IngestRequest; dir: string }, context: HandlerContext): Promise<IngestReport> =>
    inTurn(dir, request.project, () => ingest({ store, options, read }, request, context)),
  refresh: ({ request, dir }: { request: IngestRequest; dir: string }, context: HandlerContext) =>
    inTurn(dir, request.project, () => refresh(request, context)),
  index: (request: IndexRequest, context: HandlerContext) =>
    inTurn(request.dir, request.project, () => index(request, context)),
});

function inTurn<T>(dir: string, project: string, work: () => Promise<T>): Promise<T> {
  const result = turn.last.then(() => withWriterLock(dir, project, work));
  turn.last = result.catch(() => undefined);
  return result;
}

/** Look at the project's own folder. @returns how long that took and whether anything was new. */
async function refresh(request: IngestRequest, context: IngestContext) {
  const started = performance.now();
  const { indexed, removed } = await ingest({ store, options, read }, { ...request, ownOnly: true }, context);
  return { tookMs: performance.now() - started, changed: indexed + removed };
}

function index({ project, dir, model, rebuild }: IndexRequest, { progress }: HandlerContext): Promise<void> {
  const corpus = new Corpus(sql, project);
  const dimensions = model === undefined ? 0 : corpus.vectorDimensions(model);
  const source = model === undefined || dimensions === 0 ? undefined : { id: model, dimensions };
  return updateIndex({
    ...{ dir, corpus, options, rebuild },
    model: source && { ...source, vectorsOf: (ids: Uint32Array) => corpus.vectors(ids, source.id, source.dimensions) },
    progress: (done, total) => progress({ done, total, file: '', stage: 'index' }),
  });
}
