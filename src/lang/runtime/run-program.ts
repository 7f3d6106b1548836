import type { BridgeReply, HostFunction, Limits, Sandbox } from '../../sandbox/contract.ts';
import type { Compiled } from '../compile/compile.ts';
import { GUEST } from '../compile/guest-ai.ts';
import type { Mapping } from '../compile/source-map.ts';
import type { HostReply } from './journal.ts';
import { ProgramHost, type ProgramWorld } from './program-host.ts';

/** A batch may take minutes of waiting, but not of computing. Sizes as in `Limits`. */
const PROGRAM_LIMITS: Partial<Limits> = {
  timeoutMs: 30 * 60_000,
  idleMs: 20_000,
  cpuMs: 30_000,
  maxCalls: 1_000_000,
  maxArgumentChars: 8_000_000,
  maxResultChars: 8_000_000,
  maxSourceChars: 16_000_000,
};

/** The outcome of a program; a failure is a result too. */
export interface ProgramResult {
  readonly value?: unknown;
  readonly failed?: ProgramFailure;
  readonly ms: number;
}

export interface ProgramFailure {
  /** The class of the error: `GuardFailed`; `Stopped` for a limit, `Cancelled` for an abort. */
  readonly name: string;
  readonly message: string;
  readonly at?: Mapping | undefined;
  readonly details: Readonly<Record<string, unknown>>;
}

export interface RunOptions {
  readonly sandbox: Sandbox;
  readonly world: ProgramWorld;
  readonly signal: AbortSignal;
  /** Arguments of the program, or of the one tool that is run. */
  readonly args?: Readonly<Record<string, unknown>>;
  readonly limits?: Partial<Limits>;
}

const HOST: HostFunction = { name: 'host', kind: 'value' };

/** What of a compiled program is needed to run it. */
export type Runnable = Pick<Compiled, 'code' | 'shapes' | 'places'>;

/** Run a compiled program in the sandbox. Everything it does outside goes through `world`. */
export async function runProgram(compiled: Runnable, { world, ...options }: RunOptions): Promise<ProgramResult> {
  const host = new ProgramHost(world, options.signal);
  return runServed(compiled, { ...options, serve: (op, payload) => host.serve(op, payload) });
}

export interface ServedOptions extends Omit<RunOptions, 'world'> {
  /** Answers what the program asks of the world. Must not reject. */
  serve(op: unknown, payload: unknown): Promise<HostReply>;
}

/** The same with another world than the assistant. */
export async function runServed(compiled: Runnable, options: ServedOptions): Promise<ProgramResult> {
  const { sandbox, serve, signal, args = {}, limits } = options;
  const source = `${GUEST}\n${compiled.code}\nawait $.main($program);`;
  const result = await sandbox.run(source, {
    functions: [HOST],
    bridge: {
      call: async (_name, [op, payload]): Promise<BridgeReply> => ({ ok: true, value: await serve(op, payload) }),
      log: () => {},
    },
    globals: { $setup: { args, shapes: compiled.shapes } },
    limits: { ...PROGRAM_LIMITS, ...limits },
    signal,
  });
  return { ...outcomeOf(result.value, compiled), ...stopped(result.failed, signal), ms: result.ms };
}

function outcomeOf(value: unknown, { places }: Runnable): Omit<ProgramResult, 'ms'> {
  const outcome = (value ?? {}) as { ok?: unknown; error?: Record<string, unknown>; at?: number };
  if (!outcome.error) return { value: outcome.ok };
  const { name, message, ...details } = outcome.error;
  return { failed: { name: String(name), message: String(message), at: places[outcome.at ?? -1], details } };
}

function stopped(
  failed: { reason: string; message: string } | undefined,
  signal: AbortSignal,
): { failed?: ProgramFailure } {
  if (!failed) return {};
  if (signal.aborted) return { failed: { name: 'Cancelled', message: 'The program was cancelled.', details: {} } };
  return { failed: { name: 'Stopped', message: failed.message, details: { reason: failed.reason } } };
}
