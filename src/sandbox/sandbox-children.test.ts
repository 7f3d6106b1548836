import { beforeEach, describe, expect, test, vi } from 'vitest';
import { silentLog } from '../base/log.ts';
import { arrived, type ScriptedChild, scriptChildren } from '../testing/scripted-children.ts';
import { scriptUsage } from '../testing/scripted-usage.ts';
import { machineZone } from '../when/zone.ts';
import type { ScriptOptions } from './contract.ts';
import { createSandbox, type SandboxDeps } from './sandbox.ts';

const OPTIONS: ScriptOptions = {
  functions: [],
  bridge: { log: () => {}, call: async () => ({ ok: true, value: null }) },
  signal: new AbortController().signal,
};

/** A child that says this when it is given a script. */
function answering(kind: string, text: string) {
  return (child: ScriptedChild) => {
    child.say(1, 'ready');
    child.onFrame(({ type, script }) =>
      child.say(script, type === 'run' ? kind : 'ready', type === 'run' ? { text } : {}),
    );
  };
}

function sandboxOf(start: (child: ScriptedChild) => void, deps: Partial<SandboxDeps> = {}) {
  const children = scriptChildren(start);
  const sandbox = createSandbox({ log: silentLog, ...deps });
  const config = (child: ScriptedChild | undefined) => JSON.parse(child?.args.at(-1) ?? '') as { memoryMb: number };
  return { children, sandbox, config };
}

const DONE = answering('done', '2');

describe('whether scripts can run', () => {
  test.each([
    ['linux', ['memory by the kernel and a watcher every 20 ms']],
    ['win32', ['memory of a script is limited by V8 only; no watcher on this system']],
    ['darwin', ['memory by a watcher every 250 ms only']],
  ] as const)('is found out by running one, and how its memory is watched said: %s', async (platform, notes) => {
    scriptUsage(platform);
    const { sandbox, children } = sandboxOf(DONE);
    expect(await sandbox.probe()).toEqual({ ok: true, notes });
    const [run] = (children[0] as ScriptedChild).heard() as [{ source: string; setup: string }];
    expect(run.source).toContain('return (1 + 1);');
    expect(JSON.parse(run.setup)).toMatchObject({ functions: [] });
  });

  test.each([
    ['a wrong result', answering('done', '3'), 'a test script gave a wrong result'],
    ['no result', answering('done', ''), 'a test script gave a wrong result'],
    ['a failure', answering('fail', '{"text":"no isolate","stack":""}'), 'no isolate'],
  ])('is denied with %s', async (_what, start, problem) => {
    const { sandbox } = sandboxOf(start);
    expect(await sandbox.probe()).toEqual({ ok: false, problem, notes: [] });
  });

  test('is denied, and noted, where no child can be started', async () => {
    const noted: unknown[] = [];
    const log = { ...silentLog, warn: (...note: unknown[]) => void noted.push(note) };
    const { sandbox } = sandboxOf(
      () => {
        throw new Error('spawn EAGAIN');
      },
      { log },
    );
    const problem = 'Scripts cannot run here: spawn EAGAIN.';
    expect(await sandbox.probe()).toEqual({ ok: false, problem, notes: [] });
    expect(noted).toEqual([['the sandbox cannot start', { error: problem }]]);
  });
});

describe('children', () => {
  test('are started by a script, or ahead of one, and not before', async () => {
    const { sandbox, children, config } = sandboxOf(DONE, { memoryMb: 96, poolSize: 2, timeZone: 'Asia/Tokyo' });
    await sandbox.close();
    expect(children).toEqual([]);
    const other = sandboxOf(DONE, { memoryMb: 96, poolSize: 2, timeZone: 'Asia/Tokyo' });
    await other.sandbox.warm();
    expect(other.children.map((child) => [config(child).memoryMb, child.options.env])).toEqual([
      [96, { TZ: 'Asia/Tokyo' }],
      [96, { TZ: 'Asia/Tokyo' }],
    ]);
    await other.sandbox.close();
    expect(other.children.map(({ killed }) => killed)).toEqual(['SIGKILL', 'SIGKILL']);
  });

  test('have 128 MB and the time zone of the machine, and one waits', async () => {
    const { sandbox, children, config } = sandboxOf(DONE);
    await sandbox.warm();
    expect(children.map((child) => [config(child).memoryMb, child.options.env])).toEqual([
      [128, { TZ: machineZone() }],
    ]);
  });

  test('are ready once the sandbox is warm', async () => {
    const { sandbox, children } = sandboxOf(() => {});
    let isWarm = false;
    const warm = sandbox.warm().then(() => (isWarm = true));
    await arrived();
    expect(isWarm).toBe(false);
    children[0]?.say(1, 'ready');
    await warm;
  });

  test('run one script each, and the next one is started at once', async () => {
    const { sandbox, children, config } = sandboxOf(DONE);
    const result = await sandbox.run('1', { ...OPTIONS, limits: { memoryMb: 96 } });
    expect(result).toMatchObject({ value: 2, logs: [], droppedLogs: 0, calls: [] });
    expect(children.map(({ killed }) => killed)).toEqual(['SIGKILL']);
    await arrived();
    expect(children.map((child) => [child.killed, config(child).memoryMb])).toEqual([
      ['SIGKILL', 96],
      [undefined, 96],
    ]);
  });

  test('run the scripts of a turn one after the other', async () => {
    scriptUsage('linux');
    const { sandbox, children } = sandboxOf(DONE);
    const turn = sandbox.forTurn(() => true);
    turn.warm();
    expect(children).toHaveLength(1);
    expect(await turn.run('1', OPTIONS)).toMatchObject({ value: 2 });
    expect(await turn.run('2', OPTIONS)).toMatchObject({ value: 2 });
    expect(children.map(({ killed }) => killed)).toEqual([undefined]);
    turn.close();
    expect(children.map(({ killed }) => killed)).toEqual(['SIGKILL']);
  });
});

describe('a script that need not be run', () => {
  const none = { logs: [], droppedLogs: 0, calls: [], ms: 0 };

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] });
    vi.advanceTimersByTime(1000);
    return () => void vi.useRealTimers();
  });

  test('is longer than the limit', async () => {
    const { sandbox, children } = sandboxOf(DONE);
    const limits = { maxSourceChars: 5 };
    expect(await sandbox.run('1 + 22', { ...OPTIONS, limits })).toEqual({
      ...none,
      failed: { reason: 'limit', message: 'The script has 6 characters, 5 is the limit' },
    });
    expect(children).toEqual([]);
    expect(await sandbox.run('1 + 2', { ...OPTIONS, limits })).toMatchObject({ value: 2 });
  });

  test.each([
    [
      'is no code',
      'const x = 5;\n  foo bar',
      { message: 'SyntaxError: Unexpected token', line: 2, column: 7, context: 'foo bar' },
    ],
    ['is nested too deeply', `a${'.b'.repeat(20_000)}`, { message: 'SyntaxError: the code is nested too deeply' }],
  ])('%s', async (_what, source, failed) => {
    const { sandbox, children } = sandboxOf(DONE);
    expect(await sandbox.run(source, OPTIONS)).toEqual({ ...none, failed: { reason: 'syntax', ...failed } });
    expect(children).toEqual([]);
  });
});

test('a script waits for functions that answer, by their own name or through tools', async () => {
  const { sandbox, children } = sandboxOf(DONE);
  const functions = [
    { name: 'a', kind: 'value' },
    { name: 'b', kind: 'batch', tool: true },
    { name: 'c', kind: 'fire' },
    { name: 'd', kind: 'value', tool: true, global: false },
    { name: 'e', kind: 'value', global: true },
  ] as const;
  const source = 'a(1); b(1); c(1); d(1); e(1); tools.a(1); tools.b(1); tools.d(1);';
  await sandbox.run(`${source}0`, { ...OPTIONS, functions });
  const wanted =
    'await $w0.p.a(1); await $w0.p.b(1); c(1); d(1); await $w0.p.e(1); tools.a(1); await $w0.p.b(1); await $w0.p.d(1);';
  expect(children[0]?.heard()).toMatchObject([{ source: `(async($w0)=>{\n${wanted}return (0);\n})` }]);
});
