import { setTimeout as sleep } from 'node:timers/promises';
import { AssistantError } from '../../base/errors.ts';
import type { HeldLock, Store } from '../../store/contract.ts';

/**
 * How long to wait for the lock if other machines may hold it: each search scans the project's own folder, which takes
 * them milliseconds.
 */
const PATIENCE_MS = 2000;
const ASK_AGAIN_MS = 50;

/**
 * Run `work` as the only writer of a project's documents and index files among all programs of the home. A holder that
 * is killed loses the lock.
 *
 * @param work  gets a signal that fires when the connection to the database broke and the lock with it: then it should
 *   end, since another program may have begun. And a function that rejects when that is so already: see `HeldLock`.
 * @throws AssistantError `index_busy` while another program holds the lock, `index_unavailable` if it was lost.
 */
export async function withWriterLock<T>(
  store: Store,
  project: string,
  work: (lost: AbortSignal, confirm: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const lock = await take(store, `index:${project}`);
  if (!lock) {
    const hint = 'Searching works meanwhile. Ingest again when the other process has finished.';
    throw new AssistantError('index_busy', `Another process is ingesting into project ${project}.`, { hint });
  }
  try {
    const result = await work(lock.lost, () => lock.confirm());
    if (lock.lost.aborted) throw lostLock(project);
    return result;
  } catch (error) {
    throw lock.lost.aborted ? lostLock(project, error) : error;
  } finally {
    await lock[Symbol.asyncDispose]();
  }
}

async function take(store: Store, name: string): Promise<HeldLock | undefined> {
  const until = performance.now() + (store.kind === 'postgres' ? PATIENCE_MS : 0);
  for (;;) {
    const lock = await store.lock(name);
    if (lock || performance.now() >= until) return lock;
    await sleep(ASK_AGAIN_MS);
  }
}

function lostLock(project: string, cause?: unknown): AssistantError {
  const message = `The connection to the database broke while project ${project} was being ingested.`;
  const hint = 'What was read is kept. Ingest again to continue.';
  return new AssistantError('index_unavailable', message, { hint, cause });
}
