import type { Log } from '../../base/log.ts';
import type { Sandbox } from '../../sandbox/contract.ts';
import type { ScriptExtensions } from '../../sandbox/script-extensions.ts';
import type { Store } from '../../store/store.ts';
import type { Artifacts } from '../../tools/builtin/artifacts.ts';
import type { Engine } from '../types.ts';
import type { TraceRedactor } from './trace.ts';

/** The settings of code mode. */
export interface CodeOptions {
  /** Failed scripts in a row before the turn falls back to classic mode. */
  readonly maxAttempts: number;
  /** The most replies of one turn; a turn that needs more ends as `step_limit`. */
  readonly maxIterations: number;
  /** Time for one script, including its calls but not the time a person takes to approve one. */
  readonly stepTimeoutMs: number;
  /** Time for all scripts of one turn together. */
  readonly totalTimeoutMs: number;
  readonly memoryLimitMb: number;
  /** How many characters of a result go back to the model at once. */
  readonly maxOutputLength: number;
  /** Treat a reply without code as a failed attempt instead of as the answer. */
  readonly strictFormat: boolean;
}

/** What the code engine is built from; shared by all turns. */
export interface CodeEngineDeps {
  readonly sandbox: Sandbox;
  readonly store: Store;
  readonly log: Log;
  readonly options: CodeOptions;
  /** Modules and functions that plugins give to scripts. */
  readonly registry: ScriptExtensions;
  /** Takes over a turn whose scripts keep failing. */
  readonly fallback: Engine;
  /** Where values that are too long for the model are kept in full. */
  readonly artifacts?: Artifacts;
  readonly promptsDir?: string;
  /** Folder of the traces, one file per turn; without it none are written. */
  readonly traceDir?: string | undefined;
  /** Absent: that of the turn. */
  readonly traceRedactor?: TraceRedactor | undefined;
  /** Read at the start of each turn; `options` unless given. */
  readonly knobs?: CodeKnobs;
}

/** What can be changed while the program runs: `/code attempts N`. */
export interface CodeKnobs {
  maxAttempts: number;
}

/** What can go wrong in a row before the turn falls back, each counted by itself: a slip of form costs no attempt. */
export interface Failures {
  form: number;
  script: number;
}

/** What one turn in code mode is built from. */
export interface CodeTurnDeps extends CodeEngineDeps {
  readonly promptsDir: string;
  readonly maxAttempts: number;
}
