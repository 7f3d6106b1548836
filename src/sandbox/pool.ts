import { AssistantError, messageOf } from '../base/errors.ts';
import { type ChildFiles, loadChildFiles } from './child-files.ts';
import { Worker } from './worker.ts';

export interface PoolOptions {
  /** How many children are kept ready. */
  readonly size: number;
  readonly timeZone: string;
  /** Replaces our own program in tests, with children that fail. */
  readonly files?: ChildFiles;
}

/** isolated-vm asks for `--no-node-snapshot`, which doubles a child's start. @see docs/adr/0022 */
const SNAPSHOT_HOLDS = process.platform === 'linux' && process.arch === 'x64';
/** How a process with a corrupt heap ends. Running out of memory mostly causes other signals. */
const CRASHES: ReadonlySet<string> = new Set(['SIGSEGV', 'SIGBUS', 'SIGILL']);

/** Child processes that are started before they are needed. Whoever takes one has to kill it. */
export class Pool {
  readonly #options: PoolOptions;
  /** When the first child crashes or does not start, the others start in the slower, safer way. */
  #snapshot = SNAPSHOT_HOLDS;
  readonly #ready = new Map<number, Worker[]>();
  #files: ChildFiles | undefined;
  #closed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#files = options.files;
  }

  /**
   * Take a child that is ready, or start one. The caller has to kill it.
   *
   * @throws AssistantError `sandbox_unavailable` when no child can be started here.
   */
  async take(memoryMb: number): Promise<Worker> {
    try {
      return (await this.#takeReady(memoryMb)) ?? (await this.#start(memoryMb));
    } catch (error) {
      throw unavailable(error);
    }
  }

  /** Start the missing children. Failures are reported when a child is taken. */
  fill(memoryMb: number): void {
    const ready = this.#ready.get(memoryMb) ?? [];
    this.#ready.set(memoryMb, ready);
    try {
      while (!this.#closed && ready.length < this.#options.size) {
        const worker = this.#spawn(memoryMb);
        worker.hold(false);
        ready.push(worker);
      }
    } catch {
      // `take` will fail in the same way, and can tell its caller.
    }
  }

  /** Settles when every waiting child is ready or has failed to start. */
  async whenReady(memoryMb: number): Promise<void> {
    await Promise.allSettled((this.#ready.get(memoryMb) ?? []).map((worker) => worker.ready()));
  }

  /** Kill the waiting children and start no more. */
  close(): void {
    this.#closed = true;
    for (const workers of this.#ready.values()) for (const worker of workers) worker.kill();
  }

  async #takeReady(memoryMb: number): Promise<Worker | undefined> {
    const ready = this.#ready.get(memoryMb) ?? [];
    for (let worker = ready.shift(); worker; worker = ready.shift()) {
      if (worker.hasEnded) continue;
      worker.hold(true);
      const up = await worker.ready().then(
        () => true,
        () => false,
      );
      if (up) return worker;
    }
    return undefined;
  }

  /** Readiness is the test of a child: by then it has an isolate, and code has run in it. */
  async #start(memoryMb: number): Promise<Worker> {
    const snapshot = this.#snapshot;
    const worker = this.#spawn(memoryMb);
    try {
      await worker.ready();
      return worker;
    } catch (error) {
      this.#snapshot = false;
      if (snapshot && !this.#closed) return this.#start(memoryMb);
      throw error;
    }
  }

  #spawn(memoryMb: number): Worker {
    this.#files ??= loadChildFiles();
    const { timeZone } = this.#options;
    const worker = new Worker({ files: this.#files, memoryMb, timeZone, snapshot: this.#snapshot });
    void worker.ended.then(({ detail }) => {
      if (CRASHES.has(detail)) this.#snapshot = false;
    });
    return worker;
  }
}

function unavailable(error: unknown): AssistantError {
  return new AssistantError('sandbox_unavailable', `Scripts cannot run here: ${messageOf(error)}.`, {
    hint: 'Use classic mode (/mode tools); `wooster doctor` says what is missing.',
    cause: error,
  });
}
