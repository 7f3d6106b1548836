import { expect, onTestFinished, test, vi } from 'vitest';
import { toldWaits } from '../../testing/told-waits.ts';
import { patiently } from './patience.ts';

const BUSY = Object.assign(new Error('busy'), { errcode: 5 });

/** Something that finds the database busy so many times, each taking so long. */
function busy(times: number, eachMs = 0) {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  let tries = 0;
  return () => {
    vi.advanceTimersByTime(eachMs);
    if (++tries <= times) throw BUSY;
    return tries;
  };
}

test('pauses grow, up to 20 ms', async () => {
  const waits = toldWaits();
  expect(await patiently(busy(8))).toBe(9);
  expect(waits).toEqual([1, 2, 4, 8, 16, 20, 20, 20]);
});

test('after five seconds the error is thrown, not before', async () => {
  const waits = toldWaits();
  expect(await patiently(busy(5, 1000))).toBe(6);
  await expect(patiently(busy(6, 1000))).rejects.toBe(BUSY);
  expect(waits).toHaveLength(5 + 5);
});
