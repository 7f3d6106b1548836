import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { silentLog } from '../base/log.ts';
import { testTurn } from '../testing/agent.ts';
import { temporaryFolder } from '../testing/home.ts';
import { idealBackend } from '../testing/ideal-backend.ts';
import { testScope, testToolbox } from '../testing/scope.ts';
import type { Backend } from './backend.ts';
import { Workspaces } from './workspaces.ts';

const LIMITS = { timeoutMs: 5000, memoryMb: 256, processes: 60, diskMb: 64, network: false };
const HINT = 'Install bubblewrap (Debian: apt install bubblewrap), or start Docker or podman.';

function world(backends: readonly Backend[], { always = false, dir = join(temporaryFolder(), 'boxes') } = {}) {
  const log = { ...silentLog, debug: vi.fn(), warn: vi.fn() };
  const spaces = new Workspaces({ dir, backends, limits: LIMITS, always, prompt: () => 'You have a box.', log });
  return { dir, log, spaces };
}

test('a workspace is off until it is switched on, stays on after a restart, and is off again', async () => {
  const { backend } = idealBackend();
  const { dir, spaces } = world([backend]);
  expect([spaces.isOn('a'), spaces.spaceOf('a'), spaces.always]).toEqual([false, undefined, false]);
  expect(await spaces.turnOn('a')).toBe('ideal');
  expect([spaces.isOn('a'), spaces.isOn('b'), existsSync(spaces.files('a'))]).toEqual([true, false, true]);
  const again = world([backend], { dir }).spaces;
  expect(again.isOn('a')).toBe(true);
  await again.turnOff('a');
  expect([again.isOn('a'), again.spaceOf('a'), existsSync(again.files('a'))]).toEqual([false, undefined, true]);
});

test('where every conversation has one, being off is what is remembered', async () => {
  const { backend } = idealBackend();
  const { dir, spaces } = world([backend], { always: true });
  expect([spaces.always, spaces.isOn('a')]).toEqual([true, true]);
  await spaces.turnOff('a');
  expect([spaces.isOn('a'), spaces.isOn('b')]).toEqual([false, true]);
  expect(world([backend], { dir, always: true }).spaces.isOn('a')).toBe(false);
  await spaces.turnOn('a');
  expect(spaces.isOn('a')).toBe(true);
  expect(readdirSync(join(spaces.files('a'), '..')).sort()).toEqual(['files', 'on']);
});

test('turning off what was never on leaves no folder', async () => {
  const { dir, spaces } = world([idealBackend().backend]);
  await spaces.turnOff('a');
  expect(existsSync(dir)).toBe(false);
});

test.each([
  ['conv_1', /^conv-1-[0-9a-f]{12}$/u],
  ['Ärger & Söhne', /^-rger-s-hne-[0-9a-f]{12}$/u],
  [`${'a'.repeat(24)}b`, /^a{24}-[0-9a-f]{12}$/u],
])('the folder of %s is a name that is valid anywhere', (id, name) => {
  const { dir, spaces } = world([]);
  const files = spaces.files(id);
  expect([join(files, '../..'), basename(files)]).toEqual([dir, 'files']);
  expect(basename(join(files, '..'))).toMatch(name);
  expect(spaces.files(`${id} `)).not.toBe(files);
});

test('a conversation opens one box, which is closed with its workspace', async () => {
  const { backend, log } = idealBackend({}, (script) => (script.includes('base64') ? { exitCode: 0 } : undefined));
  const { spaces } = world([backend]);
  await spaces.turnOn('a');
  const space = spaces.spaceOf('a');
  expect(await space?.read('home', 'x')).toBe('');
  await spaces.spaceOf('a')?.read('home', 'y');
  expect(spaces.spaceOf('a')).toBe(space);
  const id = basename(join(spaces.files('a'), '..'));
  expect(log.opened.slice(1)).toEqual([{ id, dir: spaces.files('a'), limits: LIMITS }]);
  expect(log.closed).toBe(1);
  await spaces.turnOff('a');
  expect(log.closed).toBe(2);
  await spaces.turnOff('a');
  expect(log.closed).toBe(2);
});

test('the folder is made before its box, even if it was removed', async () => {
  const seen: boolean[] = [];
  const { backend } = idealBackend();
  const open: Backend['open'] = (spec) => {
    seen.push(existsSync(spec.dir));
    return backend.open(spec);
  };
  const { spaces } = world([{ ...backend, open }], { always: true });
  await spaces.spaceOf('a')?.exists('home', 'x');
  expect(seen).toEqual([true, true]);
});

test('all boxes are closed in the end, and opened again when needed', async () => {
  const { backend, log } = idealBackend();
  const { spaces } = world([backend], { always: true });
  await spaces.spaceOf('a')?.exists('home', 'x');
  await spaces.spaceOf('b')?.exists('home', 'x');
  await spaces.close();
  expect([log.opened.length, log.closed, spaces.isOn('a')]).toEqual([3, 3, true]);
  await spaces.spaceOf('a')?.exists('home', 'x');
  expect(log.opened.length).toBe(4);
});

/** Workspaces whose first box, after that of the self-test, does not open. */
function fullOnce() {
  const { backend } = idealBackend();
  const open = vi.fn(backend.open);
  open.mockImplementationOnce(backend.open).mockRejectedValueOnce(new Error('no room'));
  return { open, ...world([{ ...backend, open }], { always: true }) };
}

test('a box that does not open fails for the first to use it, and the next one tries again', async () => {
  const { open, spaces } = fullOnce();
  await expect(spaces.spaceOf('a')?.exists('home', 'x')).rejects.toThrow('no room');
  expect(await spaces.spaceOf('a')?.exists('home', 'x')).toBe(false);
  expect(open).toHaveBeenCalledTimes(3);
});

test('closing what did not open is no failure', async () => {
  const { spaces } = fullOnce();
  const using = spaces.spaceOf('a')?.exists('home', 'x');
  await Promise.all([expect(using).rejects.toThrow('no room'), spaces.close()]);
});

test('a turn gets the prompt and the tool, which notes each command', async () => {
  const { backend } = idealBackend({}, (script) => (script === 'date' ? { exitCode: 0, stdout: 'today' } : undefined));
  const { log, spaces } = world([backend]);
  const turn = testTurn('x');
  expect(spaces.prepare(turn)).toEqual({ context: [], tools: [] });
  await spaces.turnOn(turn.conversationId);
  const { context, tools } = spaces.prepare(turn);
  expect([context, tools.map(({ name }) => name)]).toEqual([['You have a box.'], ['execute_command']]);
  const scope = await testScope({ turn });
  const result = await testToolbox(tools, scope).call('execute_command', { command: 'date' }, scope);
  expect(result).toMatchObject({ ok: true, text: 'today\nexit code 0' });
  expect(log.debug.mock.calls).toEqual([['[ideal] Executing: date']]);
});

test('the first backend whose limits hold is taken, and tested once', async () => {
  const absent = idealBackend({ name: 'absent', problem: async () => 'absent not found' });
  const weak = idealBackend({ name: 'weak' }, (script) =>
    /-w \/usr|kill -0/u.test(script) ? { exitCode: 0 } : undefined,
  );
  const broken = idealBackend({
    name: 'broken',
    open: async () => {
      throw new Error('broken run failed');
    },
  });
  const good = idealBackend();
  const unused = idealBackend({ name: 'unused' });
  const { log, spaces } = world([absent, weak, broken, good, unused].map(({ backend }) => backend));
  const passedOver = [
    'absent not found',
    "weak failed its self-test: nothing outside /workspace can be written, the host's processes cannot be seen",
    'broken run failed',
  ];
  expect(await spaces.prove()).toEqual({ backend: good.backend, passedOver });
  await Promise.all([spaces.prove(), spaces.turnOn('a')]);
  const swept = [absent, weak, broken, good, unused].map((each) => each.log.swept);
  expect([good.log.opened.length, swept]).toEqual([1, [0, 0, 0, 1, 0]]);
  expect(log.warn).not.toHaveBeenCalled();
});

test('without a backend the person is told why and what to do, and the next try tests again', async () => {
  const problems = ['docker is not installed', undefined];
  const first = idealBackend({ problem: async () => problems.shift() });
  const second = idealBackend({ problem: async () => 'bwrap not found' });
  const { log, spaces } = world([first.backend, second.backend]);
  await expect(spaces.turnOn('a')).rejects.toMatchObject({
    code: 'workspace_unavailable',
    message: 'No workspace backend is available: docker is not installed; bwrap not found.',
    hint: HINT,
  });
  expect(spaces.isOn('a')).toBe(false);
  const warned = { problems: ['docker is not installed', 'bwrap not found'] };
  expect(log.warn.mock.calls).toEqual([['no workspace backend', warned]]);
  expect(await spaces.turnOn('a')).toBe('ideal');
});
