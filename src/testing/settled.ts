import { setTimeout as sleep } from 'node:timers/promises';
import type { Store } from '../store/store.ts';
import { sqlGet } from './sql.ts';

/** Often enough for any run of a test that comes to an end by itself. */
const MOST_LOOKS = 5000;

/** Wait until no run is in progress. */
export async function settled(store: Store): Promise<void> {
  const under = "SELECT count(*) AS n FROM runs WHERE state IN ('claimed', 'running')";
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    if ((await sqlGet(store, under))?.n === 0) return;
    await sleep(2);
  }
  throw new Error('a run did not come to an end');
}
