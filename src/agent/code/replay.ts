import { canonicalJson } from '../../base/json.ts';
import type { BridgeReply, Sandbox, ScriptResult } from '../../sandbox/contract.ts';
import { readTrace, type TracedCall, type TracedResult, type TracedScript, type TraceLine } from './trace.ts';

/** The outcome of running one recorded script again. */
export interface ReplayedScript {
  readonly script: number;
  readonly calls: number;
  /** What came out differently, in words; empty when nothing did. */
  readonly differences: readonly string[];
}

/**
 * Run the scripts of a recorded turn again. Calls are answered from the trace, the nth call with the same name and
 * arguments by its nth recorded reply; no tool runs.
 *
 * @throws AssistantError `file_not_found` when there is no trace of the turn, `sandbox_unavailable`.
 */
export async function replayTurn(
  deps: { readonly sandbox: Sandbox; readonly traceDir: string },
  turnId: string,
  signal: AbortSignal,
): Promise<readonly ReplayedScript[]> {
  const lines = readTrace(deps.traceDir, turnId);
  const replayed: ReplayedScript[] = [];
  for (const line of lines) {
    if (line.type !== 'script') continue;
    const calls = lines.filter((each): each is TracedCall => each.type === 'call' && each.script === line.script);
    replayed.push(
      await replayScript(deps.sandbox, { script: line, calls, result: resultOf(lines, line.script) }, signal),
    );
  }
  return replayed;
}

interface Recorded {
  readonly script: TracedScript;
  readonly calls: readonly TracedCall[];
  readonly result: TracedResult | undefined;
}

async function replayScript(sandbox: Sandbox, recorded: Recorded, signal: AbortSignal): Promise<ReplayedScript> {
  const { script, calls } = recorded;
  const record = new RecordedCalls(calls);
  const result = await sandbox.run(script.source, {
    functions: script.functions.map(({ name, kind, tool, global }) => ({
      name,
      kind,
      ...(tool === undefined ? {} : { tool }),
      ...(global === undefined ? {} : { global }),
    })),
    modules: script.modules,
    globals: script.globals,
    memory: { initial: script.memory, set: () => {} },
    now: new Date(script.at),
    seed: script.seed,
    bridge: { call: async (name, args) => record.answer(name, args), log: () => {} },
    signal,
  });
  return {
    script: script.script,
    calls: calls.length,
    differences: [...compare(recorded.result, result), ...record.surprises(), ...record.unused()],
  };
}

/** Recorded replies by call, so that the order in which parallel calls arrive does not matter. */
class RecordedCalls {
  readonly #replies = new Map<string, TracedCall[]>();
  readonly #surprises: string[] = [];

  constructor(calls: readonly TracedCall[]) {
    for (const call of calls) {
      const key = keyOf(call.name, call.args);
      this.#replies.set(key, [...(this.#replies.get(key) ?? []), call]);
    }
  }

  answer(name: string, args: readonly unknown[]): BridgeReply {
    const call = this.#replies.get(keyOf(name, args))?.shift();
    if (!call) {
      this.#surprises.push(`a call that was not recorded: ${keyOf(name, args).slice(0, 200)}`);
      return { ok: false, error: `${name}: not in the trace` };
    }
    return call.ok ? { ok: true, value: call.value } : { ok: false, error: call.error ?? '' };
  }

  surprises(): readonly string[] {
    return this.#surprises;
  }

  unused(): string[] {
    return [...this.#replies.entries()]
      .filter(([, left]) => left.length > 0)
      .map(([key]) => `a recorded call that was not made: ${key.slice(0, 200)}`);
  }
}

function compare(before: TracedResult | undefined, now: ScriptResult): string[] {
  if (!before) return ['the trace has no result: the program was stopped while the script ran'];
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ['value', before.value ?? null, now.value ?? null],
    ['failure', before.failed?.message ?? null, now.failed?.message ?? null],
    ['line', before.failed?.line ?? null, now.failed?.line ?? null],
    ['log', before.logs, now.logs],
  ];
  return pairs
    .filter(([, a, b]) => canonicalJson(a) !== canonicalJson(b))
    .map(([what, a, b]) => `${what}: ${canonicalJson(a).slice(0, 300)} became ${canonicalJson(b).slice(0, 300)}`);
}

function resultOf(lines: readonly TraceLine[], script: number): TracedResult | undefined {
  return lines.find((line): line is TracedResult => line.type === 'result' && line.script === script);
}

function keyOf(name: string, args: readonly unknown[]): string {
  return `${name} ${canonicalJson(args)}`;
}
