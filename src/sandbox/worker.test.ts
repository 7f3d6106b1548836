import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { arrived, type ScriptedChild, scriptChildren } from '../testing/scripted-children.ts';
import { Worker, type WorkerOptions } from './worker.ts';

/** Bytes of the longest frame. */
const MOST = 1024 * 1024;
const FILES = { program: 'program', prelude: 'prelude', addon: '/addon.node' };

function startWorker(options: Partial<WorkerOptions> = {}): { worker: Worker; child: ScriptedChild } {
  const children = scriptChildren(() => {});
  const worker = new Worker({ files: FILES, memoryMb: 64, timeZone: 'UTC', ...options });
  return { worker, child: children[0] as ScriptedChild };
}

/** One that is ready for its first script. */
async function readyWorker() {
  const { worker, child } = startWorker();
  child.say(1, 'ready');
  await worker.ready();
  const heard: unknown[] = [];
  worker.onMessage((message) => heard.push(message));
  return { worker, child, heard };
}

describe('a child is started', () => {
  const flags = [
    ...['--permission', '--allow-addons', '--jitless', '--no-warnings', '--disable-proto=delete'],
    ...['--max-old-space-size=64', '--no-experimental-strip-types', '--input-type=commonjs'],
  ];
  const node = (script: number, program: number) => [
    ...[`--stack-size=${program}`, ...flags, '--eval', 'program'],
    JSON.stringify({ addon: '/addon.node', prelude: 'prelude', memoryMb: 64, stackKb: script }),
  ];
  const limited = (limits: string) => ['/bin/sh', '-c', `${limits}; exec "$@"`, 'sh', process.execPath];

  test.each([
    ['linux', false, [...limited('ulimit -c 0; ulimit -d 336000'), '--no-node-snapshot', ...node(2000, 2400)]],
    ['linux', true, [...limited('ulimit -c 0; ulimit -d 336000'), ...node(2000, 2400)]],
    ['darwin', false, [...limited('ulimit -c 0'), '--no-node-snapshot', ...node(2000, 2400)]],
    ['win32', false, [process.execPath, '--no-node-snapshot', ...node(700, 984)]],
  ] as const)('on %s with next to nothing, from a snapshot: %s', (platform, snapshot, command) => {
    const spy = vi.spyOn(process, 'platform', 'get').mockReturnValue(platform);
    const { worker, child } = startWorker({ timeZone: 'Europe/Berlin', snapshot });
    spy.mockRestore();
    expect([child.file, ...child.args]).toEqual(command);
    expect(child.options).toEqual({
      cwd: '/',
      env: { TZ: 'Europe/Berlin' },
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    });
    expect(worker.pid).toBe(child.pid);
  });

  test('in the safe way unless a snapshot is asked for', () => {
    expect(startWorker().child.args).toContain('--no-node-snapshot');
  });

  test('and may keep our process alive, or not', () => {
    const { worker, child } = startWorker();
    const [ref, unref] = (['ref', 'unref'] as const).map((name) => [
      vi.spyOn(child.toChild, name),
      vi.spyOn(child.fromChild, name),
    ]);
    worker.hold(false);
    expect([child.held, ref?.map((spy) => spy.mock.calls.length)]).toEqual([false, [0, 0]]);
    expect(unref?.map((spy) => spy.mock.calls.length)).toEqual([1, 1]);
    worker.hold(true);
    expect([child.held, ref?.map((spy) => spy.mock.calls.length)]).toEqual([true, [1, 1]]);
  });
});

describe('a child', () => {
  test('is ready when it says so', async () => {
    const { worker, child } = startWorker();
    let isReady = false;
    const ready = worker.ready().then(() => (isReady = true));
    await arrived();
    expect(isReady).toBe(false);
    child.say(1, 'ready');
    await ready;
    await worker.ready();
    expect(worker.hasEnded).toBe(false);
  });

  test('that dies before is never ready', async () => {
    const { worker, child } = startWorker();
    const ready = expect(worker.ready()).rejects.toThrow('the child ended: code 3');
    child.end(3, null);
    await ready;
    expect(await worker.ended).toEqual({ reason: 'exit', detail: 'code 3' });
    await expect(worker.ready()).rejects.toThrow('the child ended: code 3');
  });

  test('that is not ready in time is killed', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { worker, child } = startWorker();
    const ready = expect(worker.ready()).rejects.toThrow('the child did not get ready within 15000 ms');
    await vi.advanceTimersByTimeAsync(14_999);
    expect(child.killed).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    await ready;
    expect(child.killed).toBe('SIGKILL');
  });

  test('that is not ready again in time is killed', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { worker, child } = await readyWorker();
    expect(vi.getTimerCount()).toBe(0);
    worker.renew();
    await vi.advanceTimersByTimeAsync(999);
    expect(child.killed).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(child.killed).toBe('SIGKILL');
  });

  test('that cannot be started has ended', async () => {
    const { worker, child } = startWorker();
    child.emit('error', new Error('spawn /bin/sh EACCES'));
    expect(await worker.ended).toEqual({ reason: 'exit', detail: 'spawn /bin/sh EACCES' });
    expect([worker.hasEnded, child.toChild.destroyed, child.fromChild.destroyed]).toEqual([true, true, true]);
  });

  test('that is killed has ended by that', async () => {
    const { worker, child } = await readyWorker();
    worker.kill();
    expect(await worker.ended).toEqual({ reason: 'exit', detail: 'SIGKILL' });
    expect(child.killed).toBe('SIGKILL');
  });

  test.each(['toChild', 'fromChild'] as const)('whose pipe breaks is killed: %s', async (pipe) => {
    const { worker, child } = await readyWorker();
    child[pipe].emit('error', new Error('EPIPE'));
    expect(await worker.ended).toEqual({ reason: 'exit', detail: 'SIGKILL' });
  });

  test('has ended only when all has arrived that it said', async () => {
    const { worker, child, heard } = await readyWorker();
    child.emit('exit', 0, null);
    await arrived();
    expect(worker.hasEnded).toBe(false);
    child.say(1, 'done', { text: '1' });
    child.fromChild.push(null);
    expect(await worker.ended).toEqual({ reason: 'exit', detail: 'code 0' });
    expect(heard).toEqual([['done', 0, '', '1']]);
  });

  test('has ended when its pipe closes, or was closed', async () => {
    const first = await readyWorker();
    first.child.emit('exit', 0, null);
    first.child.fromChild.destroy();
    expect(await first.worker.ended).toEqual({ reason: 'exit', detail: 'code 0' });
    const second = await readyWorker();
    second.child.fromChild.destroy();
    await arrived();
    second.child.emit('exit', null, 'SIGSEGV');
    expect(await second.worker.ended).toEqual({ reason: 'exit', detail: 'SIGSEGV' });
    const third = await readyWorker();
    third.child.fromChild.push(null);
    await arrived();
    third.child.emit('exit', 7, null);
    expect(await third.worker.ended).toEqual({ reason: 'exit', detail: 'code 7' });
  });

  test('ends once, and is sent nothing more', async () => {
    const { worker, child, heard } = await readyWorker();
    child.emit('error', new Error('first'));
    child.emit('exit', 0, null);
    worker.send({ type: 'run' });
    worker.answer('1');
    await arrived();
    expect(await worker.ended).toEqual({ reason: 'exit', detail: 'first' });
    expect([heard, child.heard(), child.fromChild.frames()]).toEqual([[], [], []]);
  });
});

describe('messages', () => {
  test('have the number of their script', async () => {
    const { worker, child, heard } = await readyWorker();
    worker.send({ type: 'run', source: '1' });
    worker.answer('1[2]');
    child.say(1, 'call', { id: 7, name: 'echo', text: '[1]' });
    await arrived();
    expect(heard).toEqual([['call', 7, 'echo', '[1]']]);
    worker.renew();
    child.say(2, 'ready');
    await worker.ready();
    worker.onMessage((message) => heard.push(message));
    worker.send({ type: 'run', source: '2' });
    worker.answer('0"no"');
    child.say(2, 'done');
    await arrived();
    expect(heard).toEqual([
      ['call', 7, 'echo', '[1]'],
      ['done', 0, '', ''],
    ]);
    expect(child.heard()).toEqual([
      { type: 'run', source: '1', script: 1 },
      { type: 'renew', script: 2 },
      { type: 'run', source: '2', script: 2 },
    ]);
    expect(child.fromChild.frames()).toEqual(['1 1[2]', '2 0"no"']);
    expect(worker.hasEnded).toBe(false);
  });

  test.each([
    ['no list', '{"kind":"done"}', 'SyntaxError: not a message'],
    ['no JSON', 'done', 'SyntaxError'],
    ['a list of something else', '[1,"done",0,"",7]', 'SyntaxError: not a message'],
    ['a list that is too short', '[1,"done",0,""]', 'SyntaxError: not a message'],
    ['a list that is too long', '[1,"done",0,"","",""]', 'SyntaxError: not a message'],
    ['of a script to come', '[2,"done",0,"",""]', 'SyntaxError: a message of another script'],
    ['of no script', '[0,"done",0,"",""]', 'SyntaxError: a message of another script'],
    ['a second readiness', '[1,"ready",0,"",""]', 'SyntaxError: ready twice'],
    ['longer than a frame', `[1,"log",0,"","${'x'.repeat(MOST - 16)}"]`, 'RangeError: a frame of 1048577 bytes'],
  ])('that are %s are the last of a child', async (_what, text, why) => {
    const { worker, child, heard } = await readyWorker();
    child.send(text);
    const { reason, detail } = await worker.ended;
    expect([reason, detail.slice(0, why.length)]).toEqual(['broken frame', why]);
    expect([child.killed, heard]).toEqual(['SIGKILL', []]);
  });

  test('may be as long as a frame', async () => {
    const { child, heard } = await readyWorker();
    child.send(`[1,"log",0,"","${'x'.repeat(MOST - 17)}"]`);
    await arrived();
    expect(heard).toEqual([['log', 0, '', 'x'.repeat(MOST - 17)]]);
  });

  test('that nobody listens to are the last of a child', async () => {
    const { worker, child } = startWorker();
    child.say(1, 'ready');
    child.say(1, 'log');
    expect(await worker.ended).toEqual({ reason: 'broken frame', detail: 'SyntaxError: a message without a script' });
  });

  test('that somebody cannot bear are the last of a child', async () => {
    const { worker, child } = await readyWorker();
    worker.onMessage(() => {
      throw new RangeError('too deep');
    });
    child.say(1, 'log');
    expect(await worker.ended).toEqual({ reason: 'broken frame', detail: 'RangeError: too deep' });
  });

  test('of the script before are dropped until the next one is ready', async () => {
    const { worker, child } = await readyWorker();
    worker.renew();
    child.say(1, 'log', { text: 'late' });
    child.say(2, 'ready');
    await worker.ready();
    expect(worker.hasEnded).toBe(false);
    child.say(1, 'log', { text: 'too late' });
    expect(await worker.ended).toEqual({ reason: 'broken frame', detail: 'SyntaxError: a message of another script' });
  });
});
