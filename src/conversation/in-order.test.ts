import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { InOrder } from './in-order.ts';

test('what is asked for first ends first, and what fails, fails alone', async () => {
  const order = new InOrder();
  const done: number[] = [];
  const work = (number: number, ms: number) => async () => {
    await sleep(ms);
    if (number === 2) throw new Error('two');
    done.push(number);
    return number;
  };
  const all = await Promise.allSettled([order.run(work(1, 10)), order.run(work(2, 5)), order.run(work(3, 0))]);
  expect(all.map((each) => (each.status === 'fulfilled' ? each.value : String(each.reason)))).toEqual([
    1,
    'Error: two',
    3,
  ]);
  expect(done).toEqual([1, 3]);
});
