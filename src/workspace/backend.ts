/** What a workspace may use. */
export interface WorkspaceLimits {
  /** For one command. */
  readonly timeoutMs: number;
  /** In MiB, for all processes of a command together. */
  readonly memoryMb: number;
  readonly processes: number;
  /** In MiB, for all files in /workspace together. */
  readonly diskMb: number;
  readonly network: boolean;
}

/** One command. It runs without a shell; `argv[0]` is looked up inside the box. */
export interface BoxRun {
  readonly argv: readonly string[];
  readonly stdin?: string | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** For each stream; of longer output the start and the end are kept. 10,000 unless given. */
  readonly maxOutputChars?: number | undefined;
}

/** What a command did. A command that fails or exceeds a limit is a result, not an error. */
export interface BoxResult {
  /** 128 + the signal's number if a signal ended it. */
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Which of our limits ended it, if any. */
  readonly stopped?: 'timeout' | 'memory' | 'disk' | 'aborted' | undefined;
}

/** An isolated environment with the folder /workspace. Once `run` resolves, nothing it started is still running. */
export interface Box {
  run(command: BoxRun): Promise<BoxResult>;
  /** Remove the environment; the files stay. */
  close(): Promise<void>;
}

export interface BoxSpec {
  /** `[a-z0-9-]+`, always the same for a conversation. */
  readonly id: string;
  /** The host's folder that appears as /workspace; it outlives the box. */
  readonly dir: string;
  readonly limits: WorkspaceLimits;
}

/** One way to isolate commands. Every backend passes `backend.contract.ts`. */
export interface Backend {
  readonly name: string;
  /** Why it cannot be used here; undefined when it seems usable. The self-test decides. */
  problem(): Promise<string | undefined>;
  /** Open a box, or return to the one that this conversation already has. */
  open(spec: BoxSpec): Promise<Box>;
  /** Clean up after killed processes of ours. */
  sweep(): Promise<void>;
}
