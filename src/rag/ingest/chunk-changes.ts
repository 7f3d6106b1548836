import type { Store } from '../../store/store.ts';
import { inBatches } from './batches.ts';

/** What a transaction did to a project's chunks, by their ids. */
export interface ChunkChanges {
  readonly added: readonly number[];
  readonly gone: readonly number[];
}

/** Marks a revision that changed no chunk. */
const NO_CHUNK = 0;

/**
 * Record what one revision of a project changed, for workers that have an older index; see `changesBetween`.
 *
 * On SQLite nobody reads it: all programs are on one machine and share the index files.
 */
export async function noteChanges(
  store: Store,
  { project, revision }: { readonly project: string; readonly revision: number },
  changes: readonly ChunkChanges[],
): Promise<void> {
  if (store.kind === 'sqlite') return;
  const gone = new Set(changes.flatMap((each) => each.gone));
  const added = new Set(changes.flatMap((each) => each.added).filter((id) => !gone.has(id)));
  const rows = [
    ...[...added].map((id) => ({ project, revision, chunk_id: id, gone: 0 })),
    ...[...gone].map((id) => ({ project, revision, chunk_id: id, gone: 1 })),
  ];
  // Each revision has a row, so that a reader can tell that none is missing.
  if (rows.length === 0) rows.push({ project, revision, chunk_id: NO_CHUNK, gone: 0 });
  for (const some of inBatches(rows)) await store.db.insertInto('chunk_changes').values(some).execute();
  await store.wake.notify(DOCUMENTS_CHANGED);
}

/** The hint that some project's documents or its published index have changed. */
export const DOCUMENTS_CHANGED = 'documents';

/**
 * The changes after the revision `from` up to `to`, in their order.
 *
 * By revision, never by id: of two transactions the one with the lower ids may commit later.
 *
 * @returns undefined when they are not all known, because they were pruned or the project's rows were replaced.
 */
export async function changesBetween(
  store: Store,
  project: string,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<{ readonly id: number; readonly gone: boolean }[] | undefined> {
  if (store.kind === 'sqlite') return undefined;
  const rows = await store.read
    .selectFrom('chunk_changes')
    .select(['revision', 'chunk_id', 'gone'])
    .where('project', '=', project)
    .where('revision', '>', from)
    .where('revision', '<=', to)
    .orderBy('revision')
    .orderBy('chunk_id')
    .execute();
  const revisions = new Set(rows.map(({ revision }) => revision));
  if (revisions.size !== to - from) return undefined;
  return rows.filter(({ chunk_id: id }) => id !== NO_CHUNK).map(({ chunk_id: id, gone }) => ({ id, gone: gone === 1 }));
}

/** Delete changes that the published index contains. */
export async function pruneChanges(store: Store, project: string, upTo: number): Promise<void> {
  await store.db.deleteFrom('chunk_changes').where('project', '=', project).where('revision', '<=', upTo).execute();
}
