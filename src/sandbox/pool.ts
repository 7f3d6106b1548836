import { AssistantError, messageOf } from '../base/errors.ts';
import { type ChildFiles, loadChildFiles } from './child-files.ts';
import { Worker } from './worker.ts';

export interface PoolOptions {
  /** How many children are kept ready. */
  readonly size: number;
  readonly timeZone: string;
}

/** Child processes that are ready before they are needed. Each is used for one script. */
export class Pool {
  readonly #options: PoolOptions;
  readonly #ready = new Map<number, Worker[]>();
  #files: ChildFiles | undefined;
  #closed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
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

  /** Start the children that are missing. Failures are reported when a child is taken. */
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
      // `take` fails in the same way, and has a caller who can be told.
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
    this.#ready.clear();
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

  async #start(memoryMb: number): Promise<Worker> {
    const worker = this.#spawn(memoryMb);
    await worker.ready();
    return worker;
  }

  #spawn(memoryMb: number): Worker {
    this.#files ??= loadChildFiles();
    return new Worker({ files: this.#files, memoryMb, timeZone: this.#options.timeZone });
  }
}

function unavailable(error: unknown): AssistantError {
  return new AssistantError('sandbox_unavailable', `Scripts cannot run here: ${messageOf(error)}.`, {
    hint: 'Use classic mode (/mode tools); `wooster doctor` says what is missing.',
    cause: error,
  });
}
