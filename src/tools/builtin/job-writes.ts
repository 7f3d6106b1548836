import { posix } from 'node:path';
import { sha256 } from '../../base/json.ts';
import type { Turn } from '../../base/turn.ts';
import type { WrittenFile } from '../../rag/changed-documents.ts';
import type { Store } from '../../store/store.ts';

/** Remembers what scheduled turns write into their project, so that a job's own change does not start it again. */
export class JobWrites {
  readonly #store: Store;
  readonly #now: () => Date;

  constructor(store: Store, now: () => Date) {
    this.#store = store;
    this.#now = now;
  }

  /** Call it before the file is written, since whoever watches the folder may be faster than the caller. */
  note({ id, origin, project }: Turn, path: string, content: string): void {
    if (origin !== 'schedule') return;
    this.#store.sql
      .prepare('INSERT OR REPLACE INTO job_writes (project, path, sha256, turn_id, at) VALUES (?, ?, ?, ?, ?)')
      .run(project, posix.normalize(path), sha256(content), id, this.#now().toISOString());
  }
}

/**
 * Find the scheduled run that wrote a file with this content, the latest if several did. The path may lack leading
 * folders. The result is a function, so that a caller can ask about many files with one prepared statement.
 */
export function jobRunThatWrote(store: Store) {
  const statement = store.sql.prepare(
    `SELECT e.run_id AS run FROM job_writes w JOIN effects e ON e.turn_id = w.turn_id AND e.run_id IS NOT NULL
     WHERE w.project = ?1 AND w.sha256 = ?2 AND (w.path = ?3 OR substr(w.path, -length(?3) - 1) = '/' || ?3)
     ORDER BY w.at DESC LIMIT 1`,
  );
  return ({ project, path, sha256: sha }: WrittenFile): string | null => {
    const run = statement.get(project, sha, path)?.run;
    return typeof run === 'string' ? run : null;
  };
}
