import type { Told } from '../base/errors.ts';
import { MAX_JSON_DEPTH } from '../base/json.ts';
import type { ApprovalPauses } from './approval-pauses.ts';

/** Hard limits of one script. Sizes are in UTF-16 characters unless the name says otherwise. */
export interface Limits {
  /** Elapsed time, including time spent in tools but not time spent waiting for an approval. */
  readonly timeoutMs: number;
  /** Elapsed time during which no tool call is in progress. */
  readonly idleMs: number;
  /** Processor time of the child process. */
  readonly cpuMs: number;
  readonly memoryMb: number;
  readonly maxCalls: number;
  readonly maxCallsInFlight: number;
  readonly maxNetworkCallsInFlight: number;
  readonly maxArgumentChars: number;
  /** Nesting depth of a value that crosses the bridge. */
  readonly maxDepth: number;
  readonly maxLogChars: number;
  /** Further lines are counted, not sent. */
  readonly maxLogLines: number;
  readonly maxLogLineChars: number;
  readonly maxResultChars: number;
  readonly maxSourceChars: number;
}

/** Limits of a script unless the caller sets others. */
export const DEFAULT_LIMITS: Limits = {
  timeoutMs: 20_000,
  idleMs: 5_000,
  cpuMs: 5_000,
  memoryMb: 128,
  maxCalls: 200,
  maxCallsInFlight: 64,
  maxNetworkCallsInFlight: 8,
  maxArgumentChars: 262_144,
  maxDepth: MAX_JSON_DEPTH,
  maxLogChars: 65_536,
  maxLogLines: 2000,
  maxLogLineChars: 4_000,
  maxResultChars: 262_144,
  maxSourceChars: 65_536,
};

/**
 * A function of ours that a script can call. Arguments and result are copied as JSON. A name that is not an identifier
 * (`artifact.store`) can only be called as `tools["artifact.store"]`.
 */
export interface HostFunction {
  readonly name: string;
  /** Counts against `maxNetworkCallsInFlight`. */
  readonly network?: boolean;
  /**
   * `value`: returns a result, directly or as a promise. `fire`: returns nothing and is not waited for. `batch`: takes
   * `[{ tool, input }]`, runs all of them at once and returns the results in order, `{ error }` for a failed one.
   */
  readonly kind: 'value' | 'fire' | 'batch';
  /** Can also be called as `tools.NAME`. */
  readonly tool?: boolean;
  /** `false`: can only be called through `tools`. */
  readonly global?: boolean;
}

/** The result of a host function; an error becomes a catchable `ToolError` in the script. */
export type BridgeReply =
  | {
      readonly ok: true;
      readonly value: unknown;
      /** What kind of result it is, as data; it stays with the host. */
      readonly told?: Told;
      /** What is known beside it, such as its citation; it stays with the host, too. */
      readonly beside?: string;
    }
  | {
      readonly ok: false;
      readonly error: string;
      /** Comes back as the `id` of the failure, where the script ends with this error. */
      readonly id?: string;
      /** What went wrong, as data; it stays with the host. */
      readonly told?: Told;
    };

/** The only way out of the sandbox. */
export interface Bridge {
  /** Must not reject. `args` are the JSON values that the script passed. */
  call(name: string, args: readonly unknown[]): Promise<BridgeReply>;
  /** A line of `log()` or `console.*`, as it happens. */
  log(line: string): void;
}

/** The input of one run of a script. */
export interface ScriptOptions {
  readonly functions: readonly HostFunction[];
  readonly bridge: Bridge;
  readonly limits?: Partial<Limits>;
  readonly signal: AbortSignal;
  /** JSON values that are defined as globals, for example `input`. */
  readonly globals?: Readonly<Record<string, unknown>>;
  /** Sources of modules that the script may import, by name. */
  readonly modules?: Readonly<Record<string, string>>;
  /** Read by `recall`, and written immediately by `store`. */
  readonly memory?: ScriptMemory;
  /** Time that does not count because the user is deciding about an approval. */
  readonly pauses?: ApprovalPauses;
  /** The time that `Date` shows throughout the run. Together with `seed` it makes a run repeatable. */
  readonly now?: Date;
  /** What `Math.random` starts from. */
  readonly seed?: number;
}

/** JSON values that persist between scripts. */
export interface ScriptMemory {
  readonly initial: Readonly<Record<string, unknown>>;
  set(key: string, value: unknown): void;
}

/** What stopped a script; `crashed` is a child process that died for no known reason. */
export type ScriptFailureReason =
  | 'syntax'
  | 'exception'
  | 'timeout'
  | 'memory'
  | 'cpu'
  | 'limit'
  | 'aborted'
  | 'crashed';

/** Why a script failed, and where in the source that the model wrote; line and column count from 1. */
export interface ScriptFailure {
  readonly reason: ScriptFailureReason;
  readonly message: string;
  /** Of the failed call that the script ended with, as its reply had it. */
  readonly id?: string;
  readonly line?: number;
  readonly column?: number;
  /** The source line, trimmed. */
  readonly context?: string;
}

/** One call that a script made. */
export interface CallRecord {
  readonly name: string;
  readonly ms: number;
  readonly ok: boolean;
}

/** What a script did. One that throws or exceeds a limit is a result with `failed`, not an error. */
export interface ScriptResult {
  readonly value?: unknown;
  readonly failed?: ScriptFailure;
  readonly logs: readonly string[];
  /** How many lines the limit dropped. */
  readonly droppedLogs: number;
  readonly calls: readonly CallRecord[];
  /** Elapsed time without pauses. */
  readonly ms: number;
}

/** Whether scripts can run here, and which limits the kernel enforces instead of our watchdog. */
export interface SandboxStatus {
  readonly ok: boolean;
  readonly problem?: string;
  readonly notes: readonly string[];
}

/** Runs the scripts of one turn, which may follow each other in one child process. */
export interface TurnSandbox {
  /** Start a child for the next script, unless one exists, while the model writes the script. */
  warm(): void;
  /** @see Sandbox.run */
  run(source: string, options: ScriptOptions): Promise<ScriptResult>;
  /** Kill the turn's child, also while a script runs in it. */
  close(): void;
}

/** Runs scripts that a model wrote, each one isolated from the program and from each other. */
export interface Sandbox {
  /** Start a child ahead of time, so that the next script need not wait; settles when it is ready. Never rejects. */
  warm(): Promise<void>;
  /**
   * Run one script to its end, including the calls it started.
   *
   * @throws AssistantError `sandbox_unavailable` when the isolate itself cannot start.
   */
  run(source: string, options: ScriptOptions): Promise<ScriptResult>;
  /**
   * Runs the scripts of one turn, one after the other, each in an isolate of its own. They share a child process as
   * long as each ends by itself.
   *
   * @param mayShare  asked before each script; `false`, as after untrusted text was read, gives it a child of its own.
   */
  forTurn(mayShare: () => boolean): TurnSandbox;
  /** Run a test script. Never rejects. */
  probe(): Promise<SandboxStatus>;
  close(): Promise<void>;
}
