import { expect, onTestFinished, test } from 'vitest';
import { openLoopbackCallback } from './loopback-callback.ts';

async function open() {
  const callback = await openLoopbackCallback();
  onTestFinished(() => callback.close());
  const visit = async (query: string) => (await fetch(`${callback.url}?${query}`)).status;
  return { callback, visit };
}

test('a browser that is back before anybody waits is not turned away', async () => {
  const { callback, visit } = await open();
  expect(await visit('code=evil&state=guessed')).toBe(400);
  expect(await visit(`code=good&state=${callback.state}`)).toBe(200);
  expect((await callback.visited(AbortSignal.timeout(5000))).get('code')).toBe('good');
});

test('a wait that was given up before it began ends at once', async () => {
  const { callback } = await open();
  await expect(callback.visited(AbortSignal.abort(new Error('given up')))).rejects.toThrow('given up');
});
