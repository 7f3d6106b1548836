import { posix } from 'node:path';
import { sha256 } from '../../base/json.ts';
import type { Turn } from '../../base/turn.ts';
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
