import { setImmediate } from 'node:timers/promises';

const SLICE_MS = 5;

/** Keeps long loops from blocking the event loop: `if (pace.due) await pace.pause()`. */
export class Pace {
  #since = performance.now();

  get due(): boolean {
    return performance.now() - this.#since > SLICE_MS;
  }

  async pause(): Promise<void> {
    await setImmediate();
    this.#since = performance.now();
  }
}
