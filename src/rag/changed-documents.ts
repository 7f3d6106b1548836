import type { Store } from '../store/store.ts';

/** A document and when it was last indexed, ISO 8601. */
export interface ChangedDocument {
  readonly document: string;
  readonly at: string;
}

/**
 * The documents of a project that were indexed after an instant, oldest first. Its journal is left out: what a job notes
 * there must not start that job again.
 */
export function changedDocuments(store: Store, project: string, after: string): ChangedDocument[] {
  return store.sql
    .prepare(
      "SELECT document_id AS document, indexed_at AS at FROM sources WHERE project = ?1 AND indexed_at > ?2 AND state = 'indexed' AND path <> ?1 || '.md' ORDER BY indexed_at, id",
    )
    .all(project, after) as unknown as ChangedDocument[];
}
