import type { Store } from '../store/store.ts';

/** A document and when it was last indexed, ISO 8601. */
export interface ChangedDocument {
  readonly document: string;
  readonly at: string;
}

/** The documents of a project that were indexed after an instant, oldest first. */
export function changedDocuments(store: Store, project: string, after: string): ChangedDocument[] {
  return store.sql
    .prepare(
      "SELECT document_id AS document, indexed_at AS at FROM sources WHERE project = ? AND indexed_at > ? AND state = 'indexed' ORDER BY indexed_at, id",
    )
    .all(project, after) as unknown as ChangedDocument[];
}
