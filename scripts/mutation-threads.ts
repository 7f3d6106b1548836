/**
 * Last of the setup files: what the threads of a test meet counts as met by the test, and the mutant that is active here is
 * active in them. Stryker itself knows only the thread that the tests run in.
 */
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { setEnvironmentData, type WorkerOptions } from 'node:worker_threads';
import { afterAll, afterEach, beforeAll, beforeEach, inject } from 'vitest';
import { SHARED, SharedMutants } from './mutation-shared.ts';

type Counts = Record<string, number>;
interface Namespace {
  activeMutant?: string;
  currentTestId?: string;
  hitCount?: number;
  hitLimit?: number;
  mutantCoverage?: { readonly static: Counts; readonly perTest: Record<string, Counts> };
  /** Ours. The process stays, and with it perhaps a thread of the file before. */
  shared?: SharedMutants;
}

const THREAD = join(import.meta.dirname, 'mutation-thread.ts');
const stryker = (globalThis as unknown as Record<string, Namespace>)[inject('globalNamespace' as never)] as Namespace;
stryker.shared ??= shareWithThreads();
const { shared } = stryker;

// Stryker's hooks are around these: the mutant is active by now, and the test still has its name.
beforeAll(() => shared.activate(stryker.activeMutant, stryker.hitLimit));
beforeEach(() => {
  shared.met.fill(0);
});
afterEach(() => {
  const { mutantCoverage, currentTestId } = stryker;
  if (!mutantCoverage || currentTestId === undefined) return;
  mutantCoverage.perTest[currentTestId] ??= {};
  const met = mutantCoverage.perTest[currentTestId];
  // What runs while a file loads is left out here, so it is in threads.
  for (const [id, times] of shared.takeMet()) if (!mutantCoverage.static[id]) met[id] = (met[id] ?? 0) + times;
});
afterAll(() => {
  if (stryker.hitCount !== undefined) stryker.hitCount += shared.hitCount;
  shared.activate(undefined, undefined);
});

function shareWithThreads(): SharedMutants {
  const mutants = new SharedMutants();
  setEnvironmentData(SHARED, mutants.memory as never);
  const threads = createRequire(import.meta.url)('node:worker_threads') as typeof import('node:worker_threads');
  threads.Worker = class extends threads.Worker {
    constructor(file: string | URL, options: WorkerOptions = {}) {
      super(file, { ...options, execArgv: [...(options.execArgv ?? process.execArgv), '--import', THREAD] });
    }
  };
  syncBuiltinESMExports();
  return mutants;
}
