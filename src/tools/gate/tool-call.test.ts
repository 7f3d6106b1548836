import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { AssistantError } from '../../base/errors.ts';
import { isHomeless, unlessAborted } from './tool-call.ts';

const never = new Promise<never>(() => {});

test('what is waited for ends with the signal, also with one that has fired already', async () => {
  const stop = new AbortController();
  const waiting = unlessAborted(never, stop.signal);
  stop.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  await expect(unlessAborted(Promise.resolve('done'), stop.signal)).rejects.toThrow('enough');
});

test('what has ended, well or not, leaves nothing behind on a signal that lives on', async () => {
  const { signal } = new AbortController();
  expect(await unlessAborted(Promise.resolve('done'), signal)).toBe('done');
  await expect(unlessAborted(Promise.reject(new Error('no')), signal)).rejects.toThrow('no');
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test.each([
  [new AssistantError('home_moved', 'gone', { hint: 'x' }), true],
  [new AssistantError('not_sent', 'no', { hint: 'x' }), false],
  [Object.assign(new Error('gone'), { code: 'home_moved' }), false],
])('whether the home is gone is told by our own error: %s', (error, gone) => expect(isHomeless(error)).toBe(gone));
