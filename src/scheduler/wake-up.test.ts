import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { silentLog } from '../base/log.ts';
import { WakeUp } from './wake-up.ts';

const START = new Date('2026-11-20T11:00:00.500Z');

beforeEach(() => void vi.useFakeTimers({ now: START }));
afterEach(() => void vi.useRealTimers());

async function beating() {
  const started = performance.now();
  let ticks = 0;
  const tick = async () => {
    ticks++;
  };
  const clock = { now: () => new Date(), monotonicMs: () => performance.now() - started };
  const wakeUp = new WakeUp({ clock, log: silentLog, tick });
  wakeUp.start();
  await vi.advanceTimersByTimeAsync(3000);
  return { wakeUp, ticks: () => ticks };
}

test('ticks once at the start and at every second', async () => {
  const { wakeUp, ticks } = await beating();
  expect(ticks()).toBe(4);
  await wakeUp.stop();
  await vi.advanceTimersByTimeAsync(5000);
  expect(ticks()).toBe(4);
});

test.each([
  ['back', -3_600_000],
  ['ahead', 3_600_000],
])('a clock that is set %s does not stop it', async (_name, ms) => {
  const { wakeUp, ticks } = await beating();
  const before = ticks();
  vi.setSystemTime(Date.now() + ms);
  await vi.advanceTimersByTimeAsync(5000);
  expect(ticks() - before).toBeGreaterThanOrEqual(4);
  await wakeUp.stop();
});
