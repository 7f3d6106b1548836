import { expect, test } from 'vitest';
import { Mutex } from './mutex.ts';
import { Topics } from './topics.ts';

test('one holder after the other, in the order in which they asked', async () => {
  const mutex = new Mutex();
  const order: string[] = [];
  await mutex.lock();
  const waiting = ['a', 'b'].map((name) => mutex.run(async () => void order.push(name)));
  await Promise.resolve();
  expect(order).toEqual([]);
  mutex.unlock();
  await Promise.all(waiting);
  expect(order).toEqual(['a', 'b']);
  // Free again: nobody has to wait.
  await mutex.lock();
});

test('work that fails lets the next one in', async () => {
  const mutex = new Mutex();
  await expect(mutex.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await mutex.run(async () => 'next')).toBe('next');
});

test('those who wait can be sent away, and the holder stays', async () => {
  const mutex = new Mutex();
  await mutex.lock();
  const waiting = Promise.allSettled([mutex.lock(), mutex.run(async () => 'never')]);
  mutex.refuseWaiting(new Error('silent'));
  expect(await waiting).toMatchObject([{ reason: { message: 'silent' } }, { reason: { message: 'silent' } }]);
  const later = mutex.run(async () => 'later');
  mutex.unlock();
  expect(await later).toBe('later');
});

test('hearers hear their topic, or all of them, until they stop; the same one can listen twice', () => {
  const topics = new Topics();
  const heard: string[] = [];
  const hear = () => void heard.push('a');
  const stops = [topics.on('a', hear), topics.on('a', hear), topics.on('b', () => void heard.push('b'))];
  topics.hear('a');
  expect(heard.splice(0)).toEqual(['a', 'a']);
  topics.hear('c');
  topics.hear();
  expect(heard.splice(0)).toEqual(['a', 'a', 'b']);
  stops[0]?.();
  topics.hear('a');
  expect(heard).toEqual(['a']);
});
