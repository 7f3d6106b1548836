import { posix } from 'node:path';
import { sha256 } from '../../base/json.ts';
import type { Turn } from '../../base/turn.ts';
import type { WrittenFile } from '../../rag/changed-documents.ts';
import { isIn } from '../../store/portable.ts';
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
  async note({ id, origin, project }: Turn, path: string, content: string): Promise<void> {
    if (origin !== 'schedule') return;
    const latest = { turn_id: id, at: this.#now().toISOString() };
    await this.#store.db
      .insertInto('job_writes')
      .values({ project, path: posix.normalize(path), sha256: sha256(content), ...latest })
      .onConflict((conflict) => conflict.columns(['project', 'sha256', 'path']).doUpdateSet(latest))
      .execute();
  }
}

/**
 * Find the scheduled runs that wrote files of one project with this content, the latest if several did. The paths may
 * lack leading folders.
 *
 * @returns a run or null for each file, in their order.
 */
export function jobRunsThatWrote(store: Store) {
  return async (project: string, files: readonly WrittenFile[]): Promise<(string | null)[]> => {
    if (files.length === 0) return [];
    const shas = files.map((file) => file.sha256);
    const writes = await store.db
      .selectFrom('job_writes as w')
      .innerJoin('effects as e', 'e.turn_id', 'w.turn_id')
      .where('e.run_id', 'is not', null)
      .where('w.project', '=', project)
      .where(isIn(store, 'w.sha256', shas))
      .select(['w.path', 'w.sha256', 'w.at', 'e.run_id'])
      .distinct()
      .orderBy('w.at', 'desc')
      .execute();
    const bySha = Map.groupBy(writes, (write) => write.sha256);
    return files.map(({ path, sha256: sha }) => {
      return bySha.get(sha)?.find((write) => `/${write.path}`.endsWith(`/${path}`))?.run_id ?? null;
    });
  };
}
