import type { Store } from '../../store/store.ts';
import { absoluteRoot, type Places } from '../places.ts';
import { SOURCE_STATES, type SourceCounts, type SourceInfo, type SourcesOptions } from '../types.ts';

/** Rows per query: all files of a very large project would take hundreds of megabytes. */
const PAGE = 500;

/** The files of a project by path, a page at a time. */
export async function* sourcePages(
  { store, places }: { readonly store: Store; readonly places: Places },
  project: string,
  { states = SOURCE_STATES }: SourcesOptions,
): AsyncGenerator<readonly SourceInfo[]> {
  let last: { readonly path: string; readonly id: number } | undefined;
  for (;;) {
    let query = store.read
      .selectFrom('sources')
      .select(['id', 'path', 'root', 'document_id', 'kind', 'state', 'chunks', 'size', 'error', 'sha256', 'indexed_at'])
      .where('project', '=', project)
      .where('state', 'in', states);
    const { path, id } = last ?? {};
    if (path !== undefined && id !== undefined)
      query = query.where(({ and, eb, or }) =>
        or([eb('path', '>', path), and([eb('path', '=', path), eb('id', '>', id)])]),
      );
    const rows = await query.orderBy('path').orderBy('id').limit(PAGE).execute();
    if (rows.length > 0)
      yield rows.map((row) => ({
        ...{ file: row.path, root: absoluteRoot(places, row.root), documentId: row.document_id },
        ...{ kind: row.kind, state: row.state, chunks: row.chunks, bytes: row.size },
        ...{ error: row.error, sha256: row.sha256, indexedAt: row.indexed_at },
      }));
    last = rows.at(-1);
    if (rows.length < PAGE) return;
  }
}

/** Counted in the database, since a project may have very many files. */
export async function countSources(store: Store, project: string): Promise<SourceCounts> {
  const rows = await store.read
    .selectFrom('sources')
    .select(({ fn }) => ['state', fn.countAll<number>().as('files'), fn.sum<number>('chunks').as('passages')])
    .where('project', '=', project)
    .groupBy('state')
    .execute();
  const filesOf = (state: string) => Number(rows.find((row) => row.state === state)?.files ?? 0);
  return {
    files: rows.reduce((sum, { files }) => sum + Number(files), 0),
    passages: rows.reduce((sum, { passages }) => sum + Number(passages), 0),
    byState: SOURCE_STATES.map(filesOf),
  };
}
