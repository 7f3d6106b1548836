interface Waiting {
  enter(): void;
  refuse(error: unknown): void;
}

/** One holder at a time, first come, first served. */
export class Mutex {
  #held = false;
  #waiting: Waiting[] = [];

  async lock(): Promise<void> {
    if (this.#held) await new Promise<void>((enter, refuse) => this.#waiting.push({ enter, refuse }));
    this.#held = true;
  }

  unlock(): void {
    const next = this.#waiting.shift();
    if (next) next.enter();
    else this.#held = false;
  }

  /** Let the current waiters fail at once: each would run into the same error as the holder. */
  refuseWaiting(error: unknown): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { refuse } of waiting) refuse(error);
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.lock();
    try {
      return await work();
    } finally {
      this.unlock();
    }
  }
}
