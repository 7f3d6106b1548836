import type { Store } from '../store/store.ts';

/** A document and when it was last indexed, ISO 8601. */
export interface ChangedDocument {
  readonly document: string;
  readonly at: string;
  /** The scheduled run that wrote just this text; null when anybody else did. */
  readonly run: string | null;
}

/**
 * The documents of a project that were indexed after an instant, oldest first. Its journal is left out: what a job notes
 * there must not start that job again. A root may lie within the project's folder, so the end of a path is enough.
 */
export function changedDocuments(store: Store, project: string, after: string): ChangedDocument[] {
  return store.sql
    .prepare(
      `SELECT s.document_id AS document, s.indexed_at AS at,
         (SELECT e.run_id FROM job_writes w JOIN effects e ON e.turn_id = w.turn_id AND e.run_id IS NOT NULL
          WHERE w.project = s.project AND w.sha256 = s.sha256
            AND (w.path = s.path OR substr(w.path, -length(s.path) - 1) = '/' || s.path)
          ORDER BY w.at DESC LIMIT 1) AS run
       FROM sources s
       WHERE s.project = ?1 AND s.indexed_at > ?2 AND s.state = 'indexed' AND s.path <> ?1 || '.md'
       ORDER BY s.indexed_at, s.id`,
    )
    .all(project, after) as unknown as ChangedDocument[];
}
