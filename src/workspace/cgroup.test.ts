import fs, { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import timers from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { scriptCgroups } from '../testing/scripted-cgroups.ts';
import { createCgroup, sweepCgroups } from './cgroup.ts';

const LIMITS = { processes: 9, memoryMb: 64 };
const NAME = `wooster-${process.pid}-a-1`;

/** The files of a folder with what is in them. */
function contents(dir: string): Record<string, string> {
  return Object.fromEntries(readdirSync(dir).map((name) => [name, readFileSync(join(dir, name), 'utf8')]));
}

test('one tree gets one group with all limits and room for two more processes', async () => {
  const { root } = scriptCgroups('unified');
  const group = createCgroup('a-1', LIMITS);
  expect(contents(join(root, NAME))).toEqual({ 'pids.max': '11', 'memory.max': '67108864', 'memory.swap.max': '0' });
  expect(group).toMatchObject({ joinFiles: [`/sys/fs/cgroup/${NAME}/cgroup.procs`], boundsProcesses: true });
  await group?.remove();
  expect(existsSync(join(root, NAME))).toBe(false);
});

test('separate trees get a group each', async () => {
  const { root } = scriptCgroups({ controllers: ['pids', 'memory'] });
  const group = createCgroup('a-1', LIMITS);
  expect(contents(join(root, 'pids', NAME))).toEqual({ 'pids.max': '11' });
  expect(contents(join(root, 'memory', NAME))).toEqual({ 'memory.limit_in_bytes': '67108864' });
  const joinFiles = ['pids', 'memory'].map((controller) => `/sys/fs/cgroup/${controller}/${NAME}/cgroup.procs`);
  expect(group).toMatchObject({ joinFiles, boundsProcesses: true });
  await group?.remove();
  expect([readdirSync(join(root, 'pids')), readdirSync(join(root, 'memory'))]).toEqual([[], []]);
});

test.each([
  [['pids'], true],
  [['memory'], false],
])('with only %j, processes are counted by the group: %s', (controllers, boundsProcesses) => {
  scriptCgroups({ controllers });
  expect(createCgroup('a-1', LIMITS)).toMatchObject({
    joinFiles: [`/sys/fs/cgroup/${controllers[0]}/${NAME}/cgroup.procs`],
    boundsProcesses,
  });
});

test('where no group can be made there is none', () => {
  scriptCgroups({ controllers: [] });
  expect(createCgroup('a-1', LIMITS)).toBeUndefined();
});

test('a group that does not take its limits is not left behind', () => {
  const { root } = scriptCgroups('unified');
  vi.mocked(fs.writeFileSync).mockImplementationOnce(() => {
    throw new Error('EINVAL');
  });
  expect(createCgroup('a-1', LIMITS)).toBeUndefined();
  expect(readdirSync(root)).toEqual(['cgroup.controllers']);
});

test.each([
  ['three pauses', 3, false],
  ['a second', 20, true],
])('a group whose processes take %s to end is tried until then', async (_time, pauses, isLeft) => {
  const { root, busy } = scriptCgroups('unified');
  busy.add(join(root, NAME));
  const waits: unknown[] = [];
  const waiting = vi.spyOn(timers, 'setTimeout').mockImplementation(async (ms) => {
    waits.push(ms);
    if (waits.length === 3 && !isLeft) busy.clear();
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    waiting.mockRestore();
    syncBuiltinESMExports();
  });
  await createCgroup('a-1', LIMITS)?.remove();
  expect(waits).toEqual(Array(pauses).fill(50));
  expect(existsSync(join(root, NAME))).toBe(isLeft);
});

test('a group that somebody else has removed is gone', async () => {
  const { root } = scriptCgroups('unified');
  const waiting = vi.spyOn(timers, 'setTimeout');
  const group = createCgroup('a-1', LIMITS);
  fs.rmSync(join(root, NAME), { recursive: true });
  await group?.remove();
  expect(waiting).not.toHaveBeenCalled();
  waiting.mockRestore();
});

test.each([
  ['one tree', 'unified', ['']],
  ['separate trees', { controllers: ['pids', 'memory'] }, ['', 'pids', 'memory']],
] as const)('in %s the groups of programs that are gone are swept away, and no others', (_name, kind, parents) => {
  const { root } = scriptCgroups(kind);
  const kept = [NAME, 'other-wooster-90000001-a', 'user.slice', 'wooster-90000001', 'wooster-x-a'];
  for (const parent of parents)
    for (const name of [...kept, 'wooster-90000001-a-1']) mkdirSync(join(root, parent, name));
  sweepCgroups();
  const others = ['cgroup.controllers', 'memory', 'pids'];
  for (const parent of parents)
    expect(readdirSync(join(root, parent)).filter((name) => !others.includes(name))).toEqual(kept.toSorted());
});
