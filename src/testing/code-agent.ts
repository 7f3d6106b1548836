import { createClassicEngine } from '../agent/classic/engine.ts';
import { createCodeEngine } from '../agent/code/engine.ts';
import type { CodeOptions } from '../agent/code/types.ts';
import { silentLog } from '../base/log.ts';
import type { Redactor } from '../base/redact.ts';
import type { Sandbox } from '../sandbox/contract.ts';
import { createSandbox } from '../sandbox/sandbox.ts';
import { createScriptExtensions, type ScriptExtensions } from '../sandbox/script-extensions.ts';
import type { Artifacts } from '../tools/builtin/artifacts.ts';
import { type TestAgent, type TestAgentOptions, testAgent } from './agent.ts';
import type { Scripted } from './scripted-model.ts';
import { openTestStore } from './stores.ts';

const CODE_OPTIONS: CodeOptions = {
  maxAttempts: 2,
  maxIterations: 10,
  stepTimeoutMs: 20_000,
  totalTimeoutMs: 60_000,
  memoryLimitMb: 128,
  maxOutputLength: 10_000,
  strictFormat: false,
};

/** A sandbox for one test file; close it in `afterAll`. */
export function testSandbox(): Sandbox {
  return createSandbox({ log: silentLog, timeZone: 'Europe/Oslo' });
}

export interface CodeAgentOptions extends TestAgentOptions {
  readonly code?: Partial<CodeOptions>;
  readonly registry?: ScriptExtensions;
  readonly traceDir?: string;
  readonly redactor?: Redactor;
  readonly artifacts?: Artifacts;
}

/** A complete agent with the real code mode. Turns need `mode: 'code_agent'`. */
export async function codeAgent(
  sandbox: Sandbox,
  replies: readonly Scripted[],
  options: CodeAgentOptions = {},
): Promise<TestAgent> {
  const store = options.store ?? (await openTestStore());
  const fallback = createClassicEngine({ maxIterations: 50 });
  const engine = createCodeEngine({
    sandbox,
    store,
    log: silentLog,
    options: { ...CODE_OPTIONS, ...options.code },
    registry: options.registry ?? createScriptExtensions(),
    fallback,
    ...(options.traceDir ? { traceDir: options.traceDir } : {}),
    ...(options.artifacts ? { artifacts: options.artifacts } : {}),
  });
  const deps = {
    ...options.deps,
    ...(options.redactor ? { redactor: options.redactor } : {}),
    engines: { classic_tools: fallback, code_agent: engine },
  };
  return testAgent(replies, { ...options, store, deps });
}
