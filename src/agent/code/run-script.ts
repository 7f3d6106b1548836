import type { Limits, Sandbox, ScriptOptions, ScriptResult } from '../../sandbox/contract.ts';
import type { StoredValues } from './stored-values.ts';
import type { Trace } from './trace.ts';
import type { World } from './world.ts';

type Bridge = ScriptOptions['bridge'];

export interface RunScriptDeps {
  readonly sandbox: Pick<Sandbox, 'run'>;
  readonly world: World;
  readonly values: StoredValues;
  readonly trace: Trace;
}

export interface RunScriptOptions {
  /** Ends the script and its calls. */
  readonly signal: AbortSignal;
  readonly limits: Partial<Limits>;
  /** Values that the script finds under these names, such as `input`. */
  readonly globals?: Readonly<Record<string, unknown>>;
}

/** Run one script, trace it, and abort the calls that are still under way when it ends. The result has no secrets. */
export async function runScript(
  { sandbox, world, values, trace }: RunScriptDeps,
  source: string,
  { signal, limits, globals = {} }: RunScriptOptions,
): Promise<ScriptResult> {
  const over = new AbortController();
  const options = world.options(AbortSignal.any([signal, over.signal]), source);
  const { functions, modules, now, seed } = options;
  const memory = values.forScript();
  trace.script({ source, at: now, seed, memory: memory.initial, globals, modules, functions });
  try {
    const bridge = afterSaves(options.bridge, values);
    const result = world.clean(await sandbox.run(source, { ...options, bridge, signal, memory, globals, limits }));
    trace.result(result);
    return result;
  } finally {
    over.abort(new Error('the script is over'));
    await values.saved();
  }
}

/** What a script stored before a call is on disk when the call acts, so a turn that is killed then can go on. */
function afterSaves(bridge: Bridge, values: StoredValues): Bridge {
  return {
    ...bridge,
    call: async (name, args) => {
      // A failure is reported at the end of the script.
      await values.saved().catch(() => undefined);
      return bridge.call(name, args);
    },
  };
}
