import { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import { Corpus } from '../search/corpus.ts';
import { Engine, type EngineQuery } from '../search/engine.ts';
import { serve } from './rpc.ts';

/** What the thread of one open store is told when it starts. */
export interface SearchThreadData {
  readonly database: string;
  readonly project: string;
}

const { database, project } = workerData as SearchThreadData;
const sql = new DatabaseSync(database, { readOnly: true, timeout: 5000 });
const engine = new Engine(new Corpus(sql, project));

serve({ search: (query: EngineQuery) => engine.search(query) });
