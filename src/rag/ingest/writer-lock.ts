import { AssistantError } from '../../base/errors.ts';
import type { Store } from '../../store/store.ts';

/**
 * Run `work` as the only writer of a project's documents and index files among all programs of the home.
 *
 * @throws AssistantError `index_busy` while another one has the lock.
 */
export async function withWriterLock<T>(store: Store, project: string, work: () => Promise<T>): Promise<T> {
  const lock = await store.lock(`index:${project}`);
  if (!lock) {
    const hint = 'Searching works meanwhile. Ingest again when the other process has finished.';
    throw new AssistantError('index_busy', `Another process is ingesting into project ${project}.`, { hint });
  }
  try {
    return await work();
  } finally {
    await lock[Symbol.asyncDispose]();
  }
}
