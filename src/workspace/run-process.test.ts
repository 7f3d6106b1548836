import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../testing/home.ts';
import { diskUse } from './disk-use.ts';
import { type ProcessRun, runProcess } from './run-process.ts';

/** The clock stands still, programs run. */
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

/** Long after its test. */
const HANGS = 'exec sleep 60';

/** Runs a script, and tells whether it has ended by now. */
function start(script: string, changes: Partial<ProcessRun> = {}) {
  let ended = false;
  const { signal } = new AbortController();
  const run = runProcess({ file: 'sh', args: ['-c', script, 'prog', 'b c'], timeoutMs: 1000, signal, ...changes });
  const result = run.finally(() => {
    ended = true;
  });
  return { result, ended: () => ended };
}

test('a program gets its words and its input, and its result is told', async () => {
  const { result } = start('echo "$0 $1"; cat; echo err >&2; exit 7', { stdin: 'ünï' });
  expect(await result).toEqual({ exitCode: 7, stdout: 'prog b c\nünï', stderr: 'err\n', stopped: undefined });
  expect(vi.getTimerCount()).toBe(0);
});

test('a program has a process group of its own', async () => {
  const { stdout } = await start('echo $$; ps -o pgid= -p $$').result;
  const [pid, group] = stdout.trim().split(/\s+/u);
  expect(group).toBe(pid);
});

test('without input its input ends at once, and a given environment replaces ours', async () => {
  const PATH = process.env.PATH ?? '';
  const { result } = start('cat; echo "[$HOME$KEY]"', { env: { PATH, KEY: 'x' } });
  expect(await result).toEqual({ exitCode: 0, stdout: '[x]\n', stderr: '', stopped: undefined });
});

test('a program that does not read its input has not failed', async () => {
  const { result } = start('exec <&-; echo done', { stdin: 'x'.repeat(1_000_000) });
  expect(await result).toMatchObject({ exitCode: 0, stdout: 'done\n' });
});

test('a program that cannot be started is an error, and nothing waits for it', async () => {
  await expect(start('', { file: join(temporaryFolder(), 'none') }).result).rejects.toThrow('ENOENT');
  expect(vi.getTimerCount()).toBe(0);
});

test('the exit code of a program that a signal ended is 128 and its number', async () => {
  expect(await start('kill -TERM $$').result).toMatchObject({ exitCode: 143, stopped: undefined });
});

test('a letter may arrive in two pieces', async () => {
  // The second piece is written when the first has had time to arrive.
  expect(await start("printf '\\342'; sleep 0.05; printf '\\234\\223'").result).toMatchObject({ stdout: '✓' });
});

test.each([
  ['abcdefghij', 'abcdefghij'],
  ['abcdefghijk', 'abcdefg\n… 1 characters left out …\nijk'],
  ['abcdefghijklmnopqrstuvwxyz', 'abcdefg\n… 16 characters left out …\nxyz'],
])('of %s the two ends are kept, in whatever pieces it comes', async (text, kept) => {
  for (const size of [3, 7, 26]) {
    const pieces = text.match(new RegExp(`.{1,${size}}`, 'gu')) ?? [];
    const script = pieces.map((piece) => `printf ${piece}`).join('; sleep 0.01; ');
    expect((await start(script, { maxOutputChars: 10 }).result).stdout).toBe(kept);
  }
});

test('10,000 characters of each stream are kept unless told otherwise', async () => {
  const both = (out: number, err: number) => start(`printf '%0${out}d' 0; printf '%0${err}d' 0 >&2`).result;
  expect(await both(10_000, 10_000)).toMatchObject({ stdout: '0'.repeat(10_000), stderr: '0'.repeat(10_000) });
  const cut = await both(10_001, 10_002);
  expect(cut.stdout).toBe(`${'0'.repeat(7000)}\n… 1 characters left out …\n${'0'.repeat(3000)}`);
  expect(cut.stderr).toBe(`${'0'.repeat(7000)}\n… 2 characters left out …\n${'0'.repeat(3000)}`);
  const short = await start('printf %011d 0 >&2', { maxOutputChars: 10 }).result;
  expect(short.stderr).toBe('0000000\n… 1 characters left out …\n000');
});

test('a program is killed with its group once its time is up', async () => {
  const { result, ended } = start('sleep 60; echo over');
  await vi.advanceTimersByTimeAsync(999);
  expect(ended()).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await result).toEqual({ exitCode: 137, stdout: '', stderr: '', stopped: 'timeout' });
  expect(vi.getTimerCount()).toBe(0);
});

test('pipes that stay open hold a killed program for two seconds at most', async () => {
  const stop = new AbortController();
  const pid = join(temporaryFolder(), 'pid');
  // In a session of its own, it outlives the group and holds the pipes.
  const { result, ended } = start(`setsid sh -c 'echo $$ > ${pid}.new; mv ${pid}.new ${pid}; ${HANGS}' & ${HANGS}`, {
    signal: stop.signal,
  });
  await appears(pid);
  try {
    await vi.advanceTimersByTimeAsync(1000);
    stop.abort(); // What came first is told.
    await vi.advanceTimersByTimeAsync(1999);
    expect(ended()).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await result).toMatchObject({ exitCode: 137, stopped: 'timeout' });
  } finally {
    process.kill(Number(readFileSync(pid, 'utf8')), 'SIGKILL');
  }
});

test('an abort ends it, be it early or late', async () => {
  const stop = new AbortController();
  const late = start(HANGS, { signal: stop.signal });
  await vi.advanceTimersByTimeAsync(10);
  expect(late.ended()).toBe(false);
  stop.abort();
  expect(await late.result).toMatchObject({ exitCode: 137, stopped: 'aborted' });
  expect(await start(HANGS, { signal: stop.signal }).result).toMatchObject({ exitCode: 137, stopped: 'aborted' });
});

test('a signal that outlives many programs holds on to none', async () => {
  const { signal } = new AbortController();
  const added = vi.spyOn(signal, 'addEventListener');
  const removed = vi.spyOn(signal, 'removeEventListener');
  await start('true', { signal }).result;
  expect(added.mock.calls).toEqual([['abort', expect.any(Function), { once: true }]]);
  expect(removed.mock.calls).toEqual([['abort', added.mock.calls[0]?.[1]]]);
});

test.each(['memory', 'disk'] as const)('a limit of %s that the watcher names ends it', async (limit) => {
  const watch = vi.fn<(pid: number) => Promise<'memory' | 'disk' | undefined>>();
  watch.mockResolvedValueOnce(undefined).mockRejectedValueOnce(new Error('no look')).mockResolvedValueOnce(limit);
  const { result, ended } = start(HANGS, { watch });
  await vi.advanceTimersByTimeAsync(249);
  expect(watch).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(500);
  expect([watch.mock.calls.length, ended()]).toEqual([2, false]);
  await vi.advanceTimersByTimeAsync(1);
  expect(await result).toMatchObject({ exitCode: 137, stopped: limit });
  const [[pid] = []] = watch.mock.calls;
  expect(watch.mock.calls).toEqual([[pid], [pid], [pid]]);
  expect(pid).toBeGreaterThan(1);
  expect(vi.getTimerCount()).toBe(0);
});

test('a program that nobody watches runs on', async () => {
  const { result, ended } = start(HANGS);
  await vi.advanceTimersByTimeAsync(900);
  expect(ended()).toBe(false);
  await vi.advanceTimersByTimeAsync(100);
  expect(await result).toMatchObject({ stopped: 'timeout' });
});

test('a folder takes what its files do, and one that is not there nothing', async () => {
  vi.useRealTimers();
  const folder = join(temporaryFolder(), 'files');
  expect(await diskUse(folder)).toBe(0);
  mkdirSync(folder);
  const empty = await diskUse(folder);
  writeFileSync(join(folder, 'a'), Buffer.alloc(50 * 1024, 1));
  const grown = (await diskUse(folder)) - empty;
  expect(grown).toBeGreaterThanOrEqual(48 * 1024);
  expect(grown).toBeLessThan(200 * 1024);
});

/** The clock of the test stands still, so this looks without it. */
async function appears(path: string): Promise<void> {
  while (!existsSync(path)) await new Promise((resolve) => setImmediate(resolve));
}
