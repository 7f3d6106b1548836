/** Loaded first in each thread that a test starts: its mutants are those of the test. */
import { getEnvironmentData } from 'node:worker_threads';
import { SHARED, SharedMutants } from './mutation-shared.ts';

const shared = new SharedMutants(getEnvironmentData(SHARED) as unknown as SharedArrayBuffer);
// The name and the fields are those that Stryker writes into the code.
Object.assign(globalThis, {
  __stryker__: Object.defineProperties(
    { mutantCoverage: { static: shared.met, perTest: {} } },
    {
      activeMutant: { get: () => shared.activeMutant },
      hitLimit: { get: () => shared.hitLimit },
      hitCount: {
        get: () => shared.hitCount,
        set: (count: number) => {
          shared.hitCount = count;
        },
      },
    },
  ),
});
