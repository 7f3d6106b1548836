import { z } from 'zod';
import { parseJson } from '../../base/json.ts';
import type { Store } from '../../store/store.ts';
import { IMPORTED_KIND, importedFrom } from '../ingest/import-root.ts';
import { absoluteRoot, type Places } from '../places.ts';
import {
  type ImportedFolder,
  SOURCE_STATES,
  type SourceCounts,
  type SourceInfo,
  type SourceRange,
  type SourcesOptions,
} from '../types.ts';

const takenSchema = z.object({ at: z.string().optional(), place: z.tuple([z.number(), z.number()]).optional() });
/** Rows per query: all files of a very large project would take hundreds of megabytes. */
const PAGE = 500;

interface ListDeps {
  readonly store: Store;
  readonly places: Places;
}

/** The files of a project by path, a page at a time. */
export async function* sourcePages(
  deps: ListDeps,
  project: string,
  options: SourcesOptions,
): AsyncGenerator<readonly SourceInfo[]> {
  let last: { readonly path: string; readonly id: number } | undefined;
  for (;;) {
    let query = selected(deps, project, options);
    const { path, id } = last ?? {};
    if (path !== undefined && id !== undefined)
      query = query.where(({ and, eb, or }) =>
        or([eb('path', '>', path), and([eb('path', '=', path), eb('id', '>', id)])]),
      );
    const rows = await query.limit(PAGE).execute();
    if (rows.length > 0) yield rows.map((row) => shown(deps, row));
    last = rows.at(-1);
    if (rows.length < PAGE) return;
  }
}

/** Some of the files of a project by path, beginning with the one at `from`. */
export async function sourceRange(
  deps: ListDeps,
  project: string,
  { from, most, ...options }: SourceRange,
): Promise<readonly SourceInfo[]> {
  const rows = await selected(deps, project, options).offset(from).limit(most).execute();
  return rows.map((row) => shown(deps, row));
}

function selected({ store }: ListDeps, project: string, { states = SOURCE_STATES, imported, path }: SourcesOptions) {
  const all = store.read
    .selectFrom('sources')
    .select(['id', 'path', 'root', 'document_id', 'kind', 'state', 'chunks', 'size', 'error', 'sha256', 'indexed_at'])
    .select('taken')
    .where('project', '=', project)
    .where('state', 'in', states);
  const ofKind = imported === undefined ? all : all.where('kind', imported ? '=' : '<>', IMPORTED_KIND);
  return (path === undefined ? ofKind : ofKind.where('path', '=', path)).orderBy('path').orderBy('id');
}

type SourceRow = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number];

function shown({ places }: ListDeps, row: SourceRow): SourceInfo {
  return {
    ...{ file: row.path, root: absoluteRoot(places, row.root), documentId: row.document_id },
    ...{ kind: row.kind, state: row.state, chunks: row.chunks, bytes: row.size },
    ...{ error: row.error, sha256: row.sha256, indexedAt: row.indexed_at },
    ...(row.taken !== null && { taken: takenSchema.parse(parseJson(row.taken)) }),
  };
}

/** What was imported into a project, by the folder that it came from. */
export async function importsOf({ store, places }: ListDeps, project: string): Promise<readonly ImportedFolder[]> {
  const rows = await store.read
    .selectFrom('sources')
    .select(({ fn }) => ['root', fn.countAll<number>().as('files'), fn.sum<number>('chunks').as('passages')])
    .where('project', '=', project)
    .where('kind', '=', IMPORTED_KIND)
    .groupBy('root')
    .orderBy('root')
    .execute();
  return rows.map(({ root, files, passages }) => {
    return { folder: importedFrom(absoluteRoot(places, root)), files: Number(files), passages: Number(passages) };
  });
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
