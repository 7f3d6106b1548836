import { workerData } from 'node:worker_threads';
import { openStore, type StoreLocation } from '../../store/store.ts';
import { CachedIndex } from '../index/cached-index.ts';
import { VectorTable } from '../index/vector-table.ts';
import { Corpus } from '../search/corpus.ts';
import { SearchEngine, type SearchRequest } from '../search/search-engine.ts';
import { serve } from './rpc.ts';

/** What the thread of one open project is started with. */
export interface SearchThreadData {
  readonly location: StoreLocation;
  readonly project: string;
  readonly dir: string;
  readonly model: string | undefined;
}

const { location, project, dir, model } = workerData as SearchThreadData;
const store = await openStore(location, { readOnly: true });
const cache = CachedIndex.of(store, project, dir);
const table = cache && new VectorTable(store, project);
const engine = new SearchEngine({ corpus: new Corpus(store, project), dir, model, cache, table });

serve({ search: (query: SearchRequest) => engine.search(query), open: () => engine.open() }, () => store.close());
