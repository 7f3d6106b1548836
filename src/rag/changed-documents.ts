import type { Store } from '../store/store.ts';

/** A document and when it was last indexed, ISO 8601. */
export interface ChangedDocument {
  readonly document: string;
  readonly at: string;
  /** The scheduled run that wrote exactly this content; null if anyone else did. */
  readonly run: string | null;
}

/** One version of a file. A source's root may lie within the project's folder, so `path` may lack leading folders. */
export interface WrittenFile {
  readonly path: string;
  readonly sha256: string;
}

export interface ChangeQuery {
  /** ISO 8601. */
  readonly after: string;
  /** For each file, the scheduled run that wrote this content, if any. */
  runsThatWrote(project: string, files: readonly WrittenFile[]): Promise<readonly (string | null)[]>;
}

/**
 * List a project's documents that were indexed after an instant, oldest first. The project's journal is left out: what
 * a job notes there must not start that job again.
 */
export async function changedDocuments(
  store: Store,
  project: string,
  { after, runsThatWrote }: ChangeQuery,
): Promise<ChangedDocument[]> {
  const rows = await store.db
    .selectFrom('sources')
    .select(['document_id', 'indexed_at', 'path', 'sha256'])
    .where('project', '=', project)
    .where('indexed_at', '>', after)
    .where('state', '=', 'indexed')
    .where('path', '<>', `${project}.md`)
    .orderBy('indexed_at')
    .orderBy('id')
    .execute();
  const runs = await runsThatWrote(project, rows);
  return rows.map(({ document_id: document, indexed_at: at }, index) => ({ document, at, run: runs[index] ?? null }));
}
