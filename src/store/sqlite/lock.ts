import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFolder } from '../../base/folders.ts';
import type { HeldLock } from '../contract.ts';
import { isBusy } from './errors.ts';

/** Named locks beside one database. */
export type Locks = (name: string) => HeldLock | undefined;

/** Locks among all programs, each on a small database file, so the system releases it however the program ends. */
export function fileLocks(path: string): Locks {
  const dir = join(dirname(path), 'locks');
  return (name) => {
    makeFolder(dir);
    const lock = new DatabaseSync(join(dir, `${encodeURIComponent(name)}.lock`), { timeout: 0 });
    try {
      lock.exec('BEGIN EXCLUSIVE');
      return held(() => lock.close());
    } catch (error) {
      lock.close();
      if (isBusy(error)) return undefined;
      throw error;
    }
  };
}

/** For a database in memory, which has a single user. */
export function memoryLocks(): Locks {
  const taken = new Set<string>();
  return (name) => {
    if (taken.has(name)) return undefined;
    taken.add(name);
    return held(() => taken.delete(name));
  };
}

/** A file's lock cannot be lost. */
function held(release: () => void): HeldLock {
  let released = false;
  return {
    lost: new AbortController().signal,
    confirm: async () => {},
    [Symbol.asyncDispose]: async () => {
      if (!released) release();
      released = true;
    },
  };
}
