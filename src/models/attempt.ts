import { ReplyError } from './failure.ts';
import type { ModelHttpError, WireWatch } from './guard-fetch.ts';

export interface Deadlines {
  /** From the request to the first byte of the answer. */
  readonly firstByteMs: number;
  /** Longest silence after that. */
  readonly idleMs: number;
}

/** One request to one candidate: its timer, its abort signal, and what the wire guard saw of it. */
export class Attempt implements WireWatch {
  readonly #controller = new AbortController();
  readonly #deadlines: Deadlines;
  readonly #started = performance.now();
  #timer: NodeJS.Timeout;
  #fault: ModelHttpError | undefined;
  #late: ReplyError | undefined;
  #answered = false;
  #atEnd: (() => void) | undefined;

  constructor(deadlines: Deadlines) {
    this.#deadlines = deadlines;
    this.#timer = this.#arm(deadlines.firstByteMs, 'did not start to answer');
  }

  /** Fires when the model is silent for too long. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get fault(): ModelHttpError | undefined {
    return this.#fault;
  }

  /** The timeout that ended this attempt; SDKs only report an abort. */
  get late(): ReplyError | undefined {
    return this.#late;
  }

  get elapsedMs(): number {
    return performance.now() - this.#started;
  }

  /** At least part of the answer has arrived. */
  get answered(): boolean {
    return this.#answered;
  }

  onActivity(): void {
    this.#answered = true;
    clearTimeout(this.#timer);
    this.#timer = this.#arm(this.#deadlines.idleMs, 'fell silent');
  }

  onFault(fault: ModelHttpError): void {
    this.#fault = fault;
  }

  /** Stop the timer; call it however the attempt ended, or the process stays alive for it. */
  end(): void {
    clearTimeout(this.#timer);
    const act = this.#atEnd;
    this.#atEnd = undefined;
    act?.();
  }

  /** Do something once, when the attempt ends. */
  onEnd(act: () => void): void {
    this.#atEnd = act;
  }

  #arm(ms: number, what: string): NodeJS.Timeout {
    return setTimeout(() => {
      this.#late = new ReplyError('silent', `${what} for ${ms} ms`);
      this.#controller.abort(this.#late);
    }, ms);
  }
}
