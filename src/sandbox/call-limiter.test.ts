import { expect, test } from 'vitest';
import { CallLimiter } from './call-limiter.ts';

function held() {
  const open: (() => void)[] = [];
  const started: string[] = [];
  const work = (name: string) => () => {
    started.push(name);
    return new Promise<void>((resolve) => open.push(resolve));
  };
  const next = async () => {
    open.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { started, work, next };
}

test('only so many calls run at once, in order, and network calls do not hold up the others', async () => {
  const { started, work, next } = held();
  const gate = new CallLimiter(3, 1);
  const all = [
    gate.run(true, work('net 1')),
    gate.run(true, work('net 2')),
    gate.run(false, work('a')),
    gate.run(false, work('b')),
    gate.run(false, work('c')),
  ];
  expect(started).toEqual(['net 1', 'a', 'b']);
  await next();
  expect(started).toEqual(['net 1', 'a', 'b', 'net 2']);
  for (let i = 0; i < 4; i++) await next();
  await Promise.all(all);
  expect(started).toEqual(['net 1', 'a', 'b', 'net 2', 'c']);
});

test('a call that has waited takes its place', async () => {
  const { started, work, next } = held();
  const gate = new CallLimiter(1, 1);
  for (const name of ['a', 'b', 'c']) void gate.run(false, work(name));
  await next();
  void gate.run(false, work('d'));
  expect(started).toEqual(['a', 'b']);
});

test('a network call waits for its own kind while others come and go', async () => {
  const { started, work, next } = held();
  const gate = new CallLimiter(3, 1);
  void gate.run(false, work('a'));
  for (const name of ['net 1', 'net 2']) void gate.run(true, work(name));
  await next();
  expect(started).toEqual(['a', 'net 1']);
  await next();
  expect(started).toEqual(['a', 'net 1', 'net 2']);
});

test('a call that fails gives its place free', async () => {
  const gate = new CallLimiter(1, 1);
  await expect(gate.run(true, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await gate.run(true, async () => 'next')).toBe('next');
});
