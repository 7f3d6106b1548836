import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../base/folders.ts';
import type { Store } from '../../store/store.ts';
import { clearDamaged, EMPTY_MANIFEST, filesOf, readManifest, writeManifest } from '../index/manifest.ts';

/** A name that no project can have: where a project's new index is made while the old one is in use. */
export function trialName(project: string): string {
  return `${project}~next`;
}

/** The project whose trial it is, or the project itself. */
export function projectOfTrial(project: string): string {
  return project.replace(/~next$/u, '');
}

export function isTrial(project: string): boolean {
  return project.endsWith('~next');
}

/** Where the files of a project and of its trial lie. */
export interface TrialDirs {
  readonly trial: string;
  readonly project: string;
}

/** Start from nothing but the remembered folders. Its files get names that the project's folder does not have yet. */
export function beginTrial(store: Store, project: string, dirs: TrialDirs): void {
  const trial = trialName(project);
  clearProject(store, trial, dirs.trial);
  const sql = 'INSERT INTO roots (project, path, added_at) SELECT ?, path, added_at FROM roots WHERE project = ?';
  store.transaction(() => store.sql.prepare(sql).run(trial, project));
  makeFolder(dirs.trial);
  writeManifest(dirs.trial, { ...EMPTY_MANIFEST, next: readManifest(dirs.project).next });
}

/**
 * Put the trial in the place of the project. Callers hold the project's writer lock.
 *
 * What counts is one transaction over the rows. Files are moved before it, where nobody looks at them yet, and taken
 * into use after it: whoever is killed on the way leaves rows of one kind and, at worst, an index of rows that are gone,
 * which the search does without and the next ingest makes anew.
 */
export function promoteTrial(store: Store, project: string, dirs: TrialDirs): void {
  const made = readManifest(dirs.trial);
  for (const { file } of filesOf(made)) renameSync(join(dirs.trial, file), join(dirs.project, file));
  const { before, after } = swapRows(store, project);
  // An index that was up to date with the trial's rows is up to date with the project's.
  const revision = made.revision === before ? after : made.revision;
  // Readers tell by `next` that a writer was at work.
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
    // Readers compare revisions, so it must go on from the project's own.
    const after = Number(revisionOf.get(project)?.revision) + before + 1;
    for (const table of ['sources', 'roots', 'corpora'])
      store.sql.prepare(`DELETE FROM ${table} WHERE project = ?`).run(project);
    for (const table of ['sources', 'roots', 'chunks', 'corpora'])
      store.sql.prepare(`UPDATE ${table} SET project = ? WHERE project = ?`).run(project, trial);
    store.sql.prepare('UPDATE corpora SET revision = ? WHERE project = ?').run(after, project);
    return { before, after };
  });
}

/** Whether a rebuild of the project was begun and neither taken nor given up: it was killed, or runs now. */
export function hasAbandonedTrial(store: Store, project: string, dir: string): boolean {
  const rows = store.sql.prepare('SELECT 1 FROM sources WHERE project = ? LIMIT 1').get(trialName(project));
  return rows !== undefined || existsSync(dir);
}

/** Forget all rows and index files of a project or a trial. */
export function clearProject(store: Store, project: string, dir: string): void {
  store.transaction(() => {
    for (const table of ['sources', 'roots', 'corpora'])
      store.sql.prepare(`DELETE FROM ${table} WHERE project = ?`).run(project);
  });
  rmSync(dir, { recursive: true, force: true });
}
