import { messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { machineZone } from '../when/zone.ts';
import type { CompileWorld } from './compile/types.ts';
import {
  DEFAULT_LIMITS,
  type Limits,
  type Sandbox,
  type SandboxStatus,
  type ScriptOptions,
  type ScriptResult,
  type TurnSandbox,
} from './contract.ts';
import { failureAt } from './locate.ts';
import { Pool } from './pool.ts';
import { ScriptRun } from './script-run.ts';
import { TurnChild } from './turn-child.ts';
import type { Worker } from './worker.ts';

export interface SandboxDeps {
  readonly log: Log;
  /** Memory limit of one script in MB; a run may set another. */
  readonly memoryMb?: number;
  /** Children kept ready; each takes about 12 MB of unshared memory. */
  readonly poolSize?: number;
  /** IANA zone that scripts see; default: the machine's. */
  readonly timeZone?: string | undefined;
}

/** Provides a script's child, and takes it back. */
interface Children {
  take(memoryMb: number): Promise<Worker>;
  /** @param clean  the script ended by itself and left no calls in progress. */
  giveBack(worker: Worker, clean: boolean, memoryMb: number): void;
}

/**
 * A sandbox that runs every script in an isolate of its own, in a child process that is killed afterwards; scripts of
 * one turn may share a child. Nothing is started before the first `warm` or `run`; `close` kills the waiting children.
 */
export function createSandbox(deps: SandboxDeps): Sandbox {
  return new ChildSandbox(deps);
}

class ChildSandbox implements Sandbox {
  readonly #deps: SandboxDeps;
  readonly #pool: Pool;
  readonly #limits: Limits;

  constructor(deps: SandboxDeps) {
    this.#deps = deps;
    this.#limits = { ...DEFAULT_LIMITS, memoryMb: deps.memoryMb ?? DEFAULT_LIMITS.memoryMb };
    const timeZone = deps.timeZone ?? machineZone();
    this.#pool = new Pool({ size: deps.poolSize ?? 1, timeZone });
  }

  async warm(): Promise<void> {
    this.#pool.fill(this.#limits.memoryMb);
    await Promise.all([compiler(), this.#pool.whenReady(this.#limits.memoryMb)]);
  }

  run(source: string, options: ScriptOptions): Promise<ScriptResult> {
    return this.#run(source, options, {
      take: (memoryMb) => this.#pool.take(memoryMb),
      giveBack: (worker, _clean, memoryMb) => {
        worker.kill();
        // Starting a process blocks for a moment, so hand over the result first.
        setImmediate(() => this.#pool.fill(memoryMb));
      },
    });
  }

  forTurn(mayShare: () => boolean): TurnSandbox {
    const child = new TurnChild(this.#pool, mayShare);
    return {
      warm: () => child.warm(this.#limits.memoryMb),
      run: (source, options) => this.#run(source, options, child),
      close: () => child.close(),
    };
  }

  async #run(source: string, options: ScriptOptions, children: Children): Promise<ScriptResult> {
    const started = performance.now();
    const limits = { ...this.#limits, ...options.limits };
    const failed = (failure: ScriptResult['failed']): ScriptResult => ({
      ...(failure ? { failed: failure } : {}),
      logs: [],
      droppedLogs: 0,
      calls: [],
      ms: performance.now() - started,
    });
    if (source.length > limits.maxSourceChars) {
      const message = `The script has ${source.length} characters, ${limits.maxSourceChars} is the limit`;
      return failed({ reason: 'limit', message });
    }
    const { compileScript } = await compiler();
    const compiled = compileScript(source, compileWorld(options));
    if (!compiled.ok) {
      const { message, position } = compiled;
      return failed(position ? failureAt('syntax', message, position, source) : { reason: 'syntax', message });
    }
    const worker = await children.take(limits.memoryMb);
    const run = new ScriptRun({ worker, source, compiled, options, limits });
    try {
      return await run.run();
    } finally {
      children.giveBack(worker, run.clean, limits.memoryMb);
    }
  }

  async probe(): Promise<SandboxStatus> {
    try {
      const bridge = { call: async () => ({ ok: true, value: null }) as const, log: () => {} };
      const result = await this.run('1 + 1', { functions: [], bridge, signal: AbortSignal.timeout(20_000) });
      if (result.value === 2) return { ok: true, notes: platformNotes() };
      return { ok: false, problem: result.failed?.message ?? 'a test script gave a wrong result', notes: [] };
    } catch (error) {
      this.#deps.log.warn('the sandbox cannot start', { error: messageOf(error) });
      return { ok: false, problem: messageOf(error), notes: [] };
    }
  }

  async close(): Promise<void> {
    this.#pool.close();
  }
}

/** Loaded with the first script: parser and scope analysis would add 20 ms to every start of the program. */
function compiler(): Promise<typeof import('./compile/compile.ts')> {
  return import('./compile/compile.ts');
}

function compileWorld({ functions, modules }: ScriptOptions): CompileWorld {
  const waited = functions.filter(({ kind, global }) => kind !== 'fire' && global !== false);
  return {
    functions: new Set(waited.map(({ name }) => name)),
    tools: new Set(functions.filter(({ tool }) => tool).map(({ name }) => name)),
    modules: Object.keys(modules ?? {}),
  };
}

/** Which limits the kernel enforces on this platform; the others are up to our watchdog. */
function platformNotes(): string[] {
  if (process.platform === 'linux') return ['memory by the kernel and a watcher every 20 ms'];
  if (process.platform === 'win32') return ['memory of a script is limited by V8 only; no watcher on this system'];
  return ['memory by a watcher every 250 ms only'];
}
