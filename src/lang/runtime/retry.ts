import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../base/errors.ts';
import { GuardFailed, ModelUnavailable, SchemaViolation, Timeout } from './errors.ts';

const FIRST_PAUSE_MS = 500;

export interface RetryOptions<T> {
  /** In total, the first one included; 1 unless given. */
  readonly attempts?: number | undefined;
  /** Used when all attempts failed; without it the last error is thrown. */
  readonly fallback?: (() => T | Promise<T>) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told why the fallback is used. */
  warn?: ((text: string) => void) | undefined;
  pause?(ms: number, signal: AbortSignal | undefined): Promise<void>;
}

/** One attempt; `feedback` says why the last one failed, for the model. */
export type Attempt<T> = (feedback: string | undefined) => Promise<T>;

/** Retry where that can help: a failed guard, a wrong type, a timeout, an overloaded server. */
export async function withRetry<T>(attempt: Attempt<T>, options: RetryOptions<T> = {}): Promise<T> {
  const { attempts = 1, fallback, signal, warn, pause = wait } = options;
  let feedback: string | undefined;
  for (let number = 1; ; number++) {
    try {
      return await attempt(feedback);
    } catch (error) {
      signal?.throwIfAborted();
      if (!canHelp(error)) throw error;
      if (number < attempts) {
        feedback = messageOf(error);
        // A model that was told what was wrong can be asked at once; an overloaded server needs a backoff.
        if (error instanceof ModelUnavailable || error instanceof Timeout)
          await pause(FIRST_PAUSE_MS * 2 ** (number - 1), signal);
        continue;
      }
      if (!fallback) throw error;
      warn?.(`The fallback is used: ${messageOf(error)}`);
      return fallback();
    }
  }
}

function canHelp(error: unknown): boolean {
  if (error instanceof ModelUnavailable) return error.code === 'model_unreachable' || error.code === 'model_incomplete';
  return error instanceof GuardFailed || error instanceof SchemaViolation || error instanceof Timeout;
}

async function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(ms, undefined, signal ? { signal } : {});
}
