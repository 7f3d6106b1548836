import { AssistantError, messageOf } from '../base/errors.ts';
import { type ChildFiles, loadChildFiles } from './child-files.ts';
import { Worker } from './worker.ts';

export interface PoolOptions {
  /** Children that wait for work. */
  readonly size: number;
  readonly timeZone: string;
}

/** Children that are ready before they are needed; each is given out once. */
export class Pool {
  readonly #options: PoolOptions;
  readonly #ready = new Map<number, Worker[]>();
  #files: ChildFiles | undefined;
  #closed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /**
   * A child that is ready. The caller kills it.
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

  /** Start what is missing. Problems show when a child is taken. */
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
      // The same failure meets whoever takes a child, with somebody there to hear of it.
    }
  }

  /** Settles when all children that wait are up, or have failed to come up. */
  async whenReady(memoryMb: number): Promise<void> {
    await Promise.allSettled((this.#ready.get(memoryMb) ?? []).map((worker) => worker.ready()));
  }

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
