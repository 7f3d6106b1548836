import { setTimeout as sleep } from 'node:timers/promises';
import { Attempt, type Deadlines } from './attempt.ts';
import { diagnose, explain, type Failure, isFinal, maxRequests, ReplyError } from './failure.ts';

export interface RetryLimits extends Deadlines {
  /** For the whole call: every attempt, every wait. */
  readonly totalMs: number;
  /** A server that asks for a longer wait than this is not waited for. */
  readonly maxWaitMs: number;
}

/** Waiting, as tests can replace it. */
export interface Pace {
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** From 0 to 1. */
  random(): number;
}

export const realPace: Pace = {
  sleep: async (ms, signal) => sleep(ms, undefined, { signal }),
  random: Math.random,
};

export interface CallDeps<Candidate> {
  readonly candidates: readonly Candidate[];
  readonly limits: RetryLimits;
  readonly pace: Pace;
  /** Fires when nobody wants the answer any more. */
  readonly cancel: AbortSignal;
  /** `openai:gpt-4o-mini`, for the messages. */
  label(candidate: Candidate): string;
  /** Its address, where one was set up, for the message when nobody answered. */
  address(candidate: Candidate): string | undefined;
  redact(text: string): string;
  /** Before the candidate is asked once more, or the next one is (`waitMs` 0). */
  onRetry(retry: { reason: string; waitMs: number }): void;
  onFailure(candidate: Candidate, failure: Failure, attempt: Attempt): void;
}

const FIRST_WAIT_MS = 500;
const LONGEST_BACKOFF_MS = 8000;

/**
 * One model call over its candidates: who is asked next, how long to wait before, when to give up. The only retry
 * layer; SDKs below it try once.
 */
export class Call<Candidate> {
  readonly #deps: CallDeps<Candidate>;
  readonly #total: AbortSignal;
  readonly #tried: string[] = [];
  readonly #started = performance.now();
  #at = 0;
  #requests = 0;
  #attempt: Attempt | undefined;

  constructor(deps: CallDeps<Candidate>) {
    this.#deps = deps;
    this.#total = AbortSignal.timeout(deps.limits.totalMs);
  }

  /** Begin an attempt. `signal` covers cancelling and all deadlines. */
  next(): { candidate: Candidate; attempt: Attempt; signal: AbortSignal } {
    const candidate = this.#deps.candidates[this.#at];
    if (candidate === undefined) throw new RangeError('a call needs a candidate');
    this.#requests++;
    this.#attempt = new Attempt(this.#deps.limits);
    const signal = AbortSignal.any([this.#deps.cancel, this.#total, this.#attempt.signal]);
    return { candidate, attempt: this.#attempt, signal };
  }

  /** What went wrong in the attempt, as the person or the retry rules need it. Rethrows a cancellation. */
  judge(error: unknown): Failure {
    this.#attempt?.end();
    this.#deps.cancel.throwIfAborted();
    const failure = this.#verdict(error);
    const { candidate, attempt } = this.#current();
    this.#deps.onFailure(candidate, failure, attempt);
    return failure;
  }

  /**
   * Wait and go on, to the same candidate or the next.
   *
   * @throws AssistantError when nobody is left to ask.
   */
  async recover(failure: Failure): Promise<void> {
    const { candidate } = this.#current();
    const reason = this.#deps.redact(`${this.#deps.label(candidate)} ${failure.reason}`);
    const waitMs = this.#waitMs(failure);
    if (waitMs !== undefined) {
      this.#deps.onRetry({ reason, waitMs });
      return this.#pause(waitMs);
    }
    this.#tried.push(this.#story(reason, candidate));
    if (isFinal(failure.kind) || this.#at + 1 >= this.#deps.candidates.length) throw explain(failure, this.#tried);
    this.#at++;
    this.#requests = 0;
    this.#deps.onRetry({ reason, waitMs: 0 });
  }

  #story(reason: string, candidate: Candidate): string {
    const address = this.#deps.address(candidate);
    const where = address === undefined ? '' : ` at ${this.#deps.redact(address)}`;
    return this.#requests > 1
      ? `${reason} (asked ${this.#requests} times${where})`
      : `${reason}${where && ` (asked${where})`}`;
  }

  #current(): { candidate: Candidate; attempt: Attempt } {
    const candidate = this.#deps.candidates[this.#at];
    if (candidate === undefined || this.#attempt === undefined) throw new RangeError('no attempt was begun');
    return { candidate, attempt: this.#attempt };
  }

  #verdict(error: unknown): Failure {
    if (this.#total.aborted) {
      return { kind: 'deadline', reason: `did not finish within ${this.#deps.limits.totalMs} ms`, cause: error };
    }
    const { late, fault, answered = false } = this.#attempt ?? {};
    return diagnose(late ?? error, { fault, answered });
  }

  /** Undefined: do not ask this candidate again. */
  #waitMs({ kind, retryAfterMs }: Failure): number | undefined {
    if (this.#requests >= maxRequests(kind)) return undefined;
    const left = this.#deps.limits.totalMs - (performance.now() - this.#started);
    const backoff = Math.min(LONGEST_BACKOFF_MS, FIRST_WAIT_MS * 2 ** (this.#requests - 1));
    // Full waits as asked for, a little more so that many clients do not come back at once.
    const waitMs = Math.round((retryAfterMs ?? backoff / 2) + (backoff / 2) * this.#deps.pace.random());
    return (retryAfterMs ?? 0) > this.#deps.limits.maxWaitMs || waitMs >= left ? undefined : waitMs;
  }

  async #pause(waitMs: number): Promise<void> {
    try {
      await this.#deps.pace.sleep(waitMs, AbortSignal.any([this.#deps.cancel, this.#total]));
    } catch (error) {
      this.#deps.cancel.throwIfAborted();
      if (!this.#total.aborted) throw error;
      throw explain({ kind: 'deadline', reason: '', cause: new ReplyError('deadline', 'out of time') }, this.#tried);
    }
  }
}
