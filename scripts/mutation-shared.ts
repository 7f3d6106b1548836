/**
 * What the thread of a test and those that it starts tell each other about mutants, in memory that they share: a thread may
 * outlive the test, and one that is stopped says nothing more.
 */

/** Its name among what each new thread is handed. */
export const SHARED = 'mutants';

/** More than the whole program has; Stryker numbers those of one run from 0. */
const MOST_MUTANTS = 2 ** 18;
const [ACTIVE, HIT_COUNT, HIT_LIMIT, HEAD] = [0, 1, 2, 3];
const NONE = -1;
const NO_LIMIT = 2 ** 31 - 1;

export class SharedMutants {
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
