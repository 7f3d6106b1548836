/**
 * A process that searches and ingests as one worker of a home: `node document-worker.ts SETUP`, then one request per
 * line on its standard input, one reply per line on its standard output. Ends with its input.
 */
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { silentLog } from '../base/log.ts';
import { createDocuments } from '../rag/documents.ts';
import { RAG_DEFAULTS } from '../rag/options.ts';
import { createProjects } from '../rag/projects.ts';
import { openStore, type StoreLocation } from '../store/store.ts';

export interface WorkerSetup {
  readonly location: StoreLocation;
  /** With `projects/`; workers may share it. */
  readonly home: string;
  readonly vectorDataDir: string;
}

export type WorkerRequest =
  | { readonly id: number; readonly search: string; readonly k: number }
  | { readonly id: number; readonly ingest: readonly string[] };

const { location, home, vectorDataDir } = JSON.parse(process.argv[2] ?? '') as WorkerSetup;
const store = await openStore(location);
const projects = createProjects({ projectsDir: join(home, 'projects'), homeDir: home, log: silentLog, store });
const documents = createDocuments({ store, projects, vectorDataDir, options: RAG_DEFAULTS, log: silentLog });
const signal = new AbortController().signal;

async function answer(request: WorkerRequest): Promise<unknown> {
  if ('search' in request) return documents.search('home', request.search, { k: request.k });
  return documents.ingest('home', request.ingest, { signal });
}

const running: Promise<void>[] = [];
for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line) as WorkerRequest;
  const reply = (content: object): void => {
    process.stdout.write(`${JSON.stringify({ id: request.id, ...content })}\n`);
  };
  running.push(
    answer(request).then(
      (result) => reply({ result }),
      (error: Error) => reply({ error: error.message }),
    ),
  );
}
await Promise.all(running);
await documents.close();
await store.close();
