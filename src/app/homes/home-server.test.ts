import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { AssistantError } from '../../base/errors.ts';
import { silentLog } from '../../base/log.ts';
import { HomeServer } from './home-server.ts';

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const later = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** What can go wrong with a home, or how long it takes. */
interface Trouble {
  open?: Error;
  close?: Error;
  openMs?: number;
  closeMs?: number;
}

/** A server of fake homes. */
function served(...ids: string[]) {
  const listed: { ids: readonly string[]; error?: Error | undefined; takesMs?: number } = { ids };
  const trouble: Record<string, Trouble> = {};
  const [done, errors]: [string[], unknown[]] = [[], []];
  const counted = { listings: 0, opening: 0, most: 0 };
  const act = async (what: 'open' | 'close', id: string) => {
    const { [what]: error, [`${what}Ms` as const]: takesMs = 0 } = trouble[id] ?? {};
    done.push(`${what} ${id}`);
    if (takesMs > 0) await new Promise((over) => setTimeout(over, takesMs));
    if (error) throw error;
  };
  const server = new HomeServer({
    list: async () => {
      counted.listings++;
      if (listed.takesMs) await new Promise((over) => setTimeout(over, listed.takesMs));
      if (listed.error) throw listed.error;
      return listed.ids;
    },
    open: async (id) => {
      counted.opening++;
      counted.most = Math.max(counted.most, counted.opening);
      await act('open', id).finally(() => counted.opening--);
      return { close: () => act('close', id) };
    },
    log: { ...silentLog, error: (...line) => void errors.push(line) },
  });
  onTestFinished(() => server.close());
  return { server, listed, trouble, done, errors, counted };
}

test('what is listed is open after the start, and the list is followed every two seconds', async () => {
  const { server, listed, done } = served('anna', 'ben');
  await server.start();
  expect(server.size).toBe(2);
  listed.ids = ['ben', 'cleo'];
  await later(1999);
  expect(done).toEqual(['open anna', 'open ben']);
  await later(1);
  expect(done).toEqual(['open anna', 'open ben', 'close anna', 'open cleo']);
  expect(server.size).toBe(2);
  listed.ids = [];
  await later(2000);
  expect(done.slice(4)).toEqual(['close ben', 'close cleo']);
  expect(server.size).toBe(0);
});

test('four homes are opened at once, the others as soon as one is open', async () => {
  const { server, trouble, done, counted } = served('a', 'b', 'c', 'd', 'e', 'f');
  for (const id of ['a', 'b', 'c', 'd']) trouble[id] = { openMs: id === 'c' ? 100 : 500 };
  const starting = server.start();
  await later(99);
  expect(done).toEqual(['open a', 'open b', 'open c', 'open d']);
  await later(1);
  expect(done.slice(4)).toEqual(['open e', 'open f']);
  await later(400);
  await starting;
  expect([server.size, counted.most]).toEqual([6, 4]);
});

test('a home that cannot be opened is tried again after one second, then two, then four, and the others are open', async () => {
  const { server, trouble, done, errors } = served('anna', 'ben');
  trouble.ben = { open: new AssistantError('bad_setting', 'config/local.json is no JSON.', { hint: '' }) };
  await server.start();
  expect([server.size, done]).toEqual([1, ['open anna', 'open ben']]);
  const told = (times: number) => [
    'a home was not opened',
    { home: 'ben', times, error: 'bad_setting: config/local.json is no JSON.' },
  ];
  expect(errors).toEqual([told(1)]);
  // The list is polled every two seconds, so the retries fall at 2 s, 4 s and 8 s.
  const tries: number[] = [];
  for (let second = 1; second <= 16; second++) {
    const before = done.length;
    await later(1000);
    if (done.length > before) tries.push(second);
  }
  expect(tries).toEqual([2, 4, 8, 16]);
  expect(errors).toEqual([1, 2, 3, 4, 5].map(told));
  expect(server.size).toBe(1);
});

test('once it could be opened, the next failure waits for one second again', async () => {
  const { server, listed, trouble, done, errors } = served('ben');
  trouble.ben = { open: new Error('no disk') };
  await server.start();
  await later(4000);
  trouble.ben = {};
  await later(4000);
  expect(server.size).toBe(1);
  listed.ids = [];
  await later(2000);
  trouble.ben = { open: new Error('no disk') };
  listed.ids = ['ben'];
  await later(2000);
  expect(done.slice(-2)).toEqual(['close ben', 'open ben']);
  expect(errors.at(-1)).toEqual(['a home was not opened', { home: 'ben', times: 1, error: 'Error' }]);
  const before = done.length;
  await later(2000);
  expect(done).toHaveLength(before + 1);
});

test('a home that went and came back is tried as if it were new', async () => {
  const { server, listed, trouble, errors } = served('ben');
  trouble.ben = { open: new Error('no disk') };
  await server.start();
  await later(8000);
  listed.ids = [];
  await later(2000);
  listed.ids = ['ben'];
  await later(2000);
  expect(errors.at(-1)).toEqual(['a home was not opened', { home: 'ben', times: 1, error: 'Error' }]);
});

test('a name that no home can have is never opened', async () => {
  const name = `../${'x'.repeat(100)}`;
  const { server, done, errors } = served(name, 'anna');
  await server.start();
  expect([server.size, done]).toEqual([1, ['open anna']]);
  const home = `../${'x'.repeat(76)}…`;
  const error = `bad_usage: "${home}" cannot be the name of a home.`;
  expect(errors).toEqual([['a home was not opened', { home, times: 1, error }]]);
});

test('while the list cannot be read, all stays as it is', async () => {
  const { server, listed, done, errors } = served('anna');
  await server.start();
  listed.error = Object.assign(new Error('select * from homes'), { code: 'ECONNREFUSED' });
  await later(2000);
  expect(errors).toEqual([['homes not listed', { error: 'Error ECONNREFUSED' }]]);
  expect([server.size, done]).toEqual([1, ['open anna']]);
  listed.error = undefined;
  listed.ids = [];
  await later(2000);
  expect(server.size).toBe(0);
});

test('a list that takes long is not asked for twice at once', async () => {
  const { server, listed, counted } = served('anna');
  await server.start();
  listed.takesMs = 5000;
  await later(2000);
  await later(4999);
  expect(counted.listings).toBe(2);
  listed.takesMs = 0;
  await later(1 + 2000);
  expect(counted.listings).toBe(3);
});

test('a close waits for every home, also for one that fails to and one that went before', async () => {
  const { server, listed, trouble, done, errors } = served('anna', 'ben', 'cleo');
  await server.start();
  trouble.anna = { closeMs: 3000 };
  trouble.ben = { close: new Error('its text') };
  trouble.cleo = { closeMs: 1000 };
  listed.ids = ['ben', 'cleo'];
  await later(2000);
  let closed = false;
  const closing = server.close().then(() => {
    closed = true;
  });
  await later(2999);
  expect([closed, server.size]).toEqual([false, 0]);
  await later(1);
  expect(closed).toBe(true);
  await closing;
  expect(done.slice(3)).toEqual(['close anna', 'close ben', 'close cleo']);
  expect(errors).toEqual([['a home did not close', { home: 'ben', error: 'Error' }]]);
  expect(vi.getTimerCount()).toBe(0);
});

test('a close during the start opens no more homes, and closes those that were being opened', async () => {
  const { server, trouble, done } = served('a', 'b', 'c', 'd', 'e');
  for (const id of ['a', 'b', 'c', 'd']) trouble[id] = { openMs: 500 };
  const starting = server.start();
  await later(100);
  const closing = server.close();
  await later(400);
  await Promise.all([starting, closing]);
  expect(done.slice(4)).toEqual(['close a', 'close b', 'close c', 'close d']);
  expect([server.size, vi.getTimerCount()]).toEqual([0, 0]);
});
