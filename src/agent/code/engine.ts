import { resolve } from 'node:path';
import type { Log } from '../../base/log.ts';
import type { Redactor } from '../../base/redact.ts';
import type { Sandbox } from '../../sandbox/contract.ts';
import type { ScriptRegistry } from '../../sandbox/registry.ts';
import type { Store } from '../../store/store.ts';
import type { Artifacts } from '../../tools/builtin/artifacts.ts';
import type { Engine } from '../types.ts';
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

export interface CodeEngineDeps {
  readonly sandbox: Sandbox;
  readonly store: Store;
  readonly log: Log;
  readonly options: CodeOptions;
  readonly registry: ScriptRegistry;
  /** Takes the turn over when scripts fail. */
  readonly fallback: Engine;
  readonly redactor?: Redactor;
  /** Where values that are too long for the model are kept whole. */
  readonly artifacts?: Artifacts;
  readonly promptsDir?: string;
  /** Folder of the traces, one file per turn; none are written without it. */
  readonly traceDir?: string;
  /** Read at the start of each turn; the options unless given. */
  readonly knobs?: CodeKnobs;
}

/** What may be changed while the program runs: `/code attempts N`. */
export interface CodeKnobs {
  maxAttempts: number;
}

/** Code mode: the model writes scripts until one of them ends the turn. */
export function createCodeEngine(deps: CodeEngineDeps): Engine {
  const knobs = deps.knobs ?? deps.options;
  const promptsDir = deps.promptsDir ?? resolve(import.meta.dirname, '../../../prompts');
  return { run: (run) => new CodeTurn({ ...deps, promptsDir, maxAttempts: knobs.maxAttempts }, run).run() };
}
