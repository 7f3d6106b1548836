import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { Ends } from '../base/text.ts';
import type { BoxResult } from './backend.ts';

/** How much is kept of each stream: the start and the end. */
const MAX_OUTPUT_CHARS = 10_000;

/** How long a killed process may take to close its pipes. */
const DRAIN_MS = 2000;

/** A program to run on the host. The backends use it for their own commands. */
export interface ProcessRun {
  readonly file: string;
  readonly args: readonly string[];
  readonly stdin?: string | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly maxOutputChars?: number | undefined;
  readonly env?: NodeJS.ProcessEnv | undefined;
  /** Called every WATCH_MS while the process runs; returning a limit ends it. */
  readonly watch?: ((pid: number) => Promise<'memory' | 'disk' | undefined>) | undefined;
}

const WATCH_MS = 250;

/** Run a program to its end, or kill its whole process group. Rejects only when it cannot be started. */
export async function runProcess(run: ProcessRun): Promise<BoxResult> {
  const child = spawn(run.file, run.args, { stdio: 'pipe', detached: true, ...(run.env ? { env: run.env } : {}) });
  const out = new Ends(run.maxOutputChars ?? MAX_OUTPUT_CHARS);
  const err = new Ends(run.maxOutputChars ?? MAX_OUTPUT_CHARS);
  child.stdout.setEncoding('utf8').on('data', (text: string) => out.add(text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => err.add(text));
  child.stdin.on('error', () => {}); // It is no failure if a program does not read its input.
  child.stdin.end(run.stdin ?? '');
  const { exitCode, stopped } = await endOf(child, run);
  return { exitCode, stdout: out.text(), stderr: err.text(), stopped };
}

function endOf(child: ChildProcess, run: ProcessRun): Promise<Pick<BoxResult, 'exitCode' | 'stopped'>> {
  const { promise, resolve, reject } = Promise.withResolvers<Pick<BoxResult, 'exitCode' | 'stopped'>>();
  let stopped: BoxResult['stopped'];
  const stop = (why: NonNullable<BoxResult['stopped']>) => {
    stopped ??= why;
    killGroup(child.pid);
    // A grandchild outside the group could keep the pipes open; the box itself ends that one.
    drain = setTimeout(() => finish(null, 'SIGKILL'), DRAIN_MS);
  };
  let drain: NodeJS.Timeout | undefined;
  const onAbort = () => stop('aborted');
  const timer = setTimeout(() => stop('timeout'), run.timeoutMs);
  const watcher = setInterval(() => void look(), WATCH_MS);
  const look = async () => {
    const limit = child.pid === undefined ? undefined : await run.watch?.(child.pid).catch(() => undefined);
    if (limit) stop(limit);
  };
  const finish = (code: number | null, signal: NodeJS.Signals | null) => {
    clearTimeout(timer);
    clearTimeout(drain);
    clearInterval(watcher);
    run.signal.removeEventListener('abort', onAbort);
    resolve({ exitCode: code ?? 128 + (signal ? constants.signals[signal] : 0), stopped });
  };
  run.signal.addEventListener('abort', onAbort, { once: true });
  if (run.signal.aborted) onAbort();
  child.on('close', finish);
  child.on('error', (error) => {
    reject(error); // First, because finishing resolves.
    finish(null, null);
  });
  return promise;
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}
