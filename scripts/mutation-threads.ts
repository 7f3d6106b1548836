/**
 * What the threads of a test meet counts as met by the test, and the mutant that is active in the test is active in them, as
 * in programs that are started from their text. Stryker itself knows only the thread of the tests.
 *
 * Loaded last of the setup files, and first in each thread that a test starts.
 */
import type { SpawnOptions } from 'node:child_process';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { getEnvironmentData, isMainThread, setEnvironmentData, type WorkerOptions } from 'node:worker_threads';

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

/** The name of the memory among what each new thread is handed. */
const SHARED = 'mutants';
/** What Stryker writes into the code: which mutants a place has, by number. */
const COVERS = 'stryCov_9fa48(';
const IDS = /stryCov_9fa48\(([\d", ]*)\)/gu;
/** More than the whole program has; Stryker numbers those of one run from 0. */
const MOST_MUTANTS = 2 ** 18;
const [ACTIVE, HIT_COUNT, HIT_LIMIT, HEAD] = [0, 1, 2, 3];
const NONE = -1;
const NO_LIMIT = 2 ** 31 - 1;

/** In memory that threads share, since one may outlive the test, and one that is stopped can no longer send messages. */
class SharedMutants {
  readonly memory: SharedArrayBuffer;
  readonly #head: Int32Array;
  /** How often each mutant was met, by its number. */
  readonly met: Int32Array;

  constructor(memory = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT * (HEAD + MOST_MUTANTS))) {
    this.memory = memory;
    this.#head = new Int32Array(memory, 0, HEAD);
    this.met = new Int32Array(memory, Int32Array.BYTES_PER_ELEMENT * HEAD);
  }

  activate(mutant: string | undefined, hitLimit: number | undefined): void {
    this.#head[ACTIVE] = /^\d+$/u.test(mutant ?? '') ? Number(mutant) : NONE;
    this.#head[HIT_COUNT] = 0;
    this.#head[HIT_LIMIT] = hitLimit ?? NO_LIMIT;
  }

  get activeMutant(): string | undefined {
    const id = this.#head[ACTIVE];
    return id === NONE ? undefined : String(id);
  }

  get hitLimit(): number {
    return this.#head[HIT_LIMIT] ?? NO_LIMIT;
  }

  get hitCount(): number {
    return this.#head[HIT_COUNT] ?? 0;
  }

  set hitCount(count: number) {
    this.#head[HIT_COUNT] = count;
  }

  /** What was met since the last call, by number. */
  takeMet(): (readonly [id: number, times: number])[] {
    const found: (readonly [number, number])[] = [];
    for (const [id, times] of this.met.entries()) if (times > 0) found.push([id, times]);
    this.met.fill(0);
    return found;
  }
}

if (isMainThread) await addHooks();
else joinTest();

async function addHooks(): Promise<void> {
  // Not in other threads, where Vitest refuses to be loaded.
  const { afterAll, afterEach, beforeAll, beforeEach, inject } = await import('vitest');
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
    // Mutants that run while a file loads are left out here, so they are in threads.
    for (const [id, times] of shared.takeMet()) if (!mutantCoverage.static[id]) met[id] = (met[id] ?? 0) + times;
  });
  afterAll(() => {
    if (stryker.hitCount !== undefined) stryker.hitCount += shared.hitCount;
    shared.activate(undefined, undefined);
  });
}

function shareWithThreads(): SharedMutants {
  const mutants = new SharedMutants();
  setEnvironmentData(SHARED, mutants.memory as never);
  const builtin = createRequire(import.meta.url);
  const threads = builtin('node:worker_threads') as typeof import('node:worker_threads');
  threads.Worker = class extends threads.Worker {
    constructor(file: string | URL, options: WorkerOptions = {}) {
      const execArgv = [...(options.execArgv ?? process.execArgv), '--import', import.meta.filename];
      super(file, { ...options, execArgv });
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

/** In a thread: its mutants are those of the test. */
function joinTest(): void {
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
}
