import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { STORE_KINDS } from '../../testing/stores.ts';
import { openHome, serverUrl, testCable } from '../../testing/test-database.ts';

describe.runIf(STORE_KINDS.includes('postgres'))('hints and locks on PostgreSQL', () => {
  test('who listens is told to look when the connection broke, and hears again', async () => {
    const { url, cut } = await testCable();
    const store = await openHome(url);
    let heard = 0;
    store.wake.on('jobs', () => heard++);
    await expect.poll(() => heard).toBe(1);
    cut('broken');
    await expect.poll(() => heard).toBe(2);
    await store.wake.notify('jobs');
    await expect.poll(() => heard).toBe(3);
  });

  test('who holds a lock is told when the connection broke; the lock is free then', async () => {
    const { url, cut } = await testCable();
    const home = `test-${Math.random()}`;
    const [store, other] = [await openHome(url, home), await openHome(serverUrl(), home)];
    const lock = await store.lock('index');
    expect(await other.lock('index')).toBeUndefined();
    cut('broken');
    await expect.poll(() => lock?.lost.aborted).toBe(true);
    await lock?.[Symbol.asyncDispose]();
    await expect.poll(() => other.lock('index')).toBeDefined();
  });

  test('who holds a lock is told when the server falls silent, before the server frees it', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => vi.useRealTimers() && undefined);
    const { url, cut } = await testCable();
    const store = await openHome(`${url}?query_timeout=200`);
    const lock = await store.lock('index');
    await vi.advanceTimersByTimeAsync(30_000);
    await sleep(300);
    expect(lock?.lost.aborted).toBe(false);
    cut('silent');
    await vi.advanceTimersByTimeAsync(10_000);
    await expect.poll(() => lock?.lost.aborted, { timeout: 20_000 }).toBe(true);
    await expect(store.lock('index')).rejects.toMatchObject({ code: 'store_unavailable' });
  });

  test('a lock whose answer came too late is not kept by anybody', async () => {
    const { url, cut, mend } = await testCable();
    const home = `test-${Math.random()}`;
    const [store, other] = [await openHome(`${url}?query_timeout=300`, home), await openHome(serverUrl(), home)];
    const first = await store.lock('first');
    cut('late');
    await expect(store.lock('index')).rejects.toMatchObject({ code: 'store_unavailable' });
    mend();
    await expect.poll(() => other.lock('index'), { timeout: 5000 }).toBeDefined();
    // They all belonged to one connection, and who holds one is told.
    expect(first?.lost.aborted).toBe(true);
  });

  test('whether a lock is still held, the server is asked', async () => {
    const { url, cut } = await testCable();
    const store = await openHome(url);
    const lock = await store.lock('index');
    await lock?.confirm();
    cut('broken');
    await expect(lock?.confirm()).rejects.toThrow();
  });

  test('locks of two homes do not get in each other’s way', async () => {
    const [a, b] = [await openHome(serverUrl()), await openHome(serverUrl())];
    expect([await a.lock('x'), await b.lock('x')]).not.toContain(undefined);
  });
});
