/** What a workspace may use. Sizes in MiB, times in ms. */
export interface WorkspaceLimits {
  readonly timeoutMs: number;
  readonly memoryMb: number;
  readonly processes: number;
  /** Of all files in /workspace together. */
  readonly diskMb: number;
  readonly network: boolean;
}

/** One command as it is run: no shell between, `argv[0]` is found in the box. */
export interface BoxRun {
  readonly argv: readonly string[];
  readonly stdin?: string | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Of each stream; beyond it the beginning and the end are kept. 10,000 unless given. */
  readonly maxOutputChars?: number | undefined;
}

/** What a command did. A command that fails or overruns is a result, not an error. */
export interface BoxResult {
  /** 128 + signal where a signal ended it. */
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Which limit of ours ended it. */
  readonly stopped?: 'timeout' | 'memory' | 'disk' | 'aborted' | undefined;
}

/** A closed place with the folder /workspace. When `run` resolves, nothing that it started runs any more. */
export interface Box {
  run(command: BoxRun): Promise<BoxResult>;
  close(): Promise<void>;
}

export interface BoxSpec {
  /** `[a-z0-9-]+`, the same for the same conversation. */
  readonly id: string;
  /** The host's folder that is /workspace inside; it outlives the box. */
  readonly dir: string;
  readonly limits: WorkspaceLimits;
}

/** One way to make boxes. */
export interface Backend {
  readonly name: string;
  /** Why it cannot be used here; undefined when it seems to be there. The self-test has the last word. */
  problem(): Promise<string | undefined>;
  /** Opens a box, or takes up the one that this conversation already has. */
  open(spec: BoxSpec): Promise<Box>;
  /** Removes what killed processes of ours left behind. */
  sweep(): Promise<void>;
}
