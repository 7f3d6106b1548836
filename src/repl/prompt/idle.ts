/** After this long without a key, the person is unlikely to be about to type. */
const IDLE_MS = 1500;

/** Tells when the person has nothing else to do. */
export class Idle {
  readonly #isFree: () => boolean;
  readonly #afterMs: number;
  #waiting: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** @param isFree  the line is empty, and nothing is going on. */
  constructor(isFree: () => boolean, afterMs = IDLE_MS) {
    this.#isFree = isFree;
    this.#afterMs = afterMs;
  }

  /** For one caller at a time. Resolves once nothing has happened for a moment. */
  wait(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting = resolve;
    this.stirred();
    return promise;
  }

  /** A key was pressed: start waiting again. */
  stirred(): void {
    clearTimeout(this.#timer);
    if (this.#waiting) this.#timer = setTimeout(() => this.#look(), this.#afterMs).unref();
  }

  /** The terminal is closed: stop waiting. */
  end(): void {
    clearTimeout(this.#timer);
    this.#waiting?.();
    this.#waiting = undefined;
  }

  #look(): void {
    if (this.#isFree()) this.end();
    else this.stirred();
  }
}
