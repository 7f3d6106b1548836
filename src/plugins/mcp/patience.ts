/** An inactivity timeout, which is paused while a person answers. */
export class Patience {
  readonly #controller = new AbortController();
  readonly #limitMs: number;
  #timer: NodeJS.Timeout | undefined;
  #people = 0;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
    this.heard();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** There was activity: restart the timer. */
  readonly heard = (): void => {
    clearTimeout(this.#timer);
    if (this.#people > 0) return;
    this.#timer = setTimeout(() => this.#controller.abort(new Error('no answer in time')), this.#limitMs);
  };

  /** Pause while a person answers, however long that takes. */
  async whileAsking<T>(ask: () => Promise<T>): Promise<T> {
    this.#people += 1;
    clearTimeout(this.#timer);
    try {
      return await ask();
    } finally {
      this.#people -= 1;
      this.heard();
    }
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#people += 1;
  }
}
