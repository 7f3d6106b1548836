interface Waiting {
  enter(): void;
  refuse(error: unknown): void;
}

/** One holder after the other, in the order in which they asked. */
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

  /** Those who wait need not wait longer: each would find what the holder has found. */
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
