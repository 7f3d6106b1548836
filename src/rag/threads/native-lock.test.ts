import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { NativeLock } from './native-lock.ts';

/** Calls of 30 ms through the lock, one after the other, until it is shut. */
const CALLER = `
  const { workerData } = require('node:worker_threads');
  import(workerData.url).then(({ NativeLock }) => {
    const lock = new NativeLock(workerData.memory);
    const seen = new Int32Array(workerData.seen);
    while (!lock.isShut)
      lock.pass(() => {
        Atomics.store(seen, 0, 1);
        for (const until = performance.now() + 30; performance.now() < until; );
        Atomics.store(seen, 0, 0);
        Atomics.add(seen, 1, 1);
      });
  });
`;

test('shut waits for the call that is in the lock, and lets no other one in', async () => {
  for (let round = 0; round < 5; round++) {
    const lock = new NativeLock();
    const seen = new Int32Array(new SharedArrayBuffer(8));
    const url = new URL('./native-lock.ts', import.meta.url).href;
    const workerData = { url, memory: lock.memory, seen: seen.buffer };
    const worker = new Worker(CALLER, { eval: true, workerData, execArgv: [] });
    onTestFinished(async () => void (await worker.terminate()));
    while (Atomics.load(seen, 0) === 0) await setTimeout(1);
    lock.shut();
    expect(Atomics.load(seen, 0)).toBe(0);
    const calls = Atomics.load(seen, 1);
    expect(calls).toBeGreaterThan(0);
    await setTimeout(40);
    expect(Atomics.load(seen, 1)).toBe(calls);
  }
});

test('a shut lock does not call', () => {
  const lock = new NativeLock();
  expect(lock.pass(() => 'called')).toBe('called');
  lock.shut();
  expect(new NativeLock(lock.memory).pass(() => 'called')).toBeUndefined();
});
