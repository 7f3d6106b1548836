import { renameSync, rmSync } from 'node:fs';
import type { Store } from '../store/store.ts';

/** A name that no project can have: where a project's new index is made while the old one is in use. */
export function trialOf(project: string): string {
  return `${project}~next`;
}

/** The project whose trial it is, or the project itself. */
export function ownerOf(project: string): string {
  return project.replace(/~next$/u, '');
}

export function isTrial(project: string): boolean {
  return project.endsWith('~next');
}

/** Start from nothing but the remembered folders. */
export function beginTrial(store: Store, project: string, dir: string): void {
  const trial = trialOf(project);
  clearProject(store, trial, dir);
  const sql = 'INSERT INTO roots (project, path, added_at) SELECT ?, path, added_at FROM roots WHERE project = ?';
  store.transaction(() => store.sql.prepare(sql).run(trial, project));
}

/** Put the trial in the place of the project: all its rows in one transaction, then its files. */
export function takeTrial(
  store: Store,
  project: string,
  dirs: { readonly trial: string; readonly project: string },
): void {
  const trial = trialOf(project);
  store.transaction(() => {
    // Readers compare revisions, so it must go on from the project's own.
    const revision = 'SELECT coalesce(sum(revision), 0) + 1 AS next FROM corpora WHERE project IN (?, ?)';
    const next = Number(store.sql.prepare(revision).get(project, trial)?.next);
    for (const table of ['sources', 'roots', 'corpora'])
      store.sql.prepare(`DELETE FROM ${table} WHERE project = ?`).run(project);
    for (const table of ['sources', 'roots', 'chunks', 'corpora'])
      store.sql.prepare(`UPDATE ${table} SET project = ? WHERE project = ?`).run(project, trial);
    store.sql.prepare('UPDATE corpora SET revision = ? WHERE project = ?').run(next, project);
  });
  rmSync(dirs.project, { recursive: true, force: true });
  renameSync(dirs.trial, dirs.project);
}

/** Forget all rows and index files of a project or a trial. */
export function clearProject(store: Store, project: string, dir: string): void {
  store.transaction(() => {
    for (const table of ['sources', 'roots', 'corpora'])
      store.sql.prepare(`DELETE FROM ${table} WHERE project = ?`).run(project);
  });
  rmSync(dir, { recursive: true, force: true });
}
