import { mkdirSync, writeFileSync } from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '../testing/home.ts';
import { scriptCgroups } from '../testing/scripted-cgroups.ts';
import { scriptPrograms } from '../testing/scripted-programs.ts';
import { bubblewrap } from './bubblewrap.ts';

const LIMITS = { timeoutMs: 5000, memoryMb: 256, processes: 60, diskMb: 64, network: false };
const NO_GROUPS = { controllers: [] };
const signal = new AbortController().signal;

function setEnvironment(name: string, value: string | undefined): void {
  vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
}

/** What is handed to the shell for a command under these limits. */
async function argsOf(limits: typeof LIMITS, timeoutMs = 5000): Promise<readonly string[]> {
  const started = scriptPrograms(() => ({}));
  const box = await bubblewrap().open({ id: 'c1', dir: '/host/files', limits });
  await box.run({ argv: ['echo', 'a b'], timeoutMs, signal });
  return started[0]?.args ?? [];
}

test.each([
  [['bwrap', 'prlimit'], undefined],
  [['prlimit'], 'bwrap not found'],
  [['bwrap'], 'prlimit not found'],
  [[], 'bwrap and prlimit not found'],
])('with %j on the path, the problem is %j', async (programs, problem) => {
  const dir = temporaryFolder();
  for (const name of programs) writeFileSync(join(dir, name), '');
  setEnvironment('PATH', `/nowhere::${dir}`);
  expect(await bubblewrap().problem()).toBe(problem);
});

test('programs beside the root are not on an empty path', async () => {
  setEnvironment('PATH', undefined);
  expect(await bubblewrap().problem()).toBe('bwrap and prlimit not found');
});

test('another system than Linux is named as the problem', async () => {
  const platform = vi.spyOn(process, 'platform', 'get').mockReturnValue('darwin');
  expect(await bubblewrap().problem()).toBe('bubblewrap needs Linux');
  platform.mockRestore();
});

test('a command runs behind every wall', async () => {
  scriptCgroups(NO_GROUPS);
  setEnvironment('PATH', '/some/bin');
  const started = scriptPrograms(() => ({ stdout: 'out', stderr: 'err', exitCode: 3 }));
  const box = await bubblewrap().open({ id: 'c1', dir: '/host/files', limits: LIMITS });
  const result = await box.run({ argv: ['cat', 'a b'], stdin: 'in', timeoutMs: 4001, signal });
  expect(result).toEqual({ exitCode: 3, stdout: 'out', stderr: 'err', stopped: undefined });
  const words = [
    'while [ "$1" != -- ]; do echo $$ > "$1" || exit 125; shift; done; shift; exec "$@" sh --',
    'prlimit --nproc=60:60 --data=268435456 --fsize=67108864 --cpu=6 --nofile=1024 --core=0',
    'bwrap --unshare-all --die-with-parent --new-session --clearenv --cap-drop ALL',
    '--uid 65534 --gid 65534 --hostname workspace --ro-bind /usr /usr',
    '--symlink usr/bin /bin --symlink usr/sbin /sbin --symlink usr/lib /lib --symlink usr/lib64 /lib64',
    '--ro-bind-try /etc/alternatives /etc/alternatives --ro-bind-try /etc/ssl /etc/ssl',
    '--ro-bind-try /etc/ld.so.cache /etc/ld.so.cache --ro-bind-try /etc/ca-certificates /etc/ca-certificates',
    '--proc /proc --dev /dev --ro-bind-try /proc/sys /proc/sys --ro-bind-try /proc/sysrq-trigger /proc/sysrq-trigger',
    '--ro-bind-try /proc/irq /proc/irq --ro-bind-try /proc/bus /proc/bus --ro-bind-try /proc/fs /proc/fs',
    '--size 67108864 --tmpfs /tmp --size 67108864 --tmpfs /dev/shm',
    '--bind /host/files /workspace --chdir /workspace --remount-ro /dev --remount-ro /',
    '--setenv PATH /usr/local/bin:/usr/bin:/bin --setenv HOME /workspace',
    '--setenv LANG C.UTF-8 --setenv TMPDIR /tmp -- cat a b',
  ].join(' ');
  expect(started.map(({ file, args }) => [file, ...args].join(' '))).toEqual([`sh -c ${words}`]);
  expect(started[0]?.args.slice(-3)).toEqual(['--', 'cat', 'a b']);
  expect(started[0]?.options.env).toEqual({ PATH: '/some/bin' });
  expect(await started[0]?.stdin).toBe('in');
  await box.close();
});

test('with a network, the box shares it and knows how to find names', async () => {
  scriptCgroups(NO_GROUPS);
  const words = (await argsOf({ ...LIMITS, network: true })).join(' ');
  expect(words).toContain(' workspace --share-net --ro-bind-try /etc/resolv.conf /etc/resolv.conf --ro-bind /usr ');
});

test.each([
  [64, 16],
  [67, 16],
  [68, 17],
  [71, 17],
  [10, 16],
])('with %i MiB of memory, files in memory have %i', async (memoryMb, scratchMb) => {
  scriptCgroups(NO_GROUPS);
  const args = await argsOf({ ...LIMITS, memoryMb });
  expect(args[args.indexOf('--size') + 1]).toBe(String(scratchMb * 1024 * 1024));
});

test('each command joins groups of its own, which count its processes and are removed after it', async () => {
  const { root } = scriptCgroups({ controllers: ['pids', 'memory'] });
  const joined: string[][] = [];
  scriptPrograms(({ args }) => {
    joined.push(args.slice(3, args.indexOf('prlimit') + 2) as string[]);
    return joined.length === 2 ? { refused: 'EACCES' } : {};
  });
  const box = await bubblewrap().open({ id: 'c1', dir: '/host/files', limits: LIMITS });
  const run = () => box.run({ argv: ['true'], timeoutMs: 100, signal });
  await run();
  await expect(run()).rejects.toThrow('spawn sh EACCES');
  const groupOf = (n: number) => `wooster-${process.pid}-c1-${n}/cgroup.procs`;
  const words = (n: number) => [
    `/sys/fs/cgroup/pids/${groupOf(n)}`,
    `/sys/fs/cgroup/memory/${groupOf(n)}`,
    ...['--', 'prlimit', '--data=268435456'],
  ];
  expect(joined).toEqual([words(1), words(2)]);
  expect([await promises.readdir(join(root, 'pids')), await promises.readdir(join(root, 'memory'))]).toEqual([[], []]);
});

test('where a group does not count processes, the limit of the user does', async () => {
  scriptCgroups({ controllers: ['memory'] });
  expect(await argsOf(LIMITS)).toContain('--nproc=60:60');
});

test('groups of programs that are gone are swept away', async () => {
  const { root } = scriptCgroups('unified');
  mkdirSync(join(root, 'wooster-90000001-c1-1'));
  await bubblewrap().sweep();
  expect(await promises.readdir(root)).toEqual(['cgroup.controllers']);
});

/** The processes of a machine: how many pages each of them has in memory, and whose child it is. */
type Processes = readonly (readonly [pid: number, parent: number, pages: number, name?: string])[];

/** A running command on a machine with these processes, of which `du` says these sizes in KiB. */
async function watched(processes: Processes, sizes: number[] = []) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  const stats = new Map(
    processes.map(([pid, parent, pages, name = 'sh']) => {
      const between = Array.from({ length: 19 }, (_, index) => 1000 + index);
      return [`/proc/${pid}/stat`, `${pid} (${name}) S ${[parent, ...between, pages, 7, 8].join(' ')}\n`];
    }),
  );
  const names = [...processes.map(([pid]) => String(pid)), '91', 'self', '8x', 'x8'];
  const spies = [
    vi.spyOn(promises, 'readdir').mockResolvedValue(names as never),
    vi.spyOn(promises, 'readFile').mockImplementation(async (path, as) => {
      const stat = as === 'utf8' ? stats.get(String(path)) : undefined;
      if (stat === undefined) throw new Error('ENOENT');
      return stat;
    }),
  ];
  syncBuiltinESMExports();
  onTestFinished(() => {
    vi.useRealTimers();
    for (const spy of spies) spy.mockRestore();
    syncBuiltinESMExports();
  });
  scriptCgroups(NO_GROUPS);
  const started = scriptPrograms(({ file }) =>
    file === 'du' ? { stdout: `${sizes.shift() ?? 0}\t/x` } : { hangs: 'until killed' },
  );
  const limits = { ...LIMITS, memoryMb: 1, diskMb: 1 };
  const box = await bubblewrap().open({ id: 'c1', dir: '/host/files', limits });
  let stopped: string | undefined;
  void box.run({ argv: ['true'], timeoutMs: 60_000, signal }).then((result) => {
    stopped = result.stopped;
  });
  const after = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms);
    return stopped;
  };
  return { started, after };
}

/** The shell's own pid, the first that is started. */
const SHELL = 90_000_001;

test.each<[string, Processes, string | undefined]>([
  ['as much as it may have', [[SHELL, 1, 256]], undefined],
  ['a page more', [[SHELL, 1, 257]], 'memory'],
  [
    'a page more with its child',
    [
      [SHELL, 1, 100],
      [SHELL + 1, SHELL, 157],
    ],
    'memory',
  ],
  [
    'as much with its child',
    [
      [SHELL, 1, 100],
      [SHELL + 1, SHELL, 156],
    ],
    undefined,
  ],
  [
    'a page more with lower pids',
    [
      [3, 5, 100],
      [5, 7, 50],
      [7, SHELL, 7],
      [SHELL, 1, 100],
    ],
    'memory',
  ],
  [
    'little beside a stranger',
    [
      [1, 0, 9999],
      [SHELL, 1, 100],
      [SHELL + 1, 1, 9999],
    ],
    undefined,
  ],
  ['a page more under a strange name', [[SHELL, 1, 257, 'a) S (b']], 'memory'],
])('a command with %s', async (_name, processes, stopped) => {
  const { after } = await watched(processes);
  expect(await after(250)).toBe(stopped);
});

test('only what is a process is looked at', async () => {
  const { after } = await watched([[SHELL, 1, 1]]);
  const looked = vi.mocked(promises.readFile);
  await after(250);
  expect(vi.mocked(promises.readdir)).toHaveBeenCalledWith('/proc');
  expect(looked.mock.calls.map(([path]) => path)).toEqual([`/proc/${SHELL}/stat`, '/proc/91/stat']);
});

test('the folder is measured at the first look and each fourth after it', async () => {
  const { started, after } = await watched([[SHELL, 1, 1]], [1024, 1024, 1025]);
  const measured = () => started.filter(({ file }) => file === 'du').length;
  const seen: unknown[] = [];
  for (let look = 1; look <= 9; look++) seen.push([await after(250), measured()]);
  expect(seen).toEqual([...Array(4).fill([undefined, 1]), ...Array(4).fill([undefined, 2]), ['disk', 3]]);
  expect(started[1]?.args).toEqual(['-sk', '/host/files']);
});
