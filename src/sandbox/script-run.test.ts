import { getEventListeners } from 'node:events';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { procFiles, scriptUsage } from '../testing/scripted-usage.ts';
import { beginScript } from '../testing/scripted-worker.ts';
import { ApprovalPauses } from './approval-pauses.ts';
import { DEFAULT_LIMITS } from './contract.ts';
import { wireReply } from './script-run.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance', 'Date'] });
  vi.setSystemTime('2026-11-01T12:00:00Z');
  return () => void vi.useRealTimers();
});

const OVER = { logs: [], droppedLogs: 0, calls: [], ms: 0 };
const failure = (text: string, stack = '') => ({ text: JSON.stringify({ text, stack }) });

describe('what a script is begun with', () => {
  test('is all that it may know', () => {
    const { worker } = beginScript(
      {
        functions: [
          { name: 'echo', kind: 'value', tool: true, network: true },
          { name: '$odd_1', kind: 'fire' },
          { name: 'hidden', kind: 'value', tool: true, global: false },
          { name: 'a.b', kind: 'batch', tool: true },
          { name: '1st', kind: 'value' },
        ],
        modules: { double: 'export default 2', tables: 'export {}' },
        globals: { input: [1] },
        memory: { initial: { kept: 1 }, set: () => {} },
        now: new Date(1_700_000_000_000),
        seed: 7,
      },
      { maxCalls: 9 },
    );
    const [{ setup, ...frame }] = worker.sent as [{ setup: string }];
    expect(worker.sent).toHaveLength(1);
    expect(frame).toEqual({
      type: 'run',
      source: 'compiled',
      imports: ['double'],
      modules: [
        { name: 'double', source: 'export default 2' },
        { name: 'tables', source: 'export {}' },
      ],
      maxCalls: 9,
      syncTimeoutMs: 4950,
    });
    expect(JSON.parse(setup)).toEqual({
      limits: { ...DEFAULT_LIMITS, maxCalls: 9 },
      now: 1_700_000_000_000,
      seed: 7,
      memory: { kept: 1 },
      globals: { input: [1] },
      modules: ['double'],
      functions: [
        { name: 'echo', kind: 'value', tool: true, global: true },
        { name: '$odd_1', kind: 'fire', global: true },
        { name: 'hidden', kind: 'value', tool: true, global: false },
        { name: 'a.b', kind: 'batch', tool: true, global: false },
        { name: '1st', kind: 'value', global: false },
      ],
    });
  });

  test('is little where nothing is given', () => {
    vi.spyOn(Math, 'random').mockReturnValueOnce(0.75);
    const { worker } = beginScript();
    const [{ setup, ...frame }] = worker.sent as [{ setup: string }];
    expect(frame).toMatchObject({ modules: [], maxCalls: 200 });
    expect(JSON.parse(setup)).toEqual({
      limits: DEFAULT_LIMITS,
      now: Date.parse('2026-11-01T12:00:00Z'),
      seed: 0.75 * 2 ** 31,
      memory: {},
      globals: {},
      modules: ['double'],
      functions: [],
    });
  });

  test('has a whole number as its seed', () => {
    vi.spyOn(Math, 'random').mockReturnValueOnce(0.123_456_789);
    const { worker } = beginScript();
    const [{ setup }] = worker.sent as [{ setup: string }];
    expect((JSON.parse(setup) as { seed: number }).seed).toBe(265_121_435);
  });

  test.each([
    [{ idleMs: 1000, cpuMs: 2000, timeoutMs: 3000 }, 950],
    [{ idleMs: 3000, cpuMs: 1000, timeoutMs: 2000 }, 950],
    [{ idleMs: 3000, cpuMs: 2000, timeoutMs: 1000 }, 950],
    [{ idleMs: 52 }, 2],
    [{ idleMs: 50 }, 1],
    [{ idleMs: 10 }, 1],
  ])('may keep the processor for a little less than its limits: %j', (limits, syncTimeoutMs) => {
    expect(beginScript({}, limits).worker.sent).toMatchObject([{ syncTimeoutMs }]);
  });
});

describe('a script that ends by itself', () => {
  test('has its value, and its child may run another', async () => {
    const { worker, run, result } = beginScript();
    await vi.advanceTimersByTimeAsync(70);
    expect(run.clean).toBe(false);
    worker.say('done', { text: '{"a":[1]}' });
    expect(await result).toEqual({ ...OVER, value: { a: [1] }, ms: 70 });
    expect([run.clean, worker.killed]).toEqual([true, false]);
  });

  test('leaves the signal of its turn as it was', async () => {
    const { signal } = new AbortController();
    const { worker, result } = beginScript({ signal });
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    worker.say('done');
    await result;
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('may have no value', async () => {
    const { worker, result } = beginScript();
    worker.say('done', { id: 3 });
    expect(await result).toEqual({ ...OVER, droppedLogs: 3 });
  });

  test('by an error has its place in what the author wrote, and its child may run another', async () => {
    const { worker, run, result } = beginScript();
    worker.say('fail', failure('TypeError: no', 'at agent.js:1:4'));
    const failed = { reason: 'exception', message: 'TypeError: no', line: 2, column: 4, context: 'second' };
    expect(await result).toEqual({ ...OVER, failed });
    expect([run.clean, worker.killed]).toEqual([true, false]);
  });

  test.each([
    ['which the host reports', 'fail', 'host', 'exception'],
    ['in its code', 'syntax', '', 'syntax'],
  ])('by an error %s is the last of its child', async (_which, kind, name, reason) => {
    const { worker, run, result } = beginScript();
    worker.say(kind, { ...failure('no'), name, id: 2 });
    expect(await result).toEqual({ ...OVER, failed: { reason, message: 'no' }, droppedLogs: 2 });
    expect([run.clean, worker.killed]).toEqual([false, true]);
  });

  test('by an error that is worded like a limit of the host has thrown it itself', async () => {
    const { worker, result } = beginScript();
    worker.say('fail', failure('Script execution timed out.'));
    expect((await result).failed).toEqual({ reason: 'exception', message: 'Script execution timed out.' });
  });
});

describe('a script is stopped', () => {
  test('which does not yield', async () => {
    const { worker, run, result } = beginScript({}, { idleMs: 1000 });
    worker.say('fail', { ...failure('Script execution timed out.', 'at agent.js:2:1'), name: 'host' });
    expect((await result).failed).toEqual({
      reason: 'timeout',
      message: 'Execution timed out after 950 ms: an endless loop, or a computation that is too long',
      ...{ line: 3, column: 1, context: 'third' },
    });
    expect([run.clean, worker.killed]).toEqual([false, true]);
  });

  test('which waits for nothing', async () => {
    const { worker, run, result } = beginScript({}, { idleMs: 1000 });
    await vi.advanceTimersByTimeAsync(1100);
    expect((await result).failed).toMatchObject({ reason: 'timeout', message: expect.stringContaining('1000 ms') });
    expect([run.clean, worker.killed]).toEqual([false, true]);
  });

  test('which uses more memory than its child has at its start and it may use', async () => {
    const usage = scriptUsage('linux');
    const use = (rssMb: number) => {
      for (const [path, text] of procFiles(7, { user: 1, system: 1, pages: rssMb * 256 })) usage.files.set(path, text);
    };
    use(252 + 96);
    const { worker, result } = beginScript({}, { memoryMb: 96 });
    await vi.advanceTimersByTimeAsync(100);
    expect(worker.killed).toBe(false);
    use(252 + 97);
    await vi.advanceTimersByTimeAsync(40);
    expect((await result).failed).toEqual({ reason: 'memory', message: 'The script used more than 96 MB of memory' });
  });

  test('only after the time that does not count', async () => {
    const pauses = new ApprovalPauses();
    const { worker, result } = beginScript({ pauses }, { timeoutMs: 1000, idleMs: 60_000 });
    const end = pauses.begin();
    await vi.advanceTimersByTimeAsync(5000);
    end();
    worker.say('done', { text: '1' });
    expect(await result).toEqual({ ...OVER, value: 1 });
  });

  test.each([
    ['by V8', { limits: { memoryMb: 96 }, kind: 'memory' }, 'memory', 'The script used more than 96 MB of memory'],
    ['for saying what no script says', { kind: 'odd' }, 'crashed', 'The script broke its sandbox and was stopped'],
  ])('%s', async (_by, { limits = {}, kind }: { limits?: object; kind: string }, reason, message) => {
    const { worker, run, result } = beginScript({}, limits);
    worker.say(kind, { id: 1 });
    expect(await result).toEqual({ ...OVER, failed: { reason, message }, droppedLogs: 1 });
    expect([run.clean, worker.killed]).toEqual([false, true]);
  });

  test.each([
    ['broken frame', 'x', 'limit', 'The script sent more than fits through the bridge at once'],
    ...['SIGABRT', 'SIGTRAP', 'SIGILL', 'SIGSEGV', 'SIGBUS'].map(
      (signal) => ['exit', signal, 'memory', 'The script used more than 128 MB of memory'] as const,
    ),
    ['exit', 'SIGKILL', 'crashed', 'The script sent too much or broke its sandbox, and was stopped'],
    ['exit', 'code 0', 'crashed', 'The script sent too much or broke its sandbox, and was stopped'],
  ] as const)('with its child: %s %s', async (reason, detail, why, message) => {
    const { worker, run, result } = beginScript();
    worker.die({ reason, detail });
    expect(await result).toEqual({ ...OVER, failed: { reason: why, message } });
    expect([run.clean, worker.killed]).toEqual([false, true]);
  });

  test('with its turn', async () => {
    const stop = new AbortController();
    const { worker, run, result } = beginScript({ signal: stop.signal });
    stop.abort();
    const failed = { reason: 'aborted', message: 'The script was stopped: the turn was cancelled' };
    expect(await result).toEqual({ ...OVER, failed });
    expect([run.clean, worker.killed]).toEqual([false, true]);
  });

  test('before it begins where its turn is over', async () => {
    const { worker, result } = beginScript({ signal: AbortSignal.abort() });
    expect((await result).failed).toMatchObject({ reason: 'aborted' });
    expect([worker.sent, worker.killed]).toEqual([[], true]);
  });

  test('once: the first reason counts', async () => {
    const stop = new AbortController();
    const { worker, run, result } = beginScript({ signal: stop.signal });
    worker.say('done', { text: '1' });
    worker.say('fail', failure('late'));
    worker.say('log', { text: 'late' });
    worker.die({ reason: 'exit', detail: 'SIGKILL' });
    stop.abort();
    expect(await result).toEqual({ ...OVER, value: 1 });
    expect(run.clean).toBe(true);
  });
});

describe('lines that a script writes', () => {
  test('are told at once, and are in the result', async () => {
    const told: string[] = [];
    const bridge = { log: (line: string) => told.push(line), call: async () => ({ ok: true, value: null }) as const };
    const { worker, result } = beginScript({ bridge });
    worker.say('log', { text: 'a' });
    worker.say('log', { text: 'b' });
    expect(told).toEqual(['a', 'b']);
    worker.say('done');
    expect(await result).toEqual({ ...OVER, logs: ['a', 'b'] });
  });

  test.each([
    ['as many characters as fit', { maxLogChars: 8 }, ['abc', 'def', 'g'], ['abc', 'def']],
    ['one character more', { maxLogChars: 7 }, ['abc', 'def', 'g'], ['abc']],
    ['as many lines as fit', { maxLogLines: 2 }, ['a', 'b', 'c', 'd'], ['a', 'b']],
  ])('are kept up to a limit, the others counted: %s', async (_what, limits, lines, kept) => {
    const told: string[] = [];
    const bridge = { log: (line: string) => told.push(line), call: async () => ({ ok: true, value: null }) as const };
    const { worker, result } = beginScript({ bridge }, limits);
    for (const text of lines) worker.say('log', { text });
    worker.say('done', { id: 10 });
    expect(await result).toEqual({ ...OVER, logs: kept, droppedLogs: 10 + lines.length - kept.length });
    expect(told).toEqual(kept);
  });
});

describe('what a script stores', () => {
  test('is kept at once', () => {
    const kept: unknown[] = [];
    const { worker } = beginScript({ memory: { initial: {}, set: (...pair) => kept.push(pair) } });
    worker.say('store', { name: 'key', text: '{"a":1}' });
    expect(kept).toEqual([['key', { a: 1 }]]);
  });

  test('is lost where nothing is kept', async () => {
    const { worker, result } = beginScript();
    worker.say('store', { name: 'key', text: '1' });
    worker.say('done');
    expect(await result).toEqual(OVER);
  });

  test('may be nested to its limit', () => {
    const { worker } = beginScript({ memory: { initial: {}, set: () => {} } }, { maxDepth: 3 });
    worker.say('store', { text: '[[[[1]]]]' });
    expect(() => worker.say('store', { text: '[[[[[1]]]]]' })).toThrow(new RangeError('a value is nested too deeply'));
  });
});

const MOST = 8_000_000;

test.each([
  ['a value', { ok: true, value: { a: [1, 'x'] } }, { ok: true, json: '{"a":[1,"x"]}' }],
  ['no value', { ok: true, value: undefined }, { ok: true, json: 'null' }],
  ['nothing', { ok: true, value: null }, { ok: true, json: 'null' }],
  ['zero', { ok: true, value: 0 }, { ok: true, json: '0' }],
  ['what JSON leaves out', { ok: true, value: () => 1 }, { ok: true, json: 'null' }],
  ['an error', { ok: false, error: 'no "good"' }, { ok: false, json: '"no \\"good\\""' }],
  ['the longest value', { ok: true, value: 'x'.repeat(MOST - 2) }, { ok: true, json: `"${'x'.repeat(MOST - 2)}"` }],
  [
    'a value that is too long',
    { ok: true, value: 'x'.repeat(MOST - 1) },
    { ok: false, json: '"the result has 8000001 characters, 8000000 is the limit"' },
  ],
  [
    'a value that JSON cannot hold',
    { ok: true, value: 1n },
    { ok: false, json: '"the result cannot be written as JSON: Do not know how to serialize a BigInt"' },
  ],
] as const)('%s is sent', (_what, reply, wire) => {
  expect(wireReply(reply)).toEqual(wire);
});
