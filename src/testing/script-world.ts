import { setTimeout as delay } from 'node:timers/promises';
import type { BridgeReply, HostFunction, Sandbox, ScriptOptions, ScriptResult } from '../sandbox/contract.ts';

/** What a test script did: everything that must not depend on how its calls are written. */
export interface Played {
  readonly value: unknown;
  readonly failed: string | undefined;
  readonly line: number | undefined;
  /** Calls by name and arguments, in the order in which they arrived. */
  readonly calls: readonly string[];
  readonly outputs: readonly unknown[];
  /** How many calls were under way at the same time, at most. */
  readonly mostAtOnce: number;
  readonly result: ScriptResult;
}

const TOOLS = ['add', 'item', 'list', 'slow', 'fail', 'put', 'get', 'dotted.tool'];

const TEST_FUNCTIONS: readonly HostFunction[] = [
  ...TOOLS.map((name): HostFunction => ({ name, kind: 'value', tool: true })),
  { name: 'llm', kind: 'value' },
  { name: 'parallel', kind: 'batch' },
  { name: 'output', kind: 'fire' },
];

const ANSWERS: Readonly<Record<string, (...args: never[]) => unknown>> = {
  add: (a: number, b: number) => a + b,
  item: (id: number) => ({ id, name: `item ${id}`, tags: ['x', `t${id}`] }),
  list: () => [1, 2, 3],
  slow: (_ms: number, value: unknown) => value,
  llm: (prompt: string) => `about ${prompt}`,
  'dotted.tool': (value: unknown) => `dotted ${value}`,
};

/** Calls made at once reach the bridge within this time, also on a busy machine. */
const CALL_MS = 20;

/** Run one script against tools whose results depend on their arguments only. */
export async function playScript(sandbox: Sandbox, source: string, more: Partial<ScriptOptions> = {}): Promise<Played> {
  const calls: string[] = [];
  const outputs: unknown[] = [];
  const kept = new Map<unknown, unknown>();
  let running = 0;
  let mostAtOnce = 0;
  const call = async (name: string, args: readonly unknown[]): Promise<BridgeReply> => {
    if (name === 'output') {
      outputs.push(args[0]);
      return { ok: true, value: null };
    }
    calls.push(`${name} ${JSON.stringify(args)}`);
    running += 1;
    mostAtOnce = Math.max(mostAtOnce, running);
    await delay(name === 'slow' ? Number(args[0]) : CALL_MS);
    running -= 1;
    if (name === 'fail') return { ok: false, error: `failed: ${args[0]}` };
    if (name === 'put') kept.set(args[0], args[1]);
    if (name === 'put' || name === 'get') return { ok: true, value: kept.get(args[0]) ?? null };
    return { ok: true, value: ANSWERS[name]?.(...(args as never[])) };
  };
  const result = await sandbox.run(source, {
    functions: TEST_FUNCTIONS,
    bridge: { call, log: () => {} },
    signal: new AbortController().signal,
    ...more,
  });
  const { value, failed } = result;
  return { value, failed: failed?.message, line: failed?.line, calls, outputs, mostAtOnce, result };
}
