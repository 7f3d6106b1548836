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

test('only a visit of the page by its own address counts, and each visitor is told something', async () => {
  const { callback } = await open();
  const good = `state=${callback.state}`;
  const said = async (url: string, init?: RequestInit) => {
    const response = await fetch(url, init);
    return [response.status, await response.text()];
  };
  const nothing = [400, 'Nothing waits for this.'];
  expect(await said(`${callback.url}?${good}`, { method: 'POST' })).toEqual(nothing);
  expect(await said(`${callback.url}/x?${good}`)).toEqual(nothing);
  expect(await said(`${callback.url.replace('127.0.0.1', 'localhost')}?${good}`)).toEqual(nothing);
  expect(await said(callback.url)).toEqual(nothing);
  const refused = await said(`${callback.url}?error=access_denied&${good}`);
  expect(refused).toEqual([200, 'You were not logged in. You can close this page and go back to Wooster.']);
  const done = await fetch(`${callback.url}?code=1&${good}`);
  expect(await done.text()).toBe('Done. You can close this page and go back to Wooster.');
  expect(Object.fromEntries(done.headers)).toMatchObject({
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    connection: 'close',
  });
  expect((await callback.visited(new AbortController().signal)).get('error')).toBe('access_denied');
});

test('a wait is given up when it is stopped; a port that is taken is an error, and free again at the end', async () => {
  const { callback } = await open();
  const stop = new AbortController();
  const waiting = callback.visited(stop.signal);
  stop.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  const port = Number(new URL(callback.url).port);
  await expect(openLoopbackCallback(port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
  callback.close();
  const again = await openLoopbackCallback(port);
  expect([again.url, again.state === callback.state, again.state.length]).toEqual([callback.url, false, 32]);
  again.close();
});
