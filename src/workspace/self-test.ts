import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '../base/ids.ts';
import type { Backend, Box, BoxResult, WorkspaceLimits } from './backend.ts';

/** Limits small enough to hit quickly. */
const TIGHT = { timeoutMs: 4000, memoryMb: 128, processes: 40, diskMb: 32 } as const;

/** A command that tries to exceed a limit. */
interface Probe {
  /** What must hold, as the person reads it when it does not. */
  readonly limit: string;
  readonly script: string;
  readonly timeoutMs?: number;
  holds(result: BoxResult): boolean;
}

/** For probes that test whether something is possible. */
const failed = (result: BoxResult) => result.exitCode !== 0;

/** Each must hold before a backend is used. None does any harm where the isolation is missing. */
const PROBES: readonly Probe[] = [
  { limit: 'commands run', script: 'echo ready', holds: ({ stdout }) => stdout.trim() === 'ready' },
  {
    limit: 'files can be written in /workspace',
    script: 'echo 1 > /workspace/p && cat /workspace/p',
    holds: ({ stdout }) => stdout.trim() === '1',
  },
  {
    limit: 'nothing outside /workspace can be written',
    script: '[ -w /usr ] || [ -w /etc ] || [ -w / ]',
    holds: failed,
  },
  { limit: "the kernel's settings cannot be changed", script: ': >> /proc/sys/kernel/panic', holds: failed },
  { limit: "the host's files cannot be seen", script: 'test -e "$1"', holds: failed },
  { limit: "the host's processes cannot be seen", script: 'kill -0 "$2"', holds: failed },
  {
    limit: 'no capability is held',
    script:
      'grep -q "^CapEff:[[:space:]]*0*$" /proc/self/status && grep -q "^NoNewPrivs:[[:space:]]*1" /proc/self/status',
    holds: ({ exitCode }) => exitCode === 0,
  },
  {
    limit: 'memory',
    script: 'head -c 400000000 /dev/zero | tail -c 400000000 | wc -c',
    holds: ({ stdout, stopped }) => stopped === 'memory' || Number(stdout) !== 400_000_000,
  },
  {
    limit: 'processes',
    script: 'i=0; while [ $i -lt 60 ]; do sleep 2 & i=$((i+1)); done; echo all',
    holds: ({ stdout, stderr }) => !stdout.includes('all') || /fork|Resource/u.test(stderr),
  },
  { limit: 'time', script: 'sleep 30', timeoutMs: 300, holds: ({ stopped }) => stopped === 'timeout' },
];

/** Runs last, because a full folder ends every command after it. */
const DISK: Probe = {
  limit: 'disk',
  script: 'head -c 80000000 /dev/zero > /workspace/big; stat -c %s /workspace/big',
  holds: ({ stdout, stopped }) => stopped === 'disk' || Number(stdout) < 80_000_000,
};

const NETWORK: Probe = {
  limit: 'no network',
  script: 'test "$(ls /sys/class/net 2>/dev/null | grep -vc "^lo$")" = 0 && ! grep -qv "lo:\\||" /proc/net/dev',
  holds: ({ exitCode }) => exitCode === 0,
};

/**
 * Test the limits of a backend in a box of its own.
 *
 * @param parent the folder for the box's files, which are removed afterwards.
 * @returns the limits that do not hold; empty when all do.
 */
export async function selfTest(backend: Backend, limits: WorkspaceLimits, parent: string): Promise<string[]> {
  const dir = await mkdtemp(join(parent, 'probe-'));
  const id = newId('probe').replace(/_/gu, '-');
  const box = await backend.open({ id, dir, limits: { ...TIGHT, network: limits.network } });
  try {
    const probes = limits.network ? PROBES : [...PROBES, NETWORK];
    const broken: string[] = [];
    for (const probe of probes) if (!(await holds(box, probe, dir))) broken.push(probe.limit);
    if (!(await treeEnds(box))) broken.push('nothing that a command starts outlives it');
    if (!(await holds(box, DISK, dir))) broken.push(DISK.limit);
    return broken;
  } finally {
    await box.close();
    await rm(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
  }
}

async function holds(box: Box, probe: Probe, dir: string): Promise<boolean> {
  const timeoutMs = probe.timeoutMs ?? TIGHT.timeoutMs;
  const argv = ['sh', '-c', probe.script, 'sh', dir, String(process.pid)];
  return probe.holds(await box.run({ argv, timeoutMs, signal: new AbortController().signal }));
}

/** A grandchild in its own session keeps writing to a file; after the command has ended, the file must not change. */
async function treeEnds(box: Box): Promise<boolean> {
  const signal = new AbortController().signal;
  const run = (script: string, timeoutMs: number) => box.run({ argv: ['sh', '-c', script], timeoutMs, signal });
  await run(
    'setsid sh -c "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; ' +
      'do date +%s%N > /workspace/alive; sleep 0.1; done" & sleep 30',
    400,
  );
  const first = await run('cat /workspace/alive', 2000);
  const second = await run('sleep 0.3; cat /workspace/alive', 2000);
  return first.stdout === second.stdout;
}
