import { resolve } from 'node:path';
import type { Log } from '../../base/log.ts';
import type { Redactor } from '../../base/redact.ts';
import type { Answer } from '../../base/turn.ts';
import type { Sandbox } from '../../sandbox/contract.ts';
import type { ScriptRegistry } from '../../sandbox/registry.ts';
import type { Store } from '../../store/store.ts';
import type { Engine, EngineRun } from '../types.ts';
import { CodeTurn } from './code-turn.ts';

export interface CodeOptions {
  /** Failed scripts in a row before the turn falls back. */
  readonly maxAttempts: number;
  /** Most scripts of one turn. */
  readonly maxIterations: number;
  /** One script, tool waits included, waits for a person not. */
  readonly stepTimeoutMs: number;
  /** All scripts of one turn together. */
  readonly totalTimeoutMs: number;
  readonly memoryLimitMb: number;
  /** Characters of a result that go back to the model at once. */
  readonly maxOutputLength: number;
  /** Text without code is a failed attempt instead of the answer. */
  readonly strictFormat: boolean;
}

export interface CodeEngineParts {
  readonly sandbox: Sandbox;
  readonly store: Store;
  readonly log: Log;
  readonly options: CodeOptions;
  readonly registry: ScriptRegistry;
  /** Takes the turn over when scripts fail. */
  readonly fallback: Engine;
  readonly redactor?: Redactor;
  readonly promptsDir?: string;
}

/** What may be changed while the program runs: `/code attempts N`. */
export interface CodeKnobs {
  maxAttempts: number;
}

export interface CodeEngine extends Engine {
  readonly knobs: CodeKnobs;
}

/** Code mode: the model writes scripts until one of them ends the turn. */
export function createCodeEngine(parts: CodeEngineParts): CodeEngine {
  const knobs = { maxAttempts: parts.options.maxAttempts };
  const promptsDir = parts.promptsDir ?? resolve(import.meta.dirname, '../../../prompts');
  const run = (engineRun: EngineRun): Promise<Answer> =>
    new CodeTurn({ ...parts, promptsDir, maxAttempts: knobs.maxAttempts }, engineRun).run();
  return { knobs, run };
}
