import { expect, test } from 'vitest';
import { Dataset } from './dataset.ts';
import { BatchAbortedError, ThinkError } from './errors.ts';

const list = async <T>(dataset: Dataset<T>) => (await dataset.execute()).toArray();

test.each([
  [
    [0, 3],
    [0, 1, 2],
  ],
  [
    [2, 7, 2],
    [2, 4, 6],
  ],
  [
    [2, 8, 2],
    [2, 4, 6],
  ],
  [
    [3, 0, -1],
    [3, 2, 1],
  ],
  [[3, 3], []],
  [[3, 0], []],
] as const)('a range of %j', async ([start, end, step], expected) => {
  expect(await list(Dataset.range(start, end, step))).toEqual(expected);
});

test('steps run in their order, and only when it is executed', async () => {
  const seen: unknown[] = [];
  const dataset = Dataset.from(new Set([1, 2, 3, 4]))
    .map(async (item, index) => {
      seen.push([item, index]);
      return item * 10;
    })
    .filter(async (item, index) => item > 10 && index !== 2)
    .flatMap((item) => [item, `${item}!`])
    .batch(3);
  expect(seen).toEqual([]);
  expect(await list(dataset)).toEqual([[20, '20!', 40], ['40!']]);
  expect(seen).toEqual([
    [1, 0],
    [2, 1],
    [3, 2],
    [4, 3],
  ]);
});

test('each step is a dataset of its own', async () => {
  const numbers = Dataset.from([1, 2]);
  const doubled = numbers.map((item) => item * 2);
  expect([await list(numbers), await list(doubled), await list(doubled.map((item) => item + 1))]).toEqual([
    [1, 2],
    [2, 4],
    [3, 5],
  ]);
});

test('what it came to can be looked at', async () => {
  const found = await Dataset.from(['a', 'b', 'c']).execute();
  expect([found.length, found.first(), found.last(), found.take(2)]).toEqual([3, 'a', 'c', ['a', 'b']]);
  found.toArray().push('d');
  expect(found.toArray()).toEqual(['a', 'b', 'c']);
  const none = await Dataset.from([]).execute();
  expect([none.length, none.first(), none.last(), none.take(2)]).toEqual([0, undefined, undefined, []]);
});

test('one value is made of all, one after the other', async () => {
  const join = async (total: string, item: number, index: number) => `${total}${index}:${item} `;
  expect(
    await Dataset.from([7, 8])
      .map((item) => item + 1)
      .reduce(join, '> '),
  ).toBe('> 0:8 1:9 ');
  expect(await Dataset.from<number>([]).reduce(join, 'none')).toBe('none');
});

test('an item that fails fails the whole', async () => {
  const failing = Dataset.from([1, 2]).map((item) => {
    if (item === 2) throw new Error('no two');
    return item;
  });
  await expect(failing.execute()).rejects.toThrow('no two');
  await expect(Dataset.from([1]).batch(0).execute()).rejects.toThrow(ThinkError);
});

test('a step can be limited as a batch can', async () => {
  const abortSignal = AbortSignal.abort('enough');
  await expect(
    Dataset.from([1])
      .map((item) => item, { abortSignal })
      .execute(),
  ).rejects.toThrow(BatchAbortedError);
  const progress: unknown[] = [];
  const options = { maxConcurrency: 1, onProgress: (each: unknown) => progress.push(each) };
  expect(await list(Dataset.from([1]).map((item) => item, options))).toEqual([1]);
  expect(progress).toEqual([{ completed: 1, failed: 0, total: 1 }]);
  await expect(
    Dataset.from([1])
      .map((item) => item, { costBudget: 0 })
      .execute(),
  ).rejects.toThrow('The budget of the batch is used up: 0.0000 of 0 USD.');
});
