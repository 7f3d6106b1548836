import type { Pauses } from './pauses.ts';

/** Hard ceilings of one script. Times in ms, sizes in characters unless named otherwise. */
export interface Limits {
  /** Wall time with tool waits included, waits for a person's approval not. */
  readonly timeoutMs: number;
  /** Wall time while no tool call is outstanding. */
  readonly idleMs: number;
  readonly cpuMs: number;
  readonly memoryMb: number;
  readonly maxCalls: number;
  readonly maxCallsInFlight: number;
  readonly maxNetworkCallsInFlight: number;
  readonly maxArgumentChars: number;
  readonly maxLogChars: number;
  readonly maxLogLineChars: number;
  readonly maxResultChars: number;
  readonly maxSourceChars: number;
}

export const DEFAULT_LIMITS: Limits = {
  timeoutMs: 20_000,
  idleMs: 5_000,
  cpuMs: 5_000,
  memoryMb: 128,
  maxCalls: 200,
  maxCallsInFlight: 64,
  maxNetworkCallsInFlight: 8,
  maxArgumentChars: 262_144,
  maxLogChars: 65_536,
  maxLogLineChars: 4_000,
  maxResultChars: 262_144,
  maxSourceChars: 65_536,
};

/**
 * One function of the script's world. Arguments and result cross as JSON. A name that is no plain identifier
 * (`artifact.store`) is reachable as `tools["artifact.store"]` only.
 */
export interface HostFunction {
  readonly name: string;
  /** Counts against `maxNetworkCallsInFlight`. */
  readonly network?: boolean;
  /**
   * `value`: the script waits for the result (or the promise form of it). `fire`: nothing comes back. `batch`: takes
   * `[{ tool, input }]`, runs them all together and gives their results in order, `{ error }` for one that failed.
   */
  readonly kind: 'value' | 'fire' | 'batch';
  /** Reachable as `tools.NAME` too. */
  readonly tool?: boolean;
  /** `false`: reachable through `tools` only. */
  readonly global?: boolean;
}

/** How a host function answers. */
export type BridgeReply =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: string };

export interface Bridge {
  /** Never rejects. `args` are the JSON values that the script gave. */
  call(name: string, args: readonly unknown[]): Promise<BridgeReply>;
  /** A line of `log()` or `console.*`, as it happens. */
  log(line: string): void;
}

export interface ScriptOptions {
  readonly functions: readonly HostFunction[];
  readonly bridge: Bridge;
  readonly limits?: Partial<Limits>;
  readonly signal: AbortSignal;
  /** JSON values that are globals from the start, for example `input`. */
  readonly globals?: Readonly<Record<string, unknown>>;
  /** Importable module sources by name. */
  readonly modules?: Readonly<Record<string, string>>;
  /** What `recall` finds, and where `store` puts things as they happen. */
  readonly memory?: ScriptMemory;
  /** Time in here does not count: a person decides an approval. */
  readonly pauses?: Pauses;
  /** What `Date` says all through the run, and what `Math.random` starts from. */
  readonly now?: Date;
  readonly seed?: number;
}

/** Values that outlive a script, as JSON. */
export interface ScriptMemory {
  readonly initial: Readonly<Record<string, unknown>>;
  set(key: string, value: unknown): void;
}

export type ScriptFailureReason =
  | 'syntax'
  | 'exception'
  | 'timeout'
  | 'memory'
  | 'cpu'
  | 'limit'
  | 'aborted'
  | 'crashed';

/** Where the model's own source went wrong; line and column count from 1. */
export interface ScriptFailure {
  readonly reason: ScriptFailureReason;
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
  /** The source line, trimmed. */
  readonly context?: string;
}

export interface CallRecord {
  readonly name: string;
  readonly ms: number;
  readonly ok: boolean;
}

/** What a script did. A script that throws or overruns is a result, not an error. */
export interface ScriptResult {
  readonly value?: unknown;
  readonly failed?: ScriptFailure;
  readonly logs: readonly string[];
  /** Lines that were over the limit. */
  readonly droppedLogs: number;
  readonly calls: readonly CallRecord[];
  /** Time that counted, without pauses. */
  readonly ms: number;
}

/** Can scripts run here, and which limits hold by the kernel rather than by our watcher? */
export interface SandboxStatus {
  readonly ok: boolean;
  readonly problem?: string;
  readonly notes: readonly string[];
}

export interface Sandbox {
  /** Start a child ahead of time, so that the next script finds one ready; settles when it is. Never rejects. */
  warm(): Promise<void>;
  /** @throws AssistantError `sandbox_unavailable` when the isolate itself cannot start. */
  run(source: string, options: ScriptOptions): Promise<ScriptResult>;
  probe(): Promise<SandboxStatus>;
  close(): Promise<void>;
}
