import type { Limits, Sandbox, ScriptResult } from '../../sandbox/contract.ts';
import type { StoredValues } from './stored-values.ts';
import type { Trace } from './trace.ts';
import type { World } from './world.ts';

export interface RunScriptDeps {
  readonly sandbox: Sandbox;
  readonly world: World;
  readonly memory: StoredValues;
  readonly trace: Trace;
}

export interface RunScriptOptions {
  readonly signal: AbortSignal;
  readonly limits: Partial<Limits>;
  readonly globals?: Readonly<Record<string, unknown>>;
}

/** Run one script in its world, record it, and end the calls that it leaves behind. */
export async function runScript(
  { sandbox, world, memory, trace }: RunScriptDeps,
  source: string,
  { signal, limits, globals = {} }: RunScriptOptions,
): Promise<ScriptResult> {
  const over = new AbortController();
  const options = world.options(AbortSignal.any([signal, over.signal]));
  const { functions, modules, now, seed } = options;
  const script = memory.forScript();
  trace.script({ source, at: now, seed, memory: script.initial, globals, modules, functions });
  try {
    const result = await sandbox.run(source, { ...options, signal, memory: script, globals, limits });
    trace.result(result);
    return result;
  } finally {
    over.abort(new Error('the script is over'));
  }
}
