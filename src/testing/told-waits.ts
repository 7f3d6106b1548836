import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { onTestFinished } from 'vitest';

/**
 * Until the test ends, what is waited for with `setTimeout` of `node:timers/promises` is over at once.
 *
 * @param meanwhile  what happens during each wait.
 * @returns how long the waits were to take, in milliseconds.
 */
export function toldWaits(meanwhile: (waitMs: number) => unknown = () => {}): number[] {
  const waits: number[] = [];
  const real = timers.setTimeout;
  const swap = (by: typeof real) => {
    timers.setTimeout = by;
    syncBuiltinESMExports();
  };
  onTestFinished(() => swap(real));
  swap((async (waitMs = 0) => {
    waits.push(waitMs);
    await meanwhile(waitMs);
  }) as typeof real);
  return waits;
}
