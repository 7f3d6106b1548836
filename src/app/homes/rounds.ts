/** Something that is polled. */
export interface Looked {
  /** When to poll next, on the clock of `performance.now()`. */
  nextMs: number;
  /** Must not reject. Sets `nextMs`. */
  look(): Promise<void>;
}

const BEAT_MS = 25;
/** How long a poll may occupy a lane. It continues after that, without one. */
const PATIENCE_MS = 2000;

/**
 * Polls many homes in turn: always the one that has waited longest, a few at a time, each home never twice at once.
 * A slow one costs the others one lane for at most two seconds.
 */
export class Rounds {
  readonly #homes = new Set<Looked>();
  readonly #looking = new Map<Looked, Promise<void>>();
  readonly #lanes: number;
  #busy = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(lanes: number) {
    this.#lanes = lanes;
  }

  start(): void {
    this.#timer ??= setInterval(() => this.#turn(), BEAT_MS);
  }

  add(home: Looked): void {
    this.#homes.add(home);
  }

  /** Resolves when no poll of it is running any more. */
  async remove(home: Looked): Promise<void> {
    this.#homes.delete(home);
    await this.#looking.get(home);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #turn(): void {
    const now = performance.now();
    const due = [...this.#homes].filter((home) => home.nextMs <= now && !this.#looking.has(home));
    due.sort((a, b) => a.nextMs - b.nextMs);
    for (const home of due.slice(0, this.#lanes - this.#busy)) void this.#lookAt(home);
  }

  async #lookAt(home: Looked): Promise<void> {
    this.#busy++;
    const looked = home.look().finally(() => this.#looking.delete(home));
    this.#looking.set(home, looked);
    const patience = Promise.withResolvers<void>();
    const timer = setTimeout(patience.resolve, PATIENCE_MS);
    await Promise.race([looked, patience.promise]);
    clearTimeout(timer);
    this.#busy--;
    // The next need not wait for the next beat.
    if (this.#timer) this.#turn();
  }
}
