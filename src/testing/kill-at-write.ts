import type { Store } from '../store/store.ts';
import { openTestStore } from './stores.ts';

/** Thrown by every use of a store that was "killed". */
class Killed extends Error {}

export interface KillableStore {
  readonly store: Store;
  /** Writes so far; transactions count at their beginning and at their end. */
  writes(): number;
  /** Let go of the database, as the end of a process does: what was not committed is gone. */
  die(): Promise<void>;
}

const WRITES = /^\s*(?:with\b.*?\b)?(?:insert|update|delete|begin|commit)\b/isu;

/** A store that stops for good just before its `at`-th write; `kill` says how (it throws unless the process ends). */
export async function killAtWrite(path: string, at: number, kill: () => void = () => {}): Promise<KillableStore> {
  let writes = 0;
  let dead = false;
  let open = false;
  const beforeStatement = (sql: string) => {
    if (!open || (!dead && (!WRITES.test(sql) || ++writes < at))) return;
    dead = true;
    kill();
    throw new Killed(`killed at write ${at}`);
  };
  const store = await openTestStore(path, { beforeStatement });
  // What opening writes, such as that this program is there, does not count.
  open = true;
  return { store, writes: () => writes, die: () => store.close() };
}
