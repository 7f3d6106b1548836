import { setTimeout as sleep } from 'node:timers/promises';
import { Attempt, type Deadlines } from './attempt.ts';
import { diagnose, explain, type Failure, isFinal, maxRequests, ReplyError, type Tried } from './failure.ts';

export interface RetryLimits extends Deadlines {
  /** For the whole call: every attempt, every wait. */
  readonly totalMs: number;
  /** If a server asks for a longer wait than this, the next candidate is asked instead. */
  readonly maxWaitMs: number;
}

/** Sleep and jitter, replaceable in tests. */
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
  /** Fires when the answer is no longer wanted. */
  readonly cancel: AbortSignal;
  /** `openai:gpt-4o-mini`, for messages. */
  label(candidate: Candidate): string;
  /** Its address if one is configured, for the message when every candidate failed. */
  address(candidate: Candidate): string | undefined;
  /** The variable that holds its key, for the message when that was refused. */
  keyName(candidate: Candidate): string | undefined;
  redact(text: string): string;
  /** Called before the candidate is asked again, or before the next one is (`waitMs` 0). */
  onRetry(retry: { reason: string; waitMs: number }): void;
  onFailure(candidate: Candidate, failure: Failure, attempt: Attempt): void;
}

const FIRST_WAIT_MS = 500;
const LONGEST_BACKOFF_MS = 8000;

/**
 * One model call across its candidates: which to ask next, how long to wait, when to give up. This is the only retry
 * layer; the SDKs below it try once.
 */
export class Call<Candidate> {
  readonly #deps: CallDeps<Candidate>;
  readonly #total: AbortSignal;
  readonly #tried: Tried[] = [];
  readonly #started = performance.now();
  #at = 0;
  #requests = 0;
  #attempt: Attempt | undefined;

  constructor(deps: CallDeps<Candidate>) {
    this.#deps = deps;
    this.#total = AbortSignal.timeout(deps.limits.totalMs);
  }

  /** Start an attempt. `signal` covers cancellation and every deadline. */
  next(): { candidate: Candidate; attempt: Attempt; signal: AbortSignal } {
    const candidate = this.#deps.candidates[this.#at];
    if (candidate === undefined) throw new RangeError('a call needs a candidate');
    this.#requests++;
    this.#attempt = new Attempt(this.#deps.limits);
    const signal = AbortSignal.any([this.#deps.cancel, this.#total, this.#attempt.signal]);
    return { candidate, attempt: this.#attempt, signal };
  }

  /** Sort what went wrong in the attempt. Rethrows a cancellation, which is no failure. */
  diagnose(error: unknown): Failure {
    this.#attempt?.end();
    this.#deps.cancel.throwIfAborted();
    const failure = this.#failureOf(error);
    const { candidate, attempt } = this.#current();
    this.#deps.onFailure(candidate, failure, attempt);
    return failure;
  }

  /**
   * Wait if needed and move on, to the same candidate or the next.
   *
   * @throws AssistantError when no candidate is left.
   */
  async recover(failure: Failure): Promise<void> {
    const { candidate } = this.#current();
    const reason = this.#deps.redact(`${this.#deps.label(candidate)} ${failure.reason}`);
    const waitMs = this.#waitMs(failure);
    if (waitMs !== undefined) {
      this.#deps.onRetry({ reason, waitMs });
      return this.#pause(waitMs, { summary: this.#summary(reason, candidate), kind: failure.kind });
    }
    this.#tried.push({ summary: this.#summary(reason, candidate), kind: failure.kind });
    if (isFinal(failure.kind) || this.#at + 1 >= this.#deps.candidates.length)
      throw explain(failure, this.#tried, this.#deps.keyName(candidate));
    this.#at++;
    this.#requests = 0;
    this.#deps.onRetry({ reason, waitMs: 0 });
  }

  #summary(reason: string, candidate: Candidate): string {
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

  #failureOf(error: unknown): Failure {
    if (this.#total.aborted) {
      return { kind: 'deadline', reason: `did not finish within ${this.#deps.limits.totalMs} ms`, cause: error };
    }
    const { late, fault, answered = false } = this.#attempt ?? {};
    return diagnose(late ?? error, { fault, answered });
  }

  /** Undefined when this candidate must not be asked again. */
  #waitMs({ kind, retryAfterMs }: Failure): number | undefined {
    if (this.#requests >= maxRequests(kind)) return undefined;
    const left = this.#deps.limits.totalMs - (performance.now() - this.#started);
    const backoff = Math.min(LONGEST_BACKOFF_MS, FIRST_WAIT_MS * 2 ** (this.#requests - 1));
    // At least as long as the server asked, plus jitter so that many clients do not return at the same moment.
    const waitMs = Math.round((retryAfterMs ?? backoff / 2) + (backoff / 2) * this.#deps.pace.random());
    return (retryAfterMs ?? 0) > this.#deps.limits.maxWaitMs || waitMs >= left ? undefined : waitMs;
  }

  async #pause(waitMs: number, tried: Tried): Promise<void> {
    try {
      await this.#deps.pace.sleep(waitMs, AbortSignal.any([this.#deps.cancel, this.#total]));
    } catch (error) {
      this.#deps.cancel.throwIfAborted();
      if (!this.#total.aborted) throw error;
      const cause = new ReplyError('deadline', 'out of time');
      throw explain({ kind: 'deadline', reason: cause.message, cause }, [...this.#tried, tried]);
    }
  }
}
