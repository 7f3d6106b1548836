import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type ScriptedProgram, scriptPrograms } from '../testing/scripted-programs.ts';
import { diskUse } from './disk-use.ts';
import { type ProcessRun, runProcess } from './run-process.ts';

const RUN: ProcessRun = { file: 'prog', args: ['a', 'b'], timeoutMs: 1000, signal: new AbortController().signal };

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

/** Starts a program that does this, and tells whether it has ended by now. */
function start(does: ScriptedProgram, changes: Partial<ProcessRun> = {}) {
  const started = scriptPrograms(() => does);
  let ended = false;
  const result = runProcess({ ...RUN, ...changes }).finally(() => {
    ended = true;
  });
  return { started, result, ended: () => ended };
}

test('a program gets its words, its input and a process group of its own, and its result is told', async () => {
  const { started, result } = start({ stdout: 'out\n', stderr: 'err\n', exitCode: 7 }, { stdin: 'ünï' });
  expect(await result).toEqual({ exitCode: 7, stdout: 'out\n', stderr: 'err\n', stopped: undefined });
  expect(started).toMatchObject([{ file: 'prog', args: ['a', 'b'], killed: false }]);
  expect(started[0]?.options).toEqual({ stdio: 'pipe', detached: true });
  expect(await started[0]?.stdin).toBe('ünï');
  expect(vi.getTimerCount()).toBe(0);
});

test('without input its input ends at once, and a given environment replaces ours', async () => {
  const { started, result } = start({}, { env: { PATH: '/x' } });
  expect(await result).toEqual({ exitCode: 0, stdout: '', stderr: '', stopped: undefined });
  expect(await started[0]?.stdin).toBe('');
  expect(started[0]?.options).toEqual({ stdio: 'pipe', detached: true, env: { PATH: '/x' } });
});

test('a program that does not read its input has not failed', async () => {
  expect(await start({ closesInput: true, stdout: 'done' }, { stdin: 'x' }).result).toMatchObject({
    exitCode: 0,
    stdout: 'done',
  });
});

test('a program that cannot be started is an error, and nothing waits for it', async () => {
  await expect(start({ refused: 'ENOENT' }).result).rejects.toThrow('spawn prog ENOENT');
  expect(vi.getTimerCount()).toBe(0);
});

test('the exit code of a program that a signal ended is 128 and its number', async () => {
  expect(await start({ signal: 'SIGTERM' }).result).toMatchObject({ exitCode: 143, stopped: undefined });
});

test('a letter may arrive in two pieces', async () => {
  const letter = Buffer.from('✓');
  const pieces = [letter.subarray(0, 1), letter.subarray(1)];
  expect(await start({ stdout: pieces }).result).toMatchObject({ stdout: '✓' });
});

test.each([
  ['abcdefghij', 'abcdefghij'],
  ['abcdefghijk', 'abcdefg\n… 1 characters left out …\nijk'],
  ['abcdefghijklmnopqrstuvwxyz', 'abcdefg\n… 16 characters left out …\nxyz'],
])('of %s the two ends are kept, in whatever pieces it comes', async (text, kept) => {
  for (const size of [1, 3, 4, 7, 26]) {
    const pieces = (text.match(new RegExp(`.{1,${size}}`, 'gu')) ?? []).map((piece) => Buffer.from(piece));
    const { stdout } = await start({ stdout: pieces }, { maxOutputChars: 10 }).result;
    expect(stdout).toBe(kept);
  }
});

test('10,000 characters of each stream are kept unless told otherwise', async () => {
  const whole = await start({ stdout: 'x'.repeat(10_000), stderr: 'y'.repeat(10_000) }).result;
  expect(whole).toMatchObject({ stdout: 'x'.repeat(10_000), stderr: 'y'.repeat(10_000) });
  const cut = await start({ stdout: 'x'.repeat(10_001), stderr: 'y'.repeat(10_002) }).result;
  expect(cut.stdout).toBe(`${'x'.repeat(7000)}\n… 1 characters left out …\n${'x'.repeat(3000)}`);
  expect(cut.stderr).toBe(`${'y'.repeat(7000)}\n… 2 characters left out …\n${'y'.repeat(3000)}`);
  const short = await start({ stdout: '', stderr: 'y'.repeat(11) }, { maxOutputChars: 10 }).result;
  expect(short.stderr).toBe('yyyyyyy\n… 1 characters left out …\nyyy');
});

test('a program is killed with its group once its time is up', async () => {
  const { started, result, ended } = start({ hangs: 'until killed', stdout: 'so far' });
  await vi.advanceTimersByTimeAsync(999);
  expect([ended(), started[0]?.killed]).toEqual([false, false]);
  await vi.advanceTimersByTimeAsync(1);
  expect(await result).toEqual({ exitCode: 137, stdout: 'so far', stderr: '', stopped: 'timeout' });
  expect(started[0]?.killed).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});

test('pipes that stay open hold a killed program for two seconds at most', async () => {
  const stop = new AbortController();
  const { result, ended } = start({ hangs: 'deaf' }, { signal: stop.signal });
  await vi.advanceTimersByTimeAsync(1000);
  stop.abort(); // What came first is told.
  await vi.advanceTimersByTimeAsync(1999);
  expect(ended()).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await result).toMatchObject({ exitCode: 137, stopped: 'timeout' });
});

test('an abort ends it, be it early or late', async () => {
  const stop = new AbortController();
  const late = start({ hangs: 'until killed' }, { signal: stop.signal });
  await vi.advanceTimersByTimeAsync(10);
  expect(late.ended()).toBe(false);
  stop.abort();
  expect(await late.result).toMatchObject({ exitCode: 137, stopped: 'aborted' });
  const early = start({ hangs: 'deaf' }, { signal: stop.signal });
  await vi.advanceTimersByTimeAsync(2000);
  expect(await early.result).toMatchObject({ exitCode: 137, stopped: 'aborted' });
  expect(early.started[0]?.killed).toBe(true);
});

test('a signal that outlives many programs holds on to none', async () => {
  const { signal } = new AbortController();
  const added = vi.spyOn(signal, 'addEventListener');
  const removed = vi.spyOn(signal, 'removeEventListener');
  await start({}, { signal }).result;
  expect(added.mock.calls).toEqual([['abort', expect.any(Function), { once: true }]]);
  expect(removed.mock.calls).toEqual([['abort', added.mock.calls[0]?.[1]]]);
});

test.each(['memory', 'disk'] as const)('a limit of %s that the watcher names ends it', async (limit) => {
  const watch = vi.fn<(pid: number) => Promise<'memory' | 'disk' | undefined>>();
  watch.mockResolvedValueOnce(undefined).mockRejectedValueOnce(new Error('no look')).mockResolvedValueOnce(limit);
  const { result, ended } = start({ hangs: 'until killed' }, { watch });
  await vi.advanceTimersByTimeAsync(249);
  expect(watch).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(500);
  expect([watch.mock.calls.length, ended()]).toEqual([2, false]);
  await vi.advanceTimersByTimeAsync(1);
  expect(await result).toMatchObject({ exitCode: 137, stopped: limit });
  expect(watch.mock.calls).toEqual([[90_000_001], [90_000_001], [90_000_001]]);
  expect(vi.getTimerCount()).toBe(0);
});

test('a program that nobody watches runs on', async () => {
  const { result, ended } = start({ hangs: 'until killed' });
  await vi.advanceTimersByTimeAsync(900);
  expect(ended()).toBe(false);
  await vi.advanceTimersByTimeAsync(100);
  expect(await result).toMatchObject({ stopped: 'timeout' });
});

test.each([
  ['12\t/files\n', 12 * 1024],
  ['du: cannot read', 0],
  ['', 0],
])('a folder of which du says %j holds %i bytes', async (stdout, bytes) => {
  const started = scriptPrograms(() => ({ stdout }));
  expect(await diskUse('/files')).toBe(bytes);
  expect(started).toMatchObject([{ file: 'du', args: ['-sk', '/files'] }]);
});
