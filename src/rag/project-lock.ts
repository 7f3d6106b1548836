import { setTimeout as sleep } from 'node:timers/promises';
import { AssistantError } from '../base/errors.ts';
import type { HeldLock, Store } from '../store/contract.ts';

/** Shorter than the time limit of the tools that write. */
const PATIENCE_MS = 6000;
const LONGEST_PAUSE_MS = 25;

/**
 * Run `work` as the only writer of a project's files among all programs of the home. Everything under the projects
 * folder is written within it, whole files by `replaceFile`.
 *
 * @param work gets a signal that fires when the lock is lost; nothing may be written after that.
 * @throws AssistantError `project_busy` when others write all the time, or the lock was lost before anything was
 *   written.
 */
export async function asOnlyWriter<T>(
  store: Pick<Store, 'lock'>,
  project: string,
  work: (lost: AbortSignal) => Promise<T>,
): Promise<T> {
  const lock = await lockSoon(store, project);
  try {
    return await work(lock.lost);
  } catch (error) {
    if (!lock.lost.aborted || error !== lock.lost.reason) throw error;
    throw busy(`The connection to the database broke, so nothing was written into project ${project}.`);
  } finally {
    await lock[Symbol.asyncDispose]();
  }
}

/** Waits with random jitter, so that no frequent caller shuts the others out. */
async function lockSoon(store: Pick<Store, 'lock'>, project: string): Promise<HeldLock> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    const lock = await store.lock(`files:${project}`);
    if (lock) return lock;
    if (performance.now() > end) throw busy(`Another program is writing into project ${project} for too long.`);
    await sleep(1 + Math.random() * LONGEST_PAUSE_MS);
  }
}

function busy(message: string): AssistantError {
  return new AssistantError('project_busy', message, { hint: 'Try again in a moment.' });
}
