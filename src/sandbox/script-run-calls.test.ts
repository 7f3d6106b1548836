import { beforeEach, describe, expect, test, vi } from 'vitest';
import { beginScript } from '../testing/scripted-worker.ts';
import type { BridgeReply, HostFunction, Limits } from './contract.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
  vi.advanceTimersByTime(1000);
  return () => void vi.useRealTimers();
});

const FUNCTIONS: readonly HostFunction[] = [
  { name: 'echo', kind: 'value', tool: true },
  { name: 'fetch', kind: 'value', tool: true, network: true },
  { name: 'parallel', kind: 'batch' },
  { name: 'output', kind: 'fire' },
];

/** A script whose calls end when the test says so. */
function script(limits: Partial<Limits> = {}, signal = new AbortController().signal) {
  const called: (readonly [name: string, args: readonly unknown[]])[] = [];
  const open: PromiseWithResolvers<BridgeReply>[] = [];
  const call = (name: string, args: readonly unknown[]) => {
    called.push([name, args]);
    const next = Promise.withResolvers<BridgeReply>();
    open.push(next);
    return next.promise;
  };
  const begun = beginScript({ functions: FUNCTIONS, bridge: { call, log: () => {} }, signal }, limits);
  const end = async (reply: BridgeReply | Error = { ok: true, value: null }) => {
    const next = open.shift();
    if (reply instanceof Error) next?.reject(reply);
    else next?.resolve(reply);
    await vi.advanceTimersByTimeAsync(0);
  };
  /** What it was sent after its beginning. */
  const settled = () => begun.worker.sent.slice(1);
  return { ...begun, called, end, settled };
}

const call = (id: number, name: string, ...args: unknown[]) =>
  ['call', { id, name, text: JSON.stringify(args) }] as const;
const block = (name: string, ...args: unknown[]) => ['block', { name, text: JSON.stringify(args) }] as const;

describe('a call', () => {
  test('is made with its arguments, settled with its result, and in the result of the script', async () => {
    const { worker, called, settled, end, result, run } = script();
    worker.say(...call(7, 'echo', 1, { a: [] }));
    expect(called).toEqual([['echo', [1, { a: [] }]]]);
    await vi.advanceTimersByTimeAsync(41);
    expect(settled()).toEqual([]);
    await end({ ok: true, value: [2] });
    expect(settled()).toEqual([{ type: 'settle', id: 7, ok: true, json: '[2]' }]);
    worker.say('done');
    expect((await result).calls).toEqual([{ name: 'echo', ms: 41, ok: true }]);
    expect([run.clean, worker.answers]).toEqual([true, []]);
  });

  test('that fails is settled with its error', async () => {
    const { worker, settled, end, result } = script();
    worker.say(...call(1, 'echo'));
    await end({ ok: false, error: 'no good' });
    worker.say(...call(2, 'echo'));
    await end(new Error('unforeseen'));
    expect(settled()).toEqual([
      { type: 'settle', id: 1, ok: false, json: '"no good"' },
      { type: 'settle', id: 2, ok: false, json: '"unforeseen"' },
    ]);
    worker.say('done');
    const failed = { name: 'echo', ms: 0, ok: false };
    expect((await result).calls).toEqual([failed, failed]);
  });

  test('that blocks is answered', async () => {
    const { worker, called, settled, end } = script();
    worker.say(...block('echo', 1));
    await end({ ok: true, value: [2] });
    worker.say(...block('echo', 2));
    await end({ ok: false, error: 'no good' });
    expect(called).toEqual([
      ['echo', [1]],
      ['echo', [2]],
    ]);
    expect([worker.answers, settled()]).toEqual([['1[2]', '0"no good"'], []]);
  });

  test('that only tells is neither settled nor counted among the calls', async () => {
    const { worker, called, settled, end, result } = script();
    worker.say('fire', { name: 'output', text: '["x"]' });
    worker.say('fire', { name: 'output', text: '["y"]' });
    expect(called).toEqual([
      ['output', ['x']],
      ['output', ['y']],
    ]);
    await end();
    await end(new Error('unforeseen'));
    worker.say('done');
    expect((await result).calls).toEqual([]);
    expect([settled(), worker.answers]).toEqual([[], []]);
  });

  test('of what is no function is an error', async () => {
    const { worker, called, settled, end } = script();
    worker.say(...call(3, 'toString'));
    await end();
    expect(called).toEqual([]);
    expect(settled()).toEqual([{ type: 'settle', id: 3, ok: false, json: '"\\"toString\\" is not a function here"' }]);
  });
});

describe('calls at once', () => {
  test('are made up to a limit, then in order', async () => {
    const { worker, called, end } = script({ maxCallsInFlight: 2 });
    for (const id of [1, 2, 3, 4]) worker.say(...call(id, 'echo', id));
    await vi.advanceTimersByTimeAsync(0);
    expect(called).toHaveLength(2);
    await end();
    expect(called.map(([, [id]]) => id)).toEqual([1, 2, 3]);
  });

  test('over the network have a limit of their own', async () => {
    const { worker, called, end } = script({ maxNetworkCallsInFlight: 1 });
    worker.say(...call(1, 'fetch'));
    worker.say(...call(2, 'fetch'));
    worker.say(...call(3, 'echo'));
    worker.say(...call(4, 'parallel', [{ tool: 'fetch' }, { tool: 'echo' }]));
    await vi.advanceTimersByTimeAsync(0);
    expect(called.map(([name]) => name)).toEqual(['fetch', 'echo', 'echo']);
    await end();
    expect(called.map(([name]) => name)).toEqual(['fetch', 'echo', 'echo', 'fetch']);
  });

  test('that still wait when the script is over are not made', async () => {
    const { worker, called, settled, end, result } = script({ maxCallsInFlight: 1 });
    worker.say(...call(1, 'echo'));
    worker.say(...call(2, 'echo'));
    worker.say(...block('echo'));
    worker.say('done');
    await end();
    expect((await result).calls).toHaveLength(1);
    expect([called.length, settled(), worker.answers]).toEqual([1, [], []]);
  });
});

describe('parallel', () => {
  test('gives every call its place', async () => {
    const { worker, called, settled, end, result } = script();
    const list = [{ tool: 'echo', input: 1 }, { tool: 'echo' }, { tool: 'output', input: 2 }, { tool: 'other' }];
    worker.say(...call(1, 'parallel', list));
    expect(called).toEqual([
      ['echo', [1]],
      ['echo', []],
      ['other', []],
    ]);
    await end({ ok: true, value: 'a' });
    await end({ ok: true, value: undefined });
    await end({ ok: false, error: 'no good' });
    const replies = ['a', null, { error: '"output" is not a tool' }, { error: 'no good' }];
    expect(settled()).toEqual([{ type: 'settle', id: 1, ok: true, json: JSON.stringify(replies) }]);
    worker.say('done');
    expect((await result).calls.map(({ name, ok }) => [name, ok])).toEqual([
      ['echo', true],
      ['echo', true],
      ['other', false],
    ]);
  });

  test.each([
    ['nothing', []],
    ['text', ['echo']],
    ['a call', [{ tool: 'echo' }]],
    ['a list of text', [['echo']]],
    ['a list with a number as a name', [[{ tool: 'echo' }, { tool: 1 }]]],
    ['a list with nothing', [[{ tool: 'echo' }, null]]],
  ])('refuses %s', async (_what, args) => {
    const { worker, called, settled, end } = script();
    worker.say(...call(1, 'parallel', ...args));
    await end();
    expect(called).toEqual([]);
    expect(settled()).toEqual([
      { type: 'settle', id: 1, ok: false, json: '"parallel() expects an array of {tool, input} objects"' },
    ]);
  });

  test('counts each of its calls, and itself', async () => {
    const { worker, called, settled, end } = script({ maxCalls: 3 });
    worker.say(...call(1, 'parallel', [{ tool: 'echo' }, { tool: 'echo' }]));
    expect(called).toHaveLength(2);
    const more = script({ maxCalls: 3 });
    more.worker.say(...call(1, 'parallel', [{ tool: 'echo' }, { tool: 'echo' }, { tool: 'echo' }]));
    await end();
    expect(more.called).toEqual([]);
    expect(settled()).toEqual([]);
    expect(more.settled()).toEqual([{ type: 'settle', id: 1, ok: false, json: '"a script may make 3 calls"' }]);
  });
});

describe('a script that has broken out is stopped', () => {
  const stopped = { reason: 'limit', message: 'A script may make 2 calls of 8 characters each' };

  test.each([
    ['by one call too many', [call(1, 'echo'), call(2, 'echo'), call(3, 'echo')], 2],
    ['by an argument that is too long', [call(1, 'echo', '1234'), call(2, 'echo', '12345')], 1],
  ])('%s', async (_by, messages, made) => {
    const { worker, called, end, result, run } = script({ maxCalls: 2, maxArgumentChars: 8 });
    for (const message of messages) worker.say(...message);
    while (worker.killed === false) await end();
    for (let n = 0; n < made; n++) await end();
    expect((await result).failed).toEqual(stopped);
    expect([called.length, run.clean]).toEqual([made, false]);
  });

  test('by no call at its limits', async () => {
    const { worker, end, result } = script({ maxCalls: 2, maxArgumentChars: 8 });
    worker.say(...call(1, 'echo', '1234'));
    worker.say(...call(2, 'echo', '1234'));
    await end();
    await end();
    worker.say('done');
    expect((await result).failed).toBeUndefined();
  });

  test('by arguments that are nested too deeply', () => {
    const { worker } = script({ maxDepth: 2 });
    worker.say(...call(1, 'echo', [[1]]));
    expect(() => worker.say(...call(2, 'echo', [[[1]]]))).toThrow(new RangeError('a value is nested too deeply'));
  });
});

describe('time without a call', () => {
  test('does not pass while one is under way, and begins anew behind it', async () => {
    const { worker, end, result } = script({ idleMs: 500 });
    worker.say(...call(1, 'echo'));
    await vi.advanceTimersByTimeAsync(5000);
    await end();
    await vi.advanceTimersByTimeAsync(500);
    expect(worker.killed).toBe(false);
    await vi.advanceTimersByTimeAsync(20);
    expect((await result).failed).toMatchObject({ reason: 'timeout' });
  });
});

describe('calls under way at the end of a script', () => {
  test('do not keep a child alive that must not go on', async () => {
    const { worker, end, result } = script();
    worker.say(...call(1, 'echo'));
    worker.say('memory');
    await vi.advanceTimersByTimeAsync(0);
    expect(worker.killed).toBe(true);
    await end();
    expect((await result).calls).toHaveLength(1);
  });

  test('are waited for, and are in its result', async () => {
    const { worker, end, result, run, settled } = script();
    let over = false;
    void result.then(() => (over = true));
    worker.say(...call(1, 'echo'));
    worker.say(...call(2, 'echo'));
    worker.say('done', { text: '1' });
    await vi.advanceTimersByTimeAsync(50);
    await end();
    expect(over).toBe(false);
    await end();
    expect(await result).toMatchObject({ value: 1, calls: [{ ms: 50 }, { ms: 50 }], ms: 50 });
    expect([run.clean, worker.killed, settled()]).toEqual([true, false, []]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('are waited for as long as the script might have taken', async () => {
    const { worker, result, run } = script({ timeoutMs: 1000 });
    await vi.advanceTimersByTimeAsync(300);
    worker.say(...call(1, 'echo'));
    worker.say('done');
    let over = false;
    void result.then(() => (over = true));
    await vi.advanceTimersByTimeAsync(699);
    expect(over).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(over).toBe(true);
    expect(await result).toMatchObject({ calls: [], ms: 1000 });
    expect([run.clean, worker.killed]).toEqual([false, true]);
  });

  test('are waited for after an error too', async () => {
    const { worker, end, result } = script();
    worker.say(...call(1, 'echo'));
    worker.say('fail', { text: JSON.stringify({ text: 'no', stack: '' }) });
    await vi.advanceTimersByTimeAsync(10);
    await end();
    expect(await result).toMatchObject({ failed: { message: 'no' }, calls: [{ name: 'echo' }] });
  });

  test('are not waited for when the turn is over', async () => {
    const stop = new AbortController();
    const { worker, result } = script({}, stop.signal);
    worker.say(...call(1, 'echo'));
    stop.abort();
    expect(await result).toMatchObject({ failed: { reason: 'aborted' }, calls: [] });
    expect(worker.killed).toBe(true);
  });

  test('are not waited for when the time is up', async () => {
    const { worker, result } = script({ idleMs: 500, timeoutMs: 1000 });
    worker.say(...call(1, 'echo'));
    await vi.advanceTimersByTimeAsync(1020);
    expect(await result).toMatchObject({ failed: { reason: 'timeout' }, calls: [] });
    expect(worker.killed).toBe(true);
  });

  test('are not waited for by a script that did not yield', async () => {
    const { worker, result } = script();
    worker.say(...call(1, 'echo'));
    worker.say('fail', { name: 'host', text: JSON.stringify({ text: 'Script execution timed out.', stack: '' }) });
    expect(await result).toMatchObject({ failed: { reason: 'timeout' }, calls: [] });
  });
});
