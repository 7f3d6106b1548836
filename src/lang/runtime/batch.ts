import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../base/errors.ts';
import { BatchAbortedError, BatchCostBudgetExceeded, ThinkError } from './errors.ts';

export interface BatchProgress {
  readonly completed: number;
  readonly failed: number;
  readonly total: number;
}

export interface BatchOptions<Item, Result> {
  readonly items: readonly Item[];
  processor(item: Item, index: number): Promise<Result>;
  /** How many run at once; 5 unless given. */
  readonly maxConcurrency?: number | undefined;
  /** In USD. Items not started when it is used up are left out, and `stopped` says so. */
  readonly costBudget?: number | undefined;
  /** `continue` unless given. */
  readonly onError?: 'continue' | 'fail_fast' | undefined;
  /** The most that start within a second. */
  readonly rateLimit?: number | undefined;
  readonly abortSignal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: BatchProgress) => void) | undefined;
  readonly onItemComplete?: ((item: BatchItem<Result>) => void) | undefined;
  /** What the process has spent so far, in USD; the library's own tracker unless given. */
  spentUsd?(): number;
}

export type BatchItem<Result> =
  | { readonly index: number; readonly status: 'ok'; readonly value: Result }
  | { readonly index: number; readonly status: 'failed'; readonly error: string; readonly cause: unknown }
  | { readonly index: number; readonly status: 'skipped' };

export interface BatchResult<Result> {
  /** One per item, in the order of the items. */
  readonly items: readonly BatchItem<Result>[];
  /** The values of those that succeeded, in the order of the items. */
  readonly results: readonly Result[];
  readonly errors: readonly { readonly index: number; readonly error: string }[];
  /** Why not all items were started. */
  readonly stopped?: BatchCostBudgetExceeded | undefined;
}

const USUAL_CONCURRENCY = 5;
const SECOND_MS = 1000;

/**
 * Work through a list, several items at once. Finished results are kept, whatever happens to the rest.
 *
 * @throws BatchAbortedError when the signal was aborted; the first error with `onError: 'fail_fast'`.
 */
export async function batch<Item, Result>(options: BatchOptions<Item, Result>): Promise<BatchResult<Result>> {
  const { items, maxConcurrency = USUAL_CONCURRENCY } = options;
  checkCount('maxConcurrency', maxConcurrency);
  checkRate(options.rateLimit);
  const run = new BatchRun(options);
  await Promise.all(Array.from({ length: Math.min(maxConcurrency, items.length) }, () => run.worker()));
  return run.result();
}

class BatchRun<Item, Result> {
  readonly #options: BatchOptions<Item, Result>;
  readonly #done: BatchItem<Result>[];
  readonly #spentAtStart: number;
  #next = 0;
  #completed = 0;
  #failed = 0;
  /** Start times of items, in ms; those in the future are waited for. */
  readonly #begins: number[] = [];
  #stopped: BatchCostBudgetExceeded | undefined;
  #fatal: { readonly error: unknown } | undefined;

  constructor(options: BatchOptions<Item, Result>) {
    this.#options = options;
    this.#done = options.items.map((_, index) => ({ index, status: 'skipped' }));
    this.#spentAtStart = options.spentUsd?.() ?? 0;
  }

  async worker(): Promise<void> {
    const { items, processor } = this.#options;
    for (let index = this.#next++; index < items.length; index = this.#next++) {
      if (!(await this.#mayBegin())) return;
      try {
        this.#end({ index, status: 'ok', value: await processor(items[index] as Item, index) });
      } catch (error) {
        this.#failedAt(index, error);
      }
    }
  }

  result(): BatchResult<Result> {
    const { abortSignal } = this.#options;
    if (abortSignal?.aborted) throw new BatchAbortedError(abortSignal.reason);
    if (this.#fatal) throw this.#fatal.error;
    const items = this.#done;
    return {
      items,
      results: items.flatMap((each) => (each.status === 'ok' ? [each.value] : [])),
      errors: items.flatMap((each) => (each.status === 'failed' ? [{ index: each.index, error: each.error }] : [])),
      stopped: this.#stopped,
    };
  }

  async #mayBegin(): Promise<boolean> {
    const { abortSignal, costBudget, rateLimit, spentUsd } = this.#options;
    if (this.#isOver()) return false;
    if (rateLimit !== undefined) await this.#turn(rateLimit, abortSignal);
    if (this.#isOver()) return false;
    const spent = (spentUsd?.() ?? 0) - this.#spentAtStart;
    if (costBudget !== undefined && spent >= costBudget) {
      this.#stopped = new BatchCostBudgetExceeded(costBudget, spent);
      return false;
    }
    return true;
  }

  #isOver(): boolean {
    return this.#options.abortSignal?.aborted === true || this.#fatal !== undefined || this.#stopped !== undefined;
  }

  /** Wait until another item may start. A rate below one per second means one in several seconds. */
  async #turn(perSecond: number, signal: AbortSignal | undefined): Promise<void> {
    const together = Math.max(1, Math.floor(perSecond));
    const now = performance.now();
    const before = this.#begins.at(-together);
    const at = before === undefined ? now : Math.max(now, before + (SECOND_MS * together) / perSecond);
    this.#begins.push(at);
    // The caller checks for an abort.
    if (at > now) await sleep(at - now, undefined, signal && { signal }).catch(() => undefined);
  }

  #failedAt(index: number, error: unknown): void {
    if (this.#options.onError === 'fail_fast') this.#fatal ??= { error };
    this.#end({ index, status: 'failed', error: messageOf(error), cause: error });
  }

  #end(item: BatchItem<Result>): void {
    this.#done[item.index] = item;
    if (item.status === 'ok') this.#completed += 1;
    else this.#failed += 1;
    this.#options.onItemComplete?.(item);
    this.#options.onProgress?.({ completed: this.#completed, failed: this.#failed, total: this.#done.length });
  }
}

function checkRate(value: number | undefined): void {
  if (value !== undefined && !(value > 0)) throw new ThinkError(`rateLimit must be more than 0, not ${value}.`);
}

/** @throws ThinkError for anything but a whole number from 1 (or `min`). */
export function checkCount(name: string, value: number, min = 1): void {
  if (!Number.isInteger(value) || value < min)
    throw new ThinkError(`${name} must be a whole number of at least ${min}, not ${value}.`);
}
