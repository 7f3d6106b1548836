import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { makeFolder } from '../../base/folders.ts';
import type { Store } from '../../store/store.ts';
import {
  clearDamaged,
  EMPTY_MANIFEST,
  filesOf,
  type Manifest,
  readManifest,
  writeManifest,
} from '../index/manifest.ts';
import { PublishedIndex } from '../index/published-index.ts';
import { VectorTable } from '../index/vector-table.ts';
import { DOCUMENTS_CHANGED } from '../ingest/chunk-changes.ts';
import { Corpus } from '../search/corpus.ts';
import { trialName } from '../trial-name.ts';

/** The index folders of a project and of its trial. */
export interface TrialDirs {
  readonly trial: string;
  readonly project: string;
}

/** Start with only the remembered folders. File numbers continue, so that promoted files never collide. */
export async function beginTrial(store: Store, project: string, dirs: TrialDirs): Promise<void> {
  const trial = trialName(project);
  await clearProject(store, trial, dirs.trial);
  const ofTrial = sql<string>`cast(${trial} as text)`.as('project');
  await store.db
    .insertInto('roots')
    .columns(['project', 'path', 'added_at'])
    .expression(({ selectFrom }) =>
      selectFrom('roots').select([ofTrial, 'path', 'added_at']).where('project', '=', project),
    )
    .execute();
  makeFolder(dirs.trial);
  writeManifest(dirs.trial, { ...EMPTY_MANIFEST, next: readManifest(dirs.project).next });
}

/**
 * Replace the project's rows and files with the trial's. The caller holds the project's writer lock.
 *
 * The commit point is a single transaction over the rows. Files are moved before it, when no manifest names them yet,
 * and taken into use after it. A process killed in between leaves consistent rows and, at worst, an index of deleted
 * rows, which searches ignore and the next ingest rebuilds.
 *
 * @param confirm  rejects if the lock is lost: nothing is replaced then, since the trial may be another program's.
 */
export async function promoteTrial(
  store: Store,
  project: string,
  { dirs, confirm }: { readonly dirs: TrialDirs; readonly confirm: () => Promise<void> },
): Promise<void> {
  const made = readManifest(dirs.trial);
  await confirm();
  makeFolder(dirs.project);
  for (const { file } of filesOf(made)) renameSync(join(dirs.trial, file), join(dirs.project, file));
  const promoted = await swapRows(store, project, { made, confirm });
  writeManifest(dirs.project, promoted);
  clearDamaged(dirs.project);
  rmSync(dirs.trial, { recursive: true, force: true });
}

/** @returns the manifest of the trial's files, for use as the project's. */
async function swapRows(
  store: Store,
  project: string,
  { made, confirm }: { readonly made: Manifest; readonly confirm: () => Promise<void> },
): Promise<Manifest> {
  const trial = trialName(project);
  const at = await store.now();
  return store.transaction(async () => {
    // If another program holds the lock by now, its first transaction comes after this one or before this check.
    await confirm();
    const before = await new Corpus(store, trial).revision();
    // Readers compare revisions, so the number must continue from the project's own.
    const after = (await new Corpus(store, project).revision()) + before + 1;
    await deleteRows(store, project);
    for (const table of ['index_manifests', 'chunk_changes'] as const)
      await store.db.deleteFrom(table).where('project', '=', trial).execute();
    for (const table of ['sources', 'roots', 'chunks', 'corpora', 'index_files'] as const)
      await store.db.updateTable(table).set({ project }).where('project', '=', trial).execute();
    await store.db.updateTable('corpora').set({ revision: after }).where('project', '=', project).execute();
    if (made.dense?.table !== undefined) await new VectorTable(store, trial).moveTo(project, made.dense.dimensions);
    // An index that was current for the trial's rows is current for the project's rows.
    const revision = made.revision === before ? after : made.revision;
    // A changed `next` tells readers that there was a write.
    const promoted = { ...made, revision, next: made.next + 1 };
    if (store.kind === 'postgres') {
      if (made.segments.length > 0) await new PublishedIndex(store, project).put(promoted, at);
      await store.wake.notify(DOCUMENTS_CHANGED);
    }
    return promoted;
  });
}

/** The chunks go with their sources. */
async function deleteRows(store: Store, project: string): Promise<void> {
  for (const table of ['sources', 'roots', 'corpora', 'chunk_changes', 'index_files', 'index_manifests'] as const)
    await store.db.deleteFrom(table).where('project', '=', project).execute();
}

/** Whether a rebuild was started but neither promoted nor discarded: it was killed or is still running. */
export async function hasAbandonedTrial(store: Store, project: string, dir: string): Promise<boolean> {
  if (existsSync(dir)) return true;
  const sources = store.db.selectFrom('sources').select('id').where('project', '=', trialName(project)).limit(1);
  return (await sources.executeTakeFirst()) !== undefined;
}

/** Delete all rows and index files of a project or a trial. */
export async function clearProject(store: Store, project: string, dir: string): Promise<void> {
  await store.transaction(async () => {
    await deleteRows(store, project);
    await store.db.deleteFrom('seen_pages').where('project', '=', project).execute();
  });
  rmSync(dir, { recursive: true, force: true });
}
