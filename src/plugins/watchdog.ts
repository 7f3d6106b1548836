import { realpathSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { isMainThread, Worker } from 'node:worker_threads';

/** What the thread gets. */
export interface WatchdogData {
  /** Counted up by the main thread as long as it lives. */
  readonly beats: Int32Array;
  readonly tickMs: number;
  readonly limitMs: number;
}

/** What the thread says: whose code it has stopped. */
export interface Held {
  readonly root: string;
  /** `loop in index.ts, line 12` */
  readonly where: string;
}

/** Runs code of one plugin, which may be stopped from outside. */
export type Watch = <T>(work: () => T) => Promise<Awaited<T>>;

const TICK_MS = 250;
/** Nobody else in the program does anything for so long when a plugin does not give the processor back. */
const HELD_LIMIT_MS = 3000;

/**
 * Stops plugins that run in this process and do not give the processor back: a thread sees that the program is silent,
 * looks by way of the debugger whose code runs, and ends it. The program goes on.
 */
export class Watchdog {
  readonly #held: (root: string, why: string) => void;
  readonly #waiting = new Map<string, Set<(error: Error) => void>>();
  readonly #roots = new Map<string, string>();
  #thread: Worker | undefined;
  #heart: NodeJS.Timeout | undefined;

  /** @param held gets the folder of a plugin that was stopped, and what to say of it. */
  constructor(held: (root: string, why: string) => void) {
    this.#held = held;
  }

  /** @param root the folder of the plugin. */
  watch(root: string): Watch {
    this.#start();
    const waiting = new Set<(error: Error) => void>();
    // Node names a module by its real path.
    const url = `${pathToFileURL(realpathSync(root)).href}/`;
    this.#roots.set(url, root);
    this.#waiting.set(url, waiting);
    this.#thread?.postMessage(url);
    return async <T>(work: () => T): Promise<Awaited<T>> => {
      const { promise, reject } = Promise.withResolvers<never>();
      waiting.add(reject);
      this.#keepLoop();
      try {
        // On a stack of its own: what is stopped takes all that called it along.
        return await Promise.race([nextTurn().then(work) as Promise<Awaited<T>>, promise]);
      } finally {
        waiting.delete(reject);
        this.#keepLoop();
      }
    };
  }

  /** What was stopped leaves nothing behind that the program waits for: without the thread it would end, unanswered. */
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

  /** Nothing is watched where somebody debugs the program, nor in a thread of another one. */
  #start(): void {
    // Loaded here: no start without such a plugin pays for it.
    if (this.#thread || !isMainThread || process.getBuiltinModule('node:inspector').url() !== undefined) return;
    const beats = new Int32Array(new SharedArrayBuffer(4));
    this.#heart = setInterval(() => Atomics.add(beats, 0, 1), TICK_MS).unref();
    const workerData: WatchdogData = { beats, tickMs: TICK_MS, limitMs: HELD_LIMIT_MS };
    this.#thread = new Worker(new URL('./watchdog-thread.ts', import.meta.url), { workerData, execArgv: [] });
    this.#thread.on('message', (held: Held) => this.#stopped(held));
    this.#thread.on('error', () => this.close());
    this.#thread.unref();
  }

  #stopped({ root: url, where }: Held): void {
    const why = `it held the whole program for ${HELD_LIMIT_MS / 1000} s and was stopped (${where})`;
    for (const reject of this.#waiting.get(url) ?? []) reject(new Error(why));
    const root = this.#roots.get(url);
    if (root !== undefined) this.#held(root, why);
  }
}
