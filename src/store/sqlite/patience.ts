import { setTimeout as sleep } from 'node:timers/promises';
import { isBusy } from './errors.ts';

/** How long a statement waits for another program's transaction. */
const PATIENCE_MS = 5000;
const LONGEST_PAUSE_MS = 20;

/**
 * Retry while the database is busy. SQLite's own waiting would block the whole program, including the transaction of
 * another connection of this program that it may be waiting for.
 */
export async function patiently<T>(act: () => T): Promise<T> {
  const end = performance.now() + PATIENCE_MS;
  for (let pause = 1; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      return act();
    } catch (error) {
      if (!isBusy(error) || performance.now() > end) throw error;
    }
    await sleep(pause);
  }
}
