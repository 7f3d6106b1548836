import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../base/folders.ts';
import type { Store } from '../../store/store.ts';
import { clearDamaged, EMPTY_MANIFEST, filesOf, readManifest, writeManifest } from '../index/manifest.ts';

/**
 * A rebuilt index is a trial: rows and files under a name that no project can have, beside the project's own, until it
 * is promoted or discarded.
 */
export function trialName(project: string): string {
  return `${project}~next`;
}

/** The project that a trial belongs to; any other name unchanged. */
export function projectOfTrial(project: string): string {
  return project.replace(/~next$/u, '');
}

export function isTrial(project: string): boolean {
  return project.endsWith('~next');
}

/** The index folders of a project and of its trial. */
export interface TrialDirs {
  readonly trial: string;
  readonly project: string;
}

/** Begin with nothing but the remembered folders. File numbers continue, so that promoted files never collide. */
export function beginTrial(store: Store, project: string, dirs: TrialDirs): void {
  const trial = trialName(project);
  clearProject(store, trial, dirs.trial);
  const sql = 'INSERT INTO roots (project, path, added_at) SELECT ?, path, added_at FROM roots WHERE project = ?';
  store.transaction(() => store.sql.prepare(sql).run(trial, project));
  makeFolder(dirs.trial);
  writeManifest(dirs.trial, { ...EMPTY_MANIFEST, next: readManifest(dirs.project).next });
}

/**
 * Replace the project's rows and files with the trial's. The caller holds the project's writer lock.
 *
 * One transaction over the rows is decisive. Files are moved before it, when no manifest names them yet, and taken into
 * use after it. A process killed in between leaves consistent rows and, at worst, an index of deleted rows, which
 * searches ignore and the next ingest rebuilds.
 */
export function promoteTrial(store: Store, project: string, dirs: TrialDirs): void {
  const made = readManifest(dirs.trial);
  for (const { file } of filesOf(made)) renameSync(join(dirs.trial, file), join(dirs.project, file));
  const { before, after } = swapRows(store, project);
  // An index that was current for the trial's rows is current for the project's.
  const revision = made.revision === before ? after : made.revision;
  // A changed `next` tells readers that a writer was at work.
  writeManifest(dirs.project, { ...made, revision, next: made.next + 1 });
  clearDamaged(dirs.project);
  rmSync(dirs.trial, { recursive: true, force: true });
}

/** @returns the revision of the trial's rows, before and after. */
function swapRows(store: Store, project: string): { before: number; after: number } {
  const trial = trialName(project);
  const revisionOf = store.sql.prepare('SELECT coalesce(max(revision), 0) AS revision FROM corpora WHERE project = ?');
  return store.transaction(() => {
    const before = Number(revisionOf.get(trial)?.revision);
    // Readers compare revisions, so the number must continue from the project's own.
    const after = Number(revisionOf.get(project)?.revision) + before + 1;
    for (const table of ['sources', 'roots', 'corpora'])
      store.sql.prepare(`DELETE FROM ${table} WHERE project = ?`).run(project);
    for (const table of ['sources', 'roots', 'chunks', 'corpora'])
      store.sql.prepare(`UPDATE ${table} SET project = ? WHERE project = ?`).run(project, trial);
    store.sql.prepare('UPDATE corpora SET revision = ? WHERE project = ?').run(after, project);
    return { before, after };
  });
}

/** Whether a rebuild was begun and neither promoted nor discarded: it was killed, or is running now. */
export function hasAbandonedTrial(store: Store, project: string, dir: string): boolean {
  const rows = store.sql.prepare('SELECT 1 FROM sources WHERE project = ? LIMIT 1').get(trialName(project));
  return rows !== undefined || existsSync(dir);
}

/** Delete all rows and index files of a project or a trial. */
export function clearProject(store: Store, project: string, dir: string): void {
  store.transaction(() => {
    for (const table of ['sources', 'roots', 'corpora'])
      store.sql.prepare(`DELETE FROM ${table} WHERE project = ?`).run(project);
  });
  rmSync(dir, { recursive: true, force: true });
}
