import { syncBuiltinESMExports } from 'node:module';
import type { TimerOptions } from 'node:timers';
import timers from 'node:timers/promises';
import { onTestFinished } from 'vitest';

/**
 * Until the test ends, what is waited for with `setTimeout` of `node:timers/promises` is over at once.
 *
 * @param meanwhile  what happens during each wait, and how it is waited.
 * @returns how long the waits were to take, in milliseconds.
 */
export function toldWaits(meanwhile: (waitMs: number, options?: TimerOptions) => unknown = () => {}): number[] {
  const waits: number[] = [];
  const real = timers.setTimeout;
  const swap = (by: typeof real) => {
    timers.setTimeout = by;
    syncBuiltinESMExports();
  };
  onTestFinished(() => swap(real));
  swap((async (waitMs = 0, _value: unknown, options?: TimerOptions) => {
    waits.push(waitMs);
    await meanwhile(waitMs, options);
  }) as typeof real);
  return waits;
}
