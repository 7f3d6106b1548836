import { chmod } from 'node:fs/promises';
import { AssistantError, messageOf } from '../base/errors.ts';
import { isAlive, processIdentity } from '../base/process-identity.ts';
import type { Backend, Box, BoxResult, BoxRun, BoxSpec } from './backend.ts';
import { diskUse } from './disk-use.ts';
import { type ProcessRun, runProcess } from './run-process.ts';

/** Which engine runs the containers, and from which image. */
export interface ContainerOptions {
  /** Both accept the same commands. */
  readonly program: 'docker' | 'podman';
  readonly image: string;
}

const OWNER_LABEL = 'wooster.owner';
const ENGINE_TIMEOUT_MS = 120_000;
const STOP_SECONDS = 10;
const MIB = 1024 * 1024;

/** Isolation with Docker or podman: one container per conversation, kept while the program runs. */
export function containerEngine({ program, image }: ContainerOptions): Backend {
  const engine = new ContainerCli(program);
  return {
    name: program,
    problem: async () => {
      const asked = await engine
        .ask(['version', '--format', '{{.Server.Version}}'])
        .catch((error: NodeJS.ErrnoException) => error);
      if (asked instanceof Error)
        return asked.code === 'ENOENT' ? `${program} is not installed` : `${program} cannot run: ${messageOf(asked)}`;
      if (asked.exitCode === 0) return undefined;
      return `${program} does not answer: ${asked.stderr.trim().split('\n')[0] || `exit ${asked.exitCode}`}`;
    },
    open: async (spec) => openContainer(engine, image, spec),
    sweep: () => sweep(engine),
  };
}

/** The command line of a container engine. */
class ContainerCli {
  readonly program: string;

  constructor(program: string) {
    this.program = program;
  }

  /** Run a command and return its result, even a failure. */
  ask(args: readonly string[], run: Partial<ProcessRun> = {}): Promise<BoxResult> {
    const never = new AbortController().signal;
    return runProcess({ file: this.program, args, timeoutMs: ENGINE_TIMEOUT_MS, signal: never, ...run });
  }

  /** Run a command that has to succeed. @throws AssistantError `workspace_unavailable` with the engine's message. */
  async must(args: readonly string[]): Promise<void> {
    const { exitCode, stderr } = await this.ask(args);
    if (exitCode === 0) return;
    throw new AssistantError('workspace_unavailable', `${this.program} ${args[0]} failed: ${stderr.trim()}`, {
      hint: 'Check that the engine is running and has the image WORKSPACE_IMAGE (docker pull).',
    });
  }
}

/** Shell: the container's first process. Waits forever, reaps orphans, and stops at once on SIGTERM. */
const KEEPER = 'trap "exit 0" TERM; while :; do sleep 3600 & wait $!; done';

async function openContainer(engine: ContainerCli, image: string, spec: BoxSpec): Promise<Box> {
  const name = `wooster-${spec.id}`;
  const found = await engine.ask(['inspect', '--format', '{{.State.Running}}', name]);
  if (found.exitCode === 0 && found.stdout.trim() === 'true') return new ContainerBox(engine, name, spec);
  if (found.exitCode === 0) await engine.must(['rm', '-f', name]);
  // Inside, the user is nobody; on Linux the folder's permissions have to let it write.
  await chmod(spec.dir, 0o777);
  try {
    await engine.must(runFlags(name, image, spec));
  } catch (error) {
    await engine.ask(['rm', '--force', name]); // A container that failed to start exists all the same.
    throw error;
  }
  return new ContainerBox(engine, name, spec);
}

function runFlags(name: string, image: string, { dir, limits }: BoxSpec): string[] {
  const memory = `${limits.memoryMb}m`;
  return [
    ...['run', '--detach', '--name', name, '--label', `${OWNER_LABEL}=${processIdentity()}`],
    ...['--network', limits.network ? 'bridge' : 'none', '--hostname', 'workspace'],
    ...['--memory', memory, '--memory-swap', memory, '--pids-limit', String(limits.processes), '--cpus', '2'],
    ...[
      '--ulimit',
      'nofile=1024:1024',
      '--ulimit',
      'nproc=4096:4096',
      '--ulimit',
      'core=0:0',
      '--ulimit',
      `fsize=${limits.diskMb * MIB}`,
    ],
    ...['--read-only', '--tmpfs', '/tmp:rw,size=64m,mode=1777', '--shm-size', '16m'],
    ...['--user', '65534:65534', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'],
    ...['--volume', `${dir}:/workspace`, '--workdir', '/workspace', '--env', 'HOME=/workspace'],
    ...[image, 'sh', '-c', KEEPER],
  ];
}

/** Runs the command after it, then kills whatever it left running, apart from itself and the first process. */
const CLEAN = ['sh', '-c', '"$@"; code=$?; kill -9 -1 2>/dev/null; exit $code', 'sh'];

class ContainerBox implements Box {
  readonly #engine: ContainerCli;
  readonly #name: string;
  readonly #spec: BoxSpec;
  #last: Promise<unknown> = Promise.resolve();

  constructor(engine: ContainerCli, name: string, spec: BoxSpec) {
    this.#engine = engine;
    this.#name = name;
    this.#spec = spec;
  }

  /** Runs one command at a time, because the end of a command ends everything that runs. */
  run(command: BoxRun): Promise<BoxResult> {
    const result = this.#last.then(() => this.#run(command));
    this.#last = result.catch(() => undefined);
    return result;
  }

  async #run(command: BoxRun): Promise<BoxResult> {
    const { dir, limits } = this.#spec;
    const args = ['exec', '--interactive', '--workdir', '/workspace', this.#name, ...CLEAN, ...command.argv];
    const result = await this.#engine.ask(args, {
      stdin: command.stdin,
      timeoutMs: command.timeoutMs,
      signal: command.signal,
      maxOutputChars: command.maxOutputChars,
      watch: async () => ((await diskUse(dir)) > limits.diskMb * MIB ? 'disk' : undefined),
    });
    // Killing the client leaves the processes inside running; a restart ends them all and keeps the files.
    if (result.stopped) await this.#engine.must(['restart', '-t', '0', this.#name]);
    return result;
  }

  async close(): Promise<void> {
    await this.#engine.ask(['stop', '-t', String(STOP_SECONDS), this.#name]);
    await this.#engine.ask(['rm', '--force', this.#name]);
  }
}

/** Remove containers whose program was killed. */
async function sweep(engine: ContainerCli): Promise<void> {
  const format = `{{.Names}} {{.Label "${OWNER_LABEL}"}}`;
  const { exitCode, stdout } = await engine.ask([
    'ps',
    '--all',
    '--filter',
    `label=${OWNER_LABEL}`,
    '--format',
    format,
  ]);
  if (exitCode !== 0) return;
  const rows = stdout.split('\n').map((line) => line.trim().split(' '));
  for (const [name = '', owner = ''] of rows)
    if (name !== '' && !isAlive(owner)) await engine.ask(['rm', '--force', name]);
}
