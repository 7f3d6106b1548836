import { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import { Corpus } from '../search/corpus.ts';
import { SearchEngine, type SearchRequest } from '../search/search-engine.ts';
import { serve } from './rpc.ts';

/** What the thread of one open project is started with. */
export interface SearchThreadData {
  readonly database: string;
  readonly project: string;
  readonly dir: string;
  readonly model: string | undefined;
}

const { database, project, dir, model } = workerData as SearchThreadData;
const sql = new DatabaseSync(database, { readOnly: true, timeout: 5000 });
const engine = new SearchEngine({ corpus: new Corpus(sql, project), dir, model });

serve({ search: (query: SearchRequest) => engine.search(query), open: () => engine.open() }, () => sql.close());
