import { existsSync, readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/home.ts';
import { idealBackend } from '../testing/ideal-backend.ts';
import type { BoxResult } from './backend.ts';
import { selfTest } from './self-test.ts';

const LIMITS = { timeoutMs: 5000, memoryMb: 256, processes: 60, diskMb: 64, network: false };

/** The limits that do not hold when commands with `part` in them come to this. */
function brokenBy(part: string, result: Partial<BoxResult>, network = false): Promise<string[]> {
  const { backend } = idealBackend({}, (script) => (script.includes(part) ? result : undefined));
  return selfTest(backend, { ...LIMITS, network }, temporaryFolder());
}

test.each<[string, string, Partial<BoxResult>]>([
  ['commands run', 'echo ready', { exitCode: 0, stdout: 'read' }],
  ['files can be written in /workspace', '> /workspace/p', { exitCode: 0, stdout: '' }],
  ['nothing outside /workspace can be written', '-w /usr', { exitCode: 0 }],
  ["the kernel's settings cannot be changed", '/proc/sys/kernel', { exitCode: 0 }],
  ["the host's files cannot be seen", 'test -e', { exitCode: 0 }],
  ["the host's processes cannot be seen", 'kill -0', { exitCode: 0 }],
  ['no capability is held', 'CapEff', { exitCode: 1 }],
  ['memory', 'tail -c 400000000', { exitCode: 0, stdout: '400000000\n' }],
  ['processes', 'sleep 2 &', { exitCode: 0, stdout: 'all\n' }],
  ['time', 'sleep 30', { exitCode: 0 }],
  ['no network', '/sys/class/net', { exitCode: 1 }],
  ['disk', '/workspace/big', { exitCode: 0, stdout: '80000000\n' }],
  ['disk', '/workspace/big', { exitCode: 0, stdout: '80000001\n' }],
])('a box without "%s" is found out by that alone', async (limit, part, result) => {
  expect(await brokenBy(part, result)).toEqual([limit]);
});

test.each<[string, Partial<BoxResult>]>([
  ['tail -c 400000000', { stdout: '400000000\n', stopped: 'memory' }],
  ['tail -c 400000000', { stdout: '399999999\n' }],
  ['sleep 2 &', { stdout: 'all\n', stderr: 'sh: Cannot fork\n' }],
  ['sleep 2 &', { stdout: 'all\n', stderr: 'Resource temporarily unavailable\n' }],
  ['/workspace/big', { stdout: '90000000\n', stopped: 'disk' }],
  ['/workspace/big', { stdout: '79999999\n' }],
])('what ends %s with %j has held', async (part, result) => {
  expect(await brokenBy(part, result)).toEqual([]);
});

test('a process that outlives its command is found out', async () => {
  let looks = 0;
  const { backend } = idealBackend({}, (script) =>
    script.includes('cat /workspace/alive') ? { stdout: String(looks++) } : undefined,
  );
  const broken = await selfTest(backend, LIMITS, temporaryFolder());
  expect(broken).toEqual(['nothing that a command starts outlives it']);
});

test('all that is broken is told, the disk last', async () => {
  const { backend } = idealBackend({}, () => ({ exitCode: 0, stdout: '400000000' }));
  const broken = await selfTest(backend, LIMITS, temporaryFolder());
  expect(broken).toEqual([
    'commands run',
    'files can be written in /workspace',
    'nothing outside /workspace can be written',
    "the kernel's settings cannot be changed",
    "the host's files cannot be seen",
    "the host's processes cannot be seen",
    'memory',
    'time',
    'disk',
  ]);
});

test('a network that is wanted is no weakness', async () => {
  expect(await brokenBy('/sys/class/net', { exitCode: 1 }, true)).toEqual([]);
});

test.each([true, false])(
  'the box is one of its own with small limits (network: %s), and goes away',
  async (network) => {
    const parent = temporaryFolder();
    const { backend, log } = idealBackend();
    expect(await selfTest(backend, { ...LIMITS, network }, parent)).toEqual([]);
    expect(log.opened).toEqual([
      {
        id: expect.stringMatching(/^probe-[a-z0-9-]+$/u),
        dir: expect.stringMatching(/\/probe-\w+$/u),
        limits: { timeoutMs: 4000, memoryMb: 128, processes: 40, diskMb: 32, network },
      },
    ]);
    expect([dirname(log.opened[0]?.dir ?? ''), readdirSync(parent), log.closed]).toEqual([parent, [], 1]);
  },
);

test('each probe is told its folder and our process, and has its time', async () => {
  const { backend, log } = idealBackend();
  await selfTest(backend, LIMITS, temporaryFolder());
  const probe = ['sh', '-c', expect.any(String), 'sh', log.opened[0]?.dir, String(process.pid)];
  const plain = ['sh', '-c', expect.stringContaining('/workspace/alive')];
  expect(log.runs.map(({ argv }) => argv)).toEqual([...Array(11).fill(probe), plain, plain, plain, probe]);
  expect(log.runs.map(({ timeoutMs }) => timeoutMs)).toEqual([
    ...Array(9).fill(4000),
    ...[300, 4000, 400, 2000, 2000, 4000],
  ]);
  expect(log.runs[11]?.argv[2]).toBe(
    'setsid sh -c "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; ' +
      'do date +%s%N > /workspace/alive; sleep 0.1; done" & sleep 30',
  );
  expect(log.runs[13]?.argv[2]).toBe('sleep 0.3; cat /workspace/alive');
  expect(log.runs.every(({ signal }) => !signal.aborted)).toBe(true);
});

test('a box in which a command cannot even be tried is closed, and its folder removed', async () => {
  const { backend, log } = idealBackend({}, () => {
    throw new Error('no shell');
  });
  await expect(selfTest(backend, LIMITS, temporaryFolder())).rejects.toThrow('no shell');
  expect([log.closed, existsSync(log.opened[0]?.dir ?? '/')]).toEqual([1, false]);
});
