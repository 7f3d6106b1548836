/**
 * Last of the setup files: what the threads of a test meet counts as met by the test, and the mutant that is active here is
 * active in them, as in programs that are started from their text. Stryker itself knows only the thread of the tests.
 */
import type { SpawnOptions } from 'node:child_process';
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

type Spawn = (command: string, words: readonly string[], options: SpawnOptions) => unknown;

/** What Stryker writes into the code: which mutants a place has, by number. */
const COVERS = 'stryCov_9fa48(';
const IDS = /stryCov_9fa48\(([\d", ]*)\)/gu;
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
  const builtin = createRequire(import.meta.url);
  const threads = builtin('node:worker_threads') as typeof import('node:worker_threads');
  threads.Worker = class extends threads.Worker {
    constructor(file: string | URL, options: WorkerOptions = {}) {
      super(file, { ...options, execArgv: [...(options.execArgv ?? process.execArgv), '--import', THREAD] });
    }
  };
  const processes = builtin('node:child_process') as { spawn: Spawn };
  const { spawn } = processes;
  processes.spawn = (command, words, options) => {
    const text = words?.find((word) => word.includes(COVERS));
    return spawn(command, words, text === undefined ? options : { ...options, env: withMutant(text, options.env) });
  };
  syncBuiltinESMExports();
  return mutants;

  /** A program cannot tell what it met, so all that it holds counts as met once. */
  function withMutant(text: string, env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
    const { activeMutant } = mutants;
    const ids = [...text.matchAll(IDS)].flatMap(([, list = '']) => list.match(/\d+/gu) ?? []);
    for (const id of new Set(ids)) mutants.met[Number(id)] = (mutants.met[Number(id)] ?? 0) + 1;
    if (activeMutant === undefined || !ids.includes(activeMutant)) return env;
    mutants.hitCount += 1;
    return { ...env, __STRYKER_ACTIVE_MUTANT__: activeMutant };
  }
}
