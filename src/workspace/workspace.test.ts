import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { silentLog } from '../base/log.ts';
import { testContext, testTurn } from '../testing/agent.ts';
import { temporaryFolder } from '../testing/home.ts';
import { lacks, needs } from '../testing/needs.ts';
import { testScope, testToolbox } from '../testing/scope.ts';
import { backendContract } from './backend.contract.ts';
import type { Backend } from './backend.ts';
import { bubblewrap } from './bubblewrap.ts';
import { createCgroup } from './cgroup.ts';
import { containerEngine } from './container.ts';
import { selfTest } from './self-test.ts';
import { Workspaces } from './workspaces.ts';

const LIMITS = { timeoutMs: 5000, memoryMb: 256, processes: 60, diskMb: 64, network: false };
const prompt = () => readFileSync(join(import.meta.dirname, '../../prompts/internal/workspace.txt'), 'utf8').trim();

// Engines are tried where an image is named: whether one can be pulled here is not ours to find out.
const image = process.env.WORKSPACE_IMAGE;
const engines = image ? (['docker', 'podman'] as const).map((program) => containerEngine({ program, image })) : [];
const all = [bubblewrap(), ...engines];
const problems = await Promise.all(all.map((backend) => backend.problem()));
const here = all.filter((_backend, index) => problems[index] === undefined);
if (needs('bwrap') && problems[0] !== undefined) lacks('bwrap', problems[0]);

for (const backend of here) backendContract(backend);

test.skipIf(process.getuid?.() !== 0)('groups of processes are removed with their box', async () => {
  const group = createCgroup('t', { processes: 9, memoryMb: 64 });
  const dirs = group?.joinFiles.map((file) => dirname(file)) ?? [];
  await group?.remove();
  expect(dirs.filter((dir) => existsSync(dir))).toEqual([]);
});

test.each(here)('$name proves its limits', async (backend) => {
  expect(await selfTest(backend, LIMITS, temporaryFolder())).toEqual([]);
});

/** A backend without isolation: the host's own shell. */
function unisolated(): Backend {
  return {
    name: 'unisolated',
    problem: async () => undefined,
    sweep: async () => {},
    open: async ({ dir }) => ({
      run: async ({ argv, timeoutMs, signal }) => {
        const { runProcess } = await import('./run-process.ts');
        const [file = '', ...args] = argv.map((arg) => arg.replaceAll('/workspace', dir));
        return runProcess({ file, args, timeoutMs, signal });
      },
      close: async () => {},
    }),
  };
}

function workspaces(backends: readonly Backend[], always = false) {
  const dir = temporaryFolder();
  const make = () => new Workspaces({ dir, backends, limits: LIMITS, always, prompt, log: silentLog });
  return { dir, make };
}

test('a backend whose limits do not hold is refused by name', async () => {
  await expect(workspaces([unisolated()]).make().turnOn('conv_1')).rejects.toMatchObject({
    code: 'workspace_unavailable',
    message: expect.stringContaining("the host's files cannot be seen"),
  });
}, 60_000);

test('without a backend, the error says what to install', async () => {
  const absent = { ...unisolated(), problem: async () => 'unisolated not found' };
  await expect(workspaces([absent]).make().turnOn('conv_1')).rejects.toMatchObject({
    message: expect.stringContaining('unisolated not found'),
    hint: expect.stringContaining('bubblewrap'),
  });
});

test.skipIf(here.length === 0)(
  'files and switch survive a restart, and each conversation has its own',
  async () => {
    const { make } = workspaces(here);
    const first = make();
    expect(first.prepare(testTurn('x')).tools).toEqual([]);
    await first.turnOn('conv_1');
    await first.spaceOf('conv_1')?.write('home', 'a.txt', 'one');
    await first.close();
    const second = make();
    expect(await second.spaceOf('conv_1')?.read('home', 'a.txt')).toBe('one');
    expect(second.spaceOf('conv_2')).toBeUndefined();
    await second.turnOn('conv_2');
    await expect(second.spaceOf('conv_2')?.read('home', 'a.txt')).rejects.toMatchObject({ code: 'file_not_found' });
    await second.turnOff('conv_1');
    expect(second.isOn('conv_1')).toBe(false);
    await second.close();
  },
  60_000,
);

test.skipIf(here.length === 0)(
  'execute_command goes through the gate and tells what happened',
  async () => {
    const { make } = workspaces(here);
    const spaces = make();
    await spaces.turnOn('conv_1');
    const { context, tools } = spaces.prepare(testTurn('x'));
    expect(context[0]).toContain('/workspace');
    const scope = await testScope();
    const toolbox = testToolbox(tools, scope);
    const result = await toolbox.call('execute_command', { command: 'echo hi; echo oh >&2; exit 3' }, scope);
    expect(result).toMatchObject({ ok: true, text: 'hi\nstderr:\noh\nexit code 3' });
    expect(testContext().events).toEqual([]);
    await spaces.close();
  },
  60_000,
);

test('a container is made with every wall, and its client never outlives a timeout', async () => {
  const dir = temporaryFolder();
  const bin = join(dir, 'bin');
  mkdirSync(bin);
  // Stands in for the engine's client: notes its words, has no container yet, and hangs in `exec`.
  writeFileSync(
    join(bin, 'docker'),
    `#!/bin/sh\necho "$@" >> ${dir}/words\ncase $1 in inspect) exit 1 ;; exec) sleep 20 ;; esac\n`,
  );
  chmodSync(join(bin, 'docker'), 0o755);
  const path = process.env.PATH;
  process.env.PATH = `${bin}:${path}`;
  try {
    const box = await containerEngine({ program: 'docker', image: 'IMG' }).open({ id: 'c1', dir, limits: LIMITS });
    const signal = new AbortController().signal;
    expect(await box.run({ argv: ['true'], timeoutMs: 100, signal })).toMatchObject({ stopped: 'timeout' });
    await box.close();
  } finally {
    process.env.PATH = path;
  }
  const words = readFileSync(join(dir, 'words'), 'utf8').trim().split('\n');
  const walls = [
    '--network none',
    '--memory 256m --memory-swap 256m',
    '--pids-limit 60',
    '--read-only',
    '--user 65534:65534',
  ];
  for (const wall of [...walls, '--cap-drop ALL', '--security-opt no-new-privileges']) expect(words[1]).toContain(wall);
  expect(words.slice(2).map((line) => line.split(' ')[0])).toEqual(['exec', 'restart', 'stop', 'rm']);
});

test.runIf(here.length > 0)('the one that is taken comes with why others were not', async () => {
  const absent = { ...unisolated(), problem: async () => 'unisolated not found' };
  const { backend, passedOver } = await workspaces([absent, ...here])
    .make()
    .prove();
  expect([backend.name, passedOver]).toEqual([here[0]?.name, ['unisolated not found']]);
});

test('an engine that is not there is said to be missing', async () => {
  const engine = containerEngine({ program: 'no-such-engine' as 'docker', image: 'none' });
  expect(await engine.problem()).toBe('no-such-engine is not installed');
});
