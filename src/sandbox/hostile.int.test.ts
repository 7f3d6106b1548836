import { readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { silentLog } from '../base/log.ts';
import {
  BOUNDARY,
  BRIDGE,
  type Expected,
  type Hostile,
  LANGUAGE,
  MEMORY,
  STACK,
  TIME,
} from '../testing/hostile-programs.ts';
import type { BridgeReply, ScriptOptions, ScriptResult } from './contract.ts';
import { createSandbox } from './sandbox.ts';

const AT_ONCE = 4;
const sandbox = createSandbox({ log: silentLog, memoryMb: 64, poolSize: 2 });
afterAll(() => sandbox.close());

const stored: string[] = [];

async function call(name: string, [first, second]: readonly unknown[]): Promise<BridgeReply> {
  if (name === 'hang') return new Promise(() => {});
  if (name === 'fail') return { ok: false, error: `failed: ${first}` };
  await delay(1);
  return { ok: true, value: name === 'add' ? Number(first) + Number(second) : first };
}

const TIGHT = { idleMs: 1200, timeoutMs: 3000, cpuMs: 1500, memoryMb: 64 };
/** For programs that must come to their end: a busy machine is not their fault. */
const WIDE = { ...TIGHT, idleMs: 15_000, timeoutMs: 20_000, cpuMs: 15_000 };

const options = (limits = WIDE): ScriptOptions => ({
  functions: [
    ...['add', 'echo', 'fail', 'hang'].map((name) => ({ name, kind: 'value' as const, tool: true })),
    { name: 'output', kind: 'fire' },
  ],
  bridge: { call, log: () => {} },
  memory: { initial: {}, set: (key) => stored.push(key) },
  limits,
  signal: new AbortController().signal,
});

const STOPPED = ['timeout', 'cpu', 'memory', 'crashed', 'limit'];

function verdict(expected: Expected, result: ScriptResult): unknown {
  if (expected === 'free') return 'free';
  if (expected === 'failed') return result.failed ? 'failed' : result.value;
  if (expected === 'stopped') return STOPPED.includes(result.failed?.reason ?? '') ? 'stopped' : result;
  return result.failed ?? { value: result.value };
}

/** A message for a model: some words, nothing of the host. */
function isReadable({ failed }: ScriptResult): boolean {
  if (!failed) return true;
  const text = JSON.stringify(failed);
  return (
    failed.message.length > 5 &&
    failed.message.length <= 4100 &&
    !/node_modules|file:\/|\/src\/|isolated-vm/u.test(text)
  );
}

/** What the program before it may have left behind; nothing else is there in a fresh isolate. */
const TRACES = `
  const strange = Reflect.ownKeys(globalThis).map(String).filter((key) => key !== 'known' && !known.includes(key));
  if (JSON.stringify({ a: [1] }) !== '{"a":[1]}' || [3, 1, 2].sort().join() !== '1,2,3') strange.push('built-ins');
  if (Object.keys(Object.prototype).length > 0 || 'then' in {}) strange.push('Object.prototype');
  strange.join(', ');`;

async function playAll(programs: readonly Hostile[]): Promise<string[]> {
  const faults: string[] = [];
  const fresh = await sandbox.run('Reflect.ownKeys(globalThis).map(String)', options());
  const later = { ...options(), globals: { known: fresh.value } };
  const todo = [...programs];
  const worker = async () => {
    // Harder than life: untrusted programs share a child as if they were the scripts of one turn.
    const turn = sandbox.forTurn(() => true);
    for (let next = todo.shift(); next; next = todo.shift()) {
      const [name, source, expected] = next;
      const result = await turn.run(source, options(typeof expected === 'object' ? WIDE : TIGHT));
      const got = verdict(expected, result);
      const wanted = typeof expected === 'string' ? expected : { value: expected.value };
      const ok = JSON.stringify(got) === JSON.stringify(wanted) && isReadable(result);
      if (!ok) faults.push(`${name}: ${JSON.stringify({ wanted, got, failed: result.failed })}`.slice(0, 500));
      const after = await turn.run(TRACES, later);
      if (after.value !== '') faults.push(`after ${name}: ${JSON.stringify(after).slice(0, 500)}`);
    }
    turn.close();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return faults;
}

describe.each([
  ['time', TIME],
  ['memory', MEMORY],
  ['stack', STACK],
  ['boundary', BOUNDARY],
  ['bridge', BRIDGE],
  ['language', LANGUAGE],
] as const)('hostile programs: %s', (_name, programs) => {
  test('each ends within its limits, says why, and the next script runs', { timeout: 180_000 }, async () => {
    expect(await playAll(programs)).toEqual([]);
    expect(await sandbox.run('1 + 1', options())).toMatchObject({ value: 2 });
  });
});

test('there are at least 150 of them, and none leaves a process or an open file behind', async () => {
  expect([TIME, MEMORY, STACK, BOUNDARY, BRIDGE, LANGUAGE].flat().length).toBeGreaterThanOrEqual(150);
  const files = () => (process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0);
  const settle = async () => {
    for (let i = 0; i < 20; i++) await sandbox.run('1', options());
    await delay(300);
    return files();
  };
  const before = await settle();
  expect(await settle()).toBeLessThanOrEqual(before + 4);
});
