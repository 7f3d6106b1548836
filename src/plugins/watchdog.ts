import { realpathSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { isMainThread, Worker } from 'node:worker_threads';

/** The thread's input. */
export interface WatchdogData {
  /** Heartbeat counter, incremented by the main thread. */
  readonly beats: Int32Array;
  readonly tickMs: number;
  readonly limitMs: number;
}

/** The thread's report: whose code it has stopped. */
export interface BlockReport {
  readonly root: string;
  /** `loop in index.ts, line 12` */
  readonly where: string;
}

/** Runs one plugin's code, which the watchdog may stop. */
export type Watch = <T>(work: () => T) => Promise<Awaited<T>>;

const TICK_MS = 250;
/** How long a plugin may block the event loop, and with it the whole program. */
const HELD_LIMIT_MS = 3000;

/**
 * Stops plugins that block the event loop of this process: a thread notices that the heartbeat has stopped,
 * uses the debugger to find out whose code is running, and ends it. The program continues.
 */
export class Watchdog {
  readonly #held: (root: string, why: string) => void;
  readonly #waiting = new Map<string, Set<(error: Error) => void>>();
  readonly #roots = new Map<string, string>();
  #thread: Worker | undefined;
  #heart: NodeJS.Timeout | undefined;

  /** @param held gets the folder of a plugin that was stopped, and what to say about it. */
  constructor(held: (root: string, why: string) => void) {
    this.#held = held;
  }

  /** @param root the folder of the plugin. */
  watch(root: string): Watch {
    this.#start();
    const waiting = new Set<(error: Error) => void>();
    // Node identifies a module by its real path.
    const url = `${pathToFileURL(realpathSync(root)).href}/`;
    this.#roots.set(url, root);
    this.#waiting.set(url, waiting);
    this.#thread?.postMessage(url);
    return async <T>(work: () => T): Promise<Awaited<T>> => {
      const { promise, reject } = Promise.withResolvers<never>();
      waiting.add(reject);
      this.#keepLoop();
      try {
        // On a stack of its own: stopping it unwinds all of its callers.
        return await Promise.race([nextTurn().then(work) as Promise<Awaited<T>>, promise]);
      } finally {
        waiting.delete(reject);
        this.#keepLoop();
      }
    };
  }

  /** Keeps the process alive: stopped code leaves nothing pending, so the program would end without an answer. */
  #keepLoop(): void {
    const busy = [...this.#waiting.values()].some(({ size }) => size > 0);
    if (busy) this.#thread?.ref();
    else this.#thread?.unref();
  }

  close(): void {
    clearInterval(this.#heart);
    void this.#thread?.terminate();
    this.#thread = undefined;
  }

  /** Off while somebody debugs the program, and inside a worker thread. */
  #start(): void {
    // Loaded here, so that a start without such a plugin does not pay for it.
    if (this.#thread || !isMainThread || process.getBuiltinModule('node:inspector').url() !== undefined) return;
    const beats = new Int32Array(new SharedArrayBuffer(4));
    this.#heart = setInterval(() => Atomics.add(beats, 0, 1), TICK_MS).unref();
    const workerData: WatchdogData = { beats, tickMs: TICK_MS, limitMs: HELD_LIMIT_MS };
    this.#thread = new Worker(new URL('./watchdog-thread.ts', import.meta.url), { workerData, execArgv: [] });
    this.#thread.on('message', (held: BlockReport) => this.#stopped(held));
    this.#thread.on('error', () => this.close());
    this.#thread.unref();
  }

  #stopped({ root: url, where }: BlockReport): void {
    const why = `it held the whole program for ${HELD_LIMIT_MS / 1000} s and was stopped (${where})`;
    for (const reject of this.#waiting.get(url) ?? []) reject(new Error(why));
    const root = this.#roots.get(url);
    if (root !== undefined) this.#held(root, why);
  }
}
