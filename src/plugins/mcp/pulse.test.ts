import type { TimerOptions } from 'node:timers';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { toldWaits } from '../../testing/told-waits.ts';
import { HELD, watchPulse } from './pulse.ts';

type Ping = Parameters<typeof watchPulse>[0]['ping'];

/** A process that answers or stays silent in this order, and then answers until the pings end. */
async function watched(answers: readonly boolean[]) {
  const waits = toldWaits();
  const timeouts: unknown[] = [];
  let held = 0;
  const ping: Ping = async (options) => {
    const answer = answers[timeouts.push(options?.timeout) - 1];
    if (answer === undefined) end();
    if (answer === false) throw new Error('no answer');
    return {};
  };
  const end = watchPulse({ ping }, () => {
    held += 1;
  });
  await turn();
  return { waits, timeouts, held };
}

test('what is said of a process that has stopped answering', () => {
  expect(HELD).toBe('it held its process for 10 s and was stopped');
});

test('a process that does not answer twice in a row is held, and is asked no more', async () => {
  expect(await watched([false, false])).toEqual({ waits: [1000, 1000], timeouts: [5000, 5000], held: 1 });
});

test('one late answer is nobody’s fault', async () => {
  expect(await watched([false, true, false, true])).toMatchObject({ held: 0 });
  expect(await watched([true, false, true, false, false])).toMatchObject({ waits: { length: 5 }, held: 1 });
});

test('nothing is said of a process after the asking has ended, also when the last question is not answered', async () => {
  toldWaits();
  let held = 0;
  const ping: Ping = async () => {
    end();
    throw new Error('no answer');
  };
  const end = watchPulse({ ping }, () => {
    held += 1;
  });
  await turn();
  expect(held).toBe(0);
});

test('a question that is under way ends with the asking', async () => {
  toldWaits();
  const asked = Promise.withResolvers<AbortSignal | undefined>();
  const end = watchPulse({ ping: async (options) => asked.resolve(options?.signal) as never }, () => {});
  const signal = await asked.promise;
  end();
  expect(signal?.aborted).toBe(true);
});

test('the waits between two questions end with the asking, and keep no program from ending', async () => {
  const waited = Promise.withResolvers<TimerOptions | undefined>();
  toldWaits((_waitMs, options) => waited.resolve(options));
  const end = watchPulse({ ping: () => new Promise(() => {}) }, () => {});
  const { ref, signal } = (await waited.promise) ?? {};
  expect([ref, signal?.aborted]).toEqual([false, false]);
  end();
  expect(signal?.aborted).toBe(true);
});
