import { workerData } from 'node:worker_threads';
import { openStore } from '../../store/store.ts';
import { type IngestRequest, ingest } from '../ingest/ingest.ts';
import { read } from '../read/read.ts';
import type { RagOptions } from '../types.ts';
import { type HandlerContext, serve } from './rpc.ts';

export interface IngestThreadData {
  readonly database: string;
  readonly options: RagOptions;
}

const { database, options } = workerData as IngestThreadData;
const store = openStore(database);
// Documents can be read again: a power cut may take the last rows, never the whole.
store.sql.exec('PRAGMA synchronous = NORMAL');

serve({
  ingest: (request: IngestRequest, context: HandlerContext) => ingest({ store, options, read }, request, context),
  refresh: async (request: IngestRequest, context: HandlerContext) => {
    const started = performance.now();
    await ingest({ store, options, read }, { ...request, ownOnly: true }, context);
    return { tookMs: performance.now() - started };
  },
});
