/** Fires when nothing was heard for a while. Stands still while a person answers. */
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

  /** Something was heard: begin to wait anew. */
  readonly heard = (): void => {
    clearTimeout(this.#timer);
    if (this.#people > 0) return;
    this.#timer = setTimeout(() => this.#controller.abort(new Error('no answer in time')), this.#limitMs);
  };

  /** Wait for a person, however long that takes. */
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
