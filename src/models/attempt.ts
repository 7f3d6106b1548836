import { ReplyError } from './failure.ts';
import type { WireError, WireWatch } from './wire.ts';

export interface Deadlines {
  /** From the request to the first byte of the answer. */
  readonly firstByteMs: number;
  /** Longest silence after that. */
  readonly idleMs: number;
}

/** One request to one candidate: its clock, its signal, and what its wire guard saw. */
export class Attempt implements WireWatch {
  readonly #controller = new AbortController();
  readonly #deadlines: Deadlines;
  readonly #started = performance.now();
  #timer: NodeJS.Timeout;
  #fault: WireError | undefined;
  #late: ReplyError | undefined;
  #answered = false;

  constructor(deadlines: Deadlines) {
    this.#deadlines = deadlines;
    this.#timer = this.#arm(deadlines.firstByteMs, 'did not begin to answer');
  }

  /** Fires when the model stays silent for too long. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get fault(): WireError | undefined {
    return this.#fault;
  }

  /** The silence that ended this attempt; SDKs report it as a mere abort. */
  get late(): ReplyError | undefined {
    return this.#late;
  }

  get elapsedMs(): number {
    return performance.now() - this.#started;
  }

  /** Something of the answer has arrived. */
  get answered(): boolean {
    return this.#answered;
  }

  onActivity(): void {
    this.#answered = true;
    clearTimeout(this.#timer);
    this.#timer = this.#arm(this.#deadlines.idleMs, 'fell silent');
  }

  onFault(fault: WireError): void {
    this.#fault = fault;
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #arm(ms: number, what: string): NodeJS.Timeout {
    return setTimeout(() => {
      this.#late = new ReplyError('silent', `${what} for ${ms} ms`);
      this.#controller.abort(this.#late);
    }, ms);
  }
}
