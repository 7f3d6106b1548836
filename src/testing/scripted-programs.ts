import childProcess, { type SpawnOptions } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import { PassThrough } from 'node:stream';
import { onTestFinished, vi } from 'vitest';

/** What a program does that only seems to run. */
export interface ScriptedProgram {
  /** In pieces as they arrive. */
  readonly stdout?: string | readonly Uint8Array[];
  readonly stderr?: string;
  /** 0 unless given. */
  readonly exitCode?: number;
  readonly signal?: NodeJS.Signals;
  /** Goes on until it is killed; `deaf` keeps its pipes open even then. */
  readonly hangs?: 'until killed' | 'deaf';
  /** It cannot be started: not there, or not allowed. */
  readonly refused?: 'ENOENT' | 'EACCES';
  /** It closes its input early. */
  readonly closesInput?: boolean;
}

export interface StartedProgram {
  readonly file: string;
  readonly args: readonly string[];
  readonly options: SpawnOptions;
  /** All that it was given to read. */
  readonly stdin: Promise<string>;
  killed: boolean;
}

/** Above the highest that a system gives. */
const FIRST_PID = 90_000_000;

/** Until the test ends, no program is started: `script` says what each one does. @returns those started, in order. */
export function scriptPrograms(script: (started: StartedProgram) => ScriptedProgram): StartedProgram[] {
  const all: StartedProgram[] = [];
  const children = new Map<number, { child: EventEmitter; started: StartedProgram; does: ScriptedProgram }>();
  const kill = process.kill.bind(process);
  const spawning = vi.spyOn(childProcess, 'spawn').mockImplementation(((
    file: string,
    args: readonly string[],
    options: SpawnOptions,
  ) => {
    const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
    const started: StartedProgram = { file, args, options, stdin: textOf(streams.stdin), killed: false };
    all.push(started);
    const does = script(started);
    const pid = does.refused ? undefined : FIRST_PID + all.length;
    const child = Object.assign(new EventEmitter(), { ...streams, pid });
    if (pid !== undefined) children.set(pid, { child, started, does });
    void act(child, file, does);
    return child;
  }) as never);
  const killing = vi.spyOn(process, 'kill').mockImplementation((pid, signal) => {
    const found = children.get(-pid);
    if (found === undefined) return kill(pid, signal);
    found.started.killed = true;
    if (found.does.hangs !== 'deaf') queueMicrotask(() => found.child.emit('close', null, signal));
    return true;
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    spawning.mockRestore();
    killing.mockRestore();
    syncBuiltinESMExports();
  });
  return all;
}

async function act(
  child: EventEmitter & Record<'stdin' | 'stdout' | 'stderr', PassThrough>,
  file: string,
  does: ScriptedProgram,
): Promise<void> {
  await Promise.resolve();
  if (does.refused) {
    child.emit('error', Object.assign(new Error(`spawn ${file} ${does.refused}`), { code: does.refused }));
    return;
  }
  if (does.closesInput) child.stdin.emit('error', new Error('write EPIPE'));
  const { stdout = [] } = does;
  for (const piece of typeof stdout === 'string' ? [Buffer.from(stdout)] : stdout) child.stdout.write(piece);
  child.stderr.write(does.stderr ?? '');
  if (does.hangs) return;
  child.stdout.end();
  child.stderr.end();
  await Promise.all([once(child.stdout, 'end'), once(child.stderr, 'end')]);
  child.emit('close', does.signal ? null : (does.exitCode ?? 0), does.signal ?? null);
}

function textOf(stream: PassThrough): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let text = '';
  stream.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  stream.once('end', () => resolve(text));
  return promise;
}
