import { z } from 'zod';
import type { Redactor } from '../../base/redact.ts';
import { headAndTail } from '../../base/text.ts';
import type { Sandbox, ScriptFailure, ScriptResult } from '../../sandbox/contract.ts';
import type { ScriptExtensions } from '../../sandbox/script-extensions.ts';
import { defineTool, type Tool } from '../../tools/tool.ts';
import type { TurnToolsRun } from '../types.ts';
import { runScript } from './run-script.ts';
import { ScriptCalls } from './script-calls.ts';
import { StoredValues } from './stored-values.ts';
import { Trace, type TraceRedactor } from './trace.ts';
import { World } from './world.ts';

export interface RunCodeDeps {
  readonly sandbox: Sandbox;
  readonly registry: ScriptExtensions;
  readonly memoryLimitMb: number;
  readonly redactor?: Redactor;
  /** Folder of the traces; without it none are written. */
  readonly traceDir?: string | undefined;
  /** Absent: the other one. */
  readonly traceRedactor?: TraceRedactor | undefined;
}

const RUN_CODE = 'interpreter.run-code';

const DEFAULT_TIMEOUT_MS = 30_000;
const MAX_TIMEOUT_MS = 600_000;
/** Effectively none: scripts have their own timers, which pause while a person decides. */
const OUTER_TIMEOUT_MS = 24 * 3_600_000;

const INPUT = z.object({
  code: z.string().min(1),
  input: z.unknown().optional().describe('data that the code finds as `input`'),
  timeout: z.int().min(1).max(MAX_TIMEOUT_MS).optional().describe(`ms, ${DEFAULT_TIMEOUT_MS} unless given`),
});

/** The tool that runs scripts in classic mode, made for one turn. Its scripts cannot write to the person. */
export function createRunCodeTool(deps: RunCodeDeps, run: TurnToolsRun): Tool {
  const { sandbox, registry, redactor } = deps;
  const values = new StoredValues();
  const calls = new ScriptCalls();
  const trace = new Trace(deps.traceDir, run.turn.id, deps.traceRedactor ?? redactor);
  let made: World | undefined;
  // Created on demand: most turns run no script.
  const worldOf = () =>
    new World({
      toolbox: run.toolbox,
      scope: run.scope,
      pick: run.pick,
      registry,
      ...(redactor ? { redactor } : {}),
      onCall: (call) => {
        trace.call(call);
        calls.add({ ...call, args: call.args.map((arg) => redactor?.redactValue(arg) ?? arg) });
      },
      onLog: (text) => run.context.show({ type: 'log', text }),
    });
  return defineTool({
    name: RUN_CODE,
    positional: ['code', 'input', 'timeout'],
    aliases: { code: ['source', 'script', 'javascript', 'js'], timeout: ['timeoutMs', 'timeout_ms'] },
    description: describe(registry),
    input: INPUT,
    policy: { effect: 'none' },
    provenance: { readsFrom: [] },
    timeoutMs: OUTER_TIMEOUT_MS,
    execute: async ({ code, input, timeout = DEFAULT_TIMEOUT_MS }, { signal, beside }) => {
      calls.next();
      // Calls made before this script are final; only its own are rewound when it fails.
      run.scope.ledger.settle();
      made ??= worldOf();
      const world = made;
      const result = await runScript({ sandbox, world, values, trace }, code, {
        signal,
        globals: { input: input ?? null },
        limits: { timeoutMs: timeout, memoryMb: deps.memoryLimitMb },
      });
      if (result.failed) run.scope.ledger.rewind();
      else run.scope.ledger.settle();
      const besides = calls.besides();
      if (besides !== '') beside?.(besides);
      return outcome(result, calls);
    },
  });
}

/**
 * @throws Error with the place in the code when the script failed, and with what its other calls gave. A timeout is
 *   returned as a value.
 */
function outcome({ value, failed, logs }: ScriptResult, calls: ScriptCalls): unknown {
  if (failed?.reason === 'timeout' || failed?.reason === 'cpu') return { error: failed.message, timeout: true };
  if (failed) throw new Error([failureText(failed, logs), calls.results()].filter((text) => text !== '').join('\n'));
  return logs.length === 0 ? (value ?? null) : { result: value ?? null, logs };
}

function failureText({ message, line, column, context }: ScriptFailure, logs: readonly string[]): string {
  const place = line === undefined ? '' : ` (line ${line}, column ${column}${context ? `: ${context}` : ''})`;
  const lines = logs.length === 0 ? '' : `\nLog:\n${headAndTail(logs.join('\n'), 4000)}`;
  return `${message}${place}${lines}`;
}

/** What it is for, what comes back, and what can be imported. */
function describe(registry: ScriptExtensions): string {
  const modules = Object.keys(registry.modules());
  return [
    'Run JavaScript with the tools as functions, for many calls or computing:',
    "(await queryRAG('boat')).passages.length",
    'Returns the last value. Also: parallel, llm, toolSchema(name).',
    ...(modules.length === 0 ? [] : [`Modules to import: ${modules.join(', ')}.`]),
  ].join('\n');
}
