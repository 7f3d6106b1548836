import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type BatchItem, batch } from './batch.ts';
import { BatchAbortedError, BatchCostBudgetExceeded, ThinkError } from './errors.ts';

let now = 0;

vi.mock('node:timers/promises', () => ({ setTimeout: vi.fn() }));

/** A clock that moves only when somebody waits. */
beforeEach(() => {
  now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const waiting: { at: number; done: () => void }[] = [];
  const passed = () => {
    const next = waiting.sort((a, b) => a.at - b.at).shift();
    if (!next) return;
    now = next.at;
    next.done();
  };
  vi.mocked(sleep).mockImplementation((ms, _, options) => {
    const { promise, resolve, reject } = Promise.withResolvers<never>();
    options?.signal?.addEventListener('abort', () => reject(options.signal?.reason));
    waiting.push({ at: now + (ms ?? 0), done: () => resolve(undefined as never) });
    setImmediate(passed);
    return promise;
  });
  return () => vi.restoreAllMocks();
});

const double = async (item: number) => item * 2;

describe('what comes of a list', () => {
  test('is there in its order, whatever failed', async () => {
    const cause = new Error('no two');
    const processor = async (item: number, index: number) => {
      if (item === 2) throw cause;
      return `${item}@${index}`;
    };
    expect(await batch({ items: [1, 2, 3], processor })).toEqual({
      items: [
        { index: 0, status: 'ok', value: '1@0' },
        { index: 1, status: 'failed', error: 'no two', cause },
        { index: 2, status: 'ok', value: '3@2' },
      ],
      results: ['1@0', '3@2'],
      errors: [{ index: 1, error: 'no two' }],
      stopped: undefined,
    });
  });

  test('of none is nothing', async () => {
    const processor = vi.fn(double);
    expect(await batch({ items: [], processor })).toEqual({ items: [], results: [], errors: [], stopped: undefined });
    expect(processor).not.toHaveBeenCalled();
  });

  test('is told while it comes, with how far it is', async () => {
    const told: unknown[] = [];
    await batch({
      items: [1, 2],
      maxConcurrency: 1,
      processor: async (item) => {
        if (item === 2) throw new Error('no');
        return item;
      },
      onItemComplete: ({ index, status }: BatchItem<number>) => told.push(`${index} ${status}`),
      onProgress: (progress) => told.push(progress),
    });
    expect(told).toEqual([
      ...['0 ok', { completed: 1, failed: 0, total: 2 }],
      ...['1 failed', { completed: 1, failed: 1, total: 2 }],
    ]);
  });
});

test.each([
  [undefined, 5],
  [1, 1],
  [3, 3],
  [50, 7],
])('with %s at once, %i run', async (maxConcurrency, expected) => {
  let [running, most] = [0, 0];
  const processor = async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise(setImmediate);
    running -= 1;
  };
  const { items } = await batch({ items: Array.from({ length: 7 }), maxConcurrency, processor });
  expect(most).toBe(expected);
  expect(items.every(({ status }) => status === 'ok')).toBe(true);
});

describe('it ends early', () => {
  test('with the first error, where that is wanted, once those that run are done', async () => {
    const begun: number[] = [];
    const processor = async (item: number) => {
      begun.push(item);
      throw new Error(`no ${item}`);
    };
    const failing = batch({ items: [1, 2, 3, 4], maxConcurrency: 2, onError: 'fail_fast', processor });
    await expect(failing).rejects.toThrow('no 1');
    expect(begun).toEqual([1, 2]);
  });

  test('when it is aborted', async () => {
    const control = new AbortController();
    const begun: number[] = [];
    const processor = async (item: number) => {
      begun.push(item);
      control.abort('enough');
    };
    const aborted = batch({ items: [1, 2, 3], maxConcurrency: 1, abortSignal: control.signal, processor });
    await expect(aborted).rejects.toEqual(new BatchAbortedError('enough'));
    await expect(aborted).rejects.toMatchObject({ cause: 'enough', message: 'The batch was stopped.' });
    expect(begun).toEqual([1]);
  });

  test('when its budget is used up, counted from where it began', async () => {
    let spent = 7;
    const processor = async (item: number) => {
      spent += 0.25;
      return item;
    };
    const found = await batch({
      items: [1, 2, 3, 4],
      maxConcurrency: 1,
      costBudget: 0.5,
      spentUsd: () => spent,
      processor,
    });
    expect(found).toMatchObject({ results: [1, 2], errors: [], stopped: new BatchCostBudgetExceeded(0.5, 0.5) });
    expect(found.items.slice(2)).toEqual([
      { index: 2, status: 'skipped' },
      { index: 3, status: 'skipped' },
    ]);
    expect(found.stopped?.message).toBe('The budget of the batch is used up: 0.5000 of 0.5 USD.');
  });

  test('not for a budget that nobody counts', async () => {
    expect(await batch({ items: [1], costBudget: 1, processor: double })).toMatchObject({ results: [2] });
    expect(await batch({ items: [1], costBudget: 0, processor: double })).toMatchObject({ results: [] });
  });
});

describe('how many begin within a second', () => {
  async function beginnings(rateLimit: number, count: number, maxConcurrency = 5): Promise<number[]> {
    const at: number[] = [];
    const processor = async () => void at.push(now);
    await batch({ items: Array.from({ length: count }), rateLimit, maxConcurrency, processor });
    return at;
  }

  test.each([
    [2, 5, 5, [0, 0, 1000, 1000, 2000]],
    [2, 5, 1, [0, 0, 1000, 1000, 2000]],
    [10, 5, 5, [0, 0, 0, 0, 0]],
    [1, 3, 2, [0, 1000, 2000]],
    [0.5, 3, 2, [0, 2000, 4000]],
    [2.5, 4, 2, [0, 0, 800, 800]],
  ])('is %d: %i items, %i at once', async (rateLimit, count, atOnce, expected) => {
    expect(await beginnings(rateLimit, count, atOnce)).toEqual(expected);
    expect(now).toBe(expected.at(-1));
  });

  test('counts what took long already', async () => {
    const at: number[] = [];
    const processor = async (took: number) => {
      at.push(now);
      now += took;
    };
    await batch({ items: [900, 0, 5000, 0], rateLimit: 1, maxConcurrency: 1, processor });
    expect(at).toEqual([0, 1000, 2000, 7000]);
  });

  test('nobody waits for it once it was aborted', async () => {
    const control = new AbortController();
    const begun = vi.fn(async () => control.abort('enough'));
    const items = [1, 2];
    const aborted = batch({ items, rateLimit: 1, abortSignal: control.signal, processor: begun });
    await expect(aborted).rejects.toThrow(BatchAbortedError);
    expect(begun).toHaveBeenCalledTimes(1);
    expect(now).toBe(0);
  });
});

test.each([
  [{ maxConcurrency: 0 }, 'maxConcurrency must be a whole number of at least 1, not 0.'],
  [{ maxConcurrency: 1.5 }, 'maxConcurrency must be a whole number of at least 1, not 1.5.'],
  [{ rateLimit: 0 }, 'rateLimit must be more than 0, not 0.'],
  [{ rateLimit: Number.NaN }, 'rateLimit must be more than 0, not NaN.'],
])('nothing begins with %j', async (options, message) => {
  const processor = vi.fn(double);
  await expect(batch({ items: [1], processor, ...options })).rejects.toEqual(new ThinkError(message));
  expect(processor).not.toHaveBeenCalled();
});
