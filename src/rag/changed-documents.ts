import type { Store } from '../store/store.ts';

/** A document and when it was last indexed, ISO 8601. */
export interface ChangedDocument {
  readonly document: string;
  readonly at: string;
  /** The scheduled run that wrote exactly this content; null when anyone else did. */
  readonly run: string | null;
}

/** One version of a file. A source's root may lie within the project's folder, so `path` may lack leading folders. */
export interface WrittenFile {
  readonly project: string;
  readonly path: string;
  readonly sha256: string;
}

export interface ChangeQuery {
  /** ISO 8601. */
  readonly after: string;
  /** The scheduled run that wrote a file with this content, if one did. */
  runThatWrote(file: WrittenFile): string | null;
}

/**
 * List a project's documents that were indexed after an instant, oldest first. The project's journal is left out: what
 * a job notes there must not start that job again.
 */
export function changedDocuments(store: Store, project: string, query: ChangeQuery): ChangedDocument[] {
  const rows = store.sql
    .prepare(
      `SELECT document_id, indexed_at, path, sha256 FROM sources
       WHERE project = ?1 AND indexed_at > ?2 AND state = 'indexed' AND path <> ?1 || '.md'
       ORDER BY indexed_at, id`,
    )
    .all(project, query.after);
  return rows.map((row) => ({
    document: String(row.document_id),
    at: String(row.indexed_at),
    run: query.runThatWrote({ project, path: String(row.path), sha256: String(row.sha256) }),
  }));
}
