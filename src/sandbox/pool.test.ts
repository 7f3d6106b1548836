import { describe, expect, test } from 'vitest';
import { AssistantError } from '../base/errors.ts';
import { arrived, scriptChildren } from '../testing/scripted-children.ts';
import { Pool } from './pool.ts';

const FILES = { program: 'program', prelude: 'prelude', addon: '/addon.node' };
const poolOf = (size: number) => new Pool({ size, timeZone: 'Europe/Berlin', files: FILES });
const isSafe = ({ args }: { readonly args: readonly string[] }) => args.includes('--no-node-snapshot');
const mayUseSnapshot = process.platform === 'linux' && process.arch === 'x64';

describe('a child that is taken', () => {
  test('is started where none is ready', async () => {
    const children = scriptChildren();
    const worker = await poolOf(1).take(64);
    expect(children.map(({ pid, held, killed }) => [pid, held, killed])).toEqual([[worker.pid, true, undefined]]);
    expect(children[0]?.options).toMatchObject({ env: { TZ: 'Europe/Berlin' } });
    expect(JSON.parse(children[0]?.args.at(-1) ?? '')).toEqual({
      ...{ addon: '/addon.node', prelude: 'prelude' },
      ...{ memoryMb: 64, stackKb: 2000 },
    });
  });

  test('is one that was waiting, which is nobody else’s then', async () => {
    const children = scriptChildren();
    const pool = poolOf(2);
    pool.fill(64);
    expect(children.map(({ held }) => held)).toEqual([false, false]);
    const first = await pool.take(64);
    expect(children.map(({ held }) => held)).toEqual([true, false]);
    const second = await pool.take(64);
    const third = await pool.take(64);
    expect([first, second, third].map(({ pid }) => pid)).toEqual(children.map(({ pid }) => pid));
  });

  test('has the memory that is asked for', async () => {
    const children = scriptChildren();
    const pool = poolOf(1);
    pool.fill(64);
    const worker = await pool.take(96);
    expect([children.length, worker.pid]).toEqual([2, children[1]?.pid]);
    expect((await pool.take(64)).pid).toBe(children[0]?.pid);
  });

  test('is alive: those that have died meanwhile are left out', async () => {
    const children = scriptChildren();
    const pool = poolOf(3);
    pool.fill(64);
    await pool.whenReady(64);
    children[0]?.kill('SIGKILL');
    await arrived();
    const taken = pool.take(64);
    expect((await taken).pid).toBe(children[1]?.pid);
    expect(children).toHaveLength(3);
  });

  test('is ready: those that never were are left out', async () => {
    const children = scriptChildren((child) => child.pid === 90_000_001 || child.say(1, 'ready'));
    const pool = poolOf(2);
    pool.fill(64);
    const taken = pool.take(64);
    children[0]?.end(1, null);
    expect((await taken).pid).toBe(children[1]?.pid);
  });
});

describe('children that wait', () => {
  test('are as many as there should be, and filled up', async () => {
    const children = scriptChildren();
    const pool = poolOf(2);
    pool.fill(64);
    pool.fill(64);
    expect(children).toHaveLength(2);
    await pool.take(64);
    expect(children).toHaveLength(2);
    pool.fill(64);
    expect(children).toHaveLength(3);
  });

  test('are waited for until each is ready or has failed', async () => {
    const children = scriptChildren(() => {});
    const pool = poolOf(2);
    pool.fill(64);
    let settled = false;
    const ready = pool.whenReady(64).then(() => (settled = true));
    children[0]?.say(1, 'ready');
    await arrived();
    expect(settled).toBe(false);
    children[1]?.end(1, null);
    await ready;
  });

  test('of other memory are not waited for', async () => {
    scriptChildren(() => {});
    const pool = poolOf(1);
    pool.fill(64);
    await pool.whenReady(96);
  });

  test('are killed at the end, and no more are started', async () => {
    const children = scriptChildren();
    const pool = poolOf(1);
    pool.fill(64);
    pool.fill(96);
    await arrived();
    pool.close();
    expect(children.map(({ killed }) => killed)).toEqual(['SIGKILL', 'SIGKILL']);
    pool.fill(64);
    pool.fill(128);
    expect(children).toHaveLength(2);
  });

  test('that cannot be started are told of when one is taken', async () => {
    const cause = new Error('spawn EAGAIN');
    scriptChildren(() => {
      throw cause;
    });
    const pool = poolOf(1);
    pool.fill(64);
    const error = await pool.take(64).catch((reason: unknown) => reason as AssistantError);
    expect(error).toBeInstanceOf(AssistantError);
    expect(error).toMatchObject({
      code: 'sandbox_unavailable',
      message: 'Scripts cannot run here: spawn EAGAIN.',
      hint: 'Use classic mode (/mode tools); `wooster doctor` says what is missing.',
      cause,
    });
  });
});

describe.runIf(mayUseSnapshot)('a child from a snapshot', () => {
  test('is tried first', async () => {
    const children = scriptChildren();
    await poolOf(1).take(64);
    expect(children.map(isSafe)).toEqual([false]);
  });

  test('that does not come up is followed by safe ones', async () => {
    const children = scriptChildren((child) => (isSafe(child) ? child.say(1, 'ready') : child.end(1, null)));
    const pool = poolOf(1);
    expect((await pool.take(64)).pid).toBe(children[1]?.pid);
    await pool.take(64);
    expect(children.map(isSafe)).toEqual([false, true, true]);
  });

  test('is given up after the last try, and with the pool', async () => {
    const children = scriptChildren((child) => child.end(1, null));
    await expect(poolOf(1).take(64)).rejects.toThrow('Scripts cannot run here: the child ended: code 1.');
    expect(children.map(isSafe)).toEqual([false, true]);
    const closed = poolOf(1);
    const taken = closed.take(64);
    closed.close();
    await expect(taken).rejects.toThrow('the child ended');
    expect(children.map(isSafe)).toEqual([false, true, false]);
  });

  test.each([
    ['SIGSEGV', true],
    ['SIGBUS', true],
    ['SIGILL', true],
    ['SIGKILL', false],
    ['SIGABRT', false],
  ] as const)('that ends by %s is followed by safe ones: %s', async (signal, safe) => {
    const children = scriptChildren();
    const pool = poolOf(1);
    const worker = await pool.take(64);
    children[0]?.end(null, signal);
    await worker.ended;
    await pool.take(64);
    expect(children.map(isSafe)).toEqual([false, safe]);
  });
});

test('without other files, the program of a child is ours', async () => {
  const children = scriptChildren();
  const pool = new Pool({ size: 1, timeZone: 'UTC' });
  await pool.take(64);
  expect(children[0]?.args.at(-2)).toMatch(/^'use strict';\n/u);
});
