import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import type { Backend, Box, BoxResult, BoxRun, BoxSpec, WorkspaceLimits } from './backend.ts';
import { type Cgroup, createCgroup, sweepCgroups } from './cgroup.ts';
import { diskUse } from './disk-use.ts';
import { runProcess } from './run-process.ts';

const MIB = 1024 * 1024;
const PAGE_BYTES = 4096;

/** The folder is measured only on every nth check, because `du` is slow. */
const MEASURE_EVERY = 4;

/** Isolation with bubblewrap: no container engine and no root needed. Each command gets namespaces of its own. */
export function bubblewrap(): Backend {
  return {
    name: 'bubblewrap',
    problem: async () => {
      if (process.platform !== 'linux') return 'bubblewrap needs Linux';
      const missing = ['bwrap', 'prlimit'].filter((name) => !onPath(name));
      return missing.length > 0 ? `${missing.join(' and ')} not found` : undefined;
    },
    open: async (spec) => new BubblewrapBox(spec),
    // --die-with-parent has already ended the processes; only their groups may remain.
    sweep: async () => sweepCgroups(),
  };
}

function onPath(name: string): boolean {
  return (process.env.PATH ?? '').split(':').some((dir) => dir !== '' && existsSync(`${dir}/${name}`));
}

/** Files that are kernel settings. */
const KERNEL_FILES = ['/proc/sys', '/proc/sysrq-trigger', '/proc/irq', '/proc/bus', '/proc/fs'];

/** Shell: join the groups named before `--`, then run the command after it in the shell's place. */
const JOIN = 'while [ "$1" != -- ]; do echo $$ > "$1" || exit 125; shift; done; shift; exec "$@"';

/** Each command gets its own group, because zombies of the last command would still count in a shared one. */
class BubblewrapBox implements Box {
  readonly #spec: BoxSpec;
  #commands = 0;

  constructor(spec: BoxSpec) {
    this.#spec = spec;
  }

  async run(command: BoxRun): Promise<BoxResult> {
    const { id, limits } = this.#spec;
    const group = createCgroup(`${id}-${++this.#commands}`, limits);
    try {
      return await runProcess({
        ...command,
        file: 'sh',
        args: [
          ...['-c', JOIN, 'sh', ...(group?.joinFiles ?? []), '--'],
          ...['prlimit', ...countFlags(group, limits), ...limitFlags(limits, command.timeoutMs)],
          ...['bwrap', ...isolationFlags(this.#spec), '--', ...command.argv],
        ],
        env: { PATH: process.env.PATH },
        watch: watcher(this.#spec),
      });
    } finally {
      await group?.remove();
    }
  }

  async close(): Promise<void> {}
}

/** RLIMIT_NPROC counts all processes of the user, so it is used only where no group counts those of the command. */
function countFlags(group: Cgroup | undefined, { processes }: WorkspaceLimits): string[] {
  return group?.boundsProcesses ? [] : [`--nproc=${processes}:${processes}`];
}

/** Limits per process. RLIMIT_AS would stop Node, which reserves far more memory than it uses; RLIMIT_DATA does not. */
function limitFlags(limits: WorkspaceLimits, timeoutMs: number): string[] {
  const fileBytes = limits.diskMb * MIB;
  return [
    `--data=${limits.memoryMb * MIB}`,
    `--fsize=${fileBytes}`,
    `--cpu=${Math.ceil(timeoutMs / 1000) + 1}`,
    '--nofile=1024',
    '--core=0',
  ];
}

/** Only /usr of the host is visible, read-only. Apart from /workspace, everything writable is memory of fixed size. */
function isolationFlags({ dir, limits }: BoxSpec): string[] {
  const scratch = String(Math.max(16, Math.floor(limits.memoryMb / 4)) * MIB);
  const etc = ['/etc/alternatives', '/etc/ssl', '/etc/ld.so.cache', '/etc/ca-certificates'];
  return [
    ...['--unshare-all', '--die-with-parent', '--new-session', '--clearenv', '--cap-drop', 'ALL'],
    ...['--uid', '65534', '--gid', '65534', '--hostname', 'workspace'],
    ...(limits.network ? ['--share-net', '--ro-bind-try', '/etc/resolv.conf', '/etc/resolv.conf'] : []),
    ...['--ro-bind', '/usr', '/usr'],
    ...['bin', 'sbin', 'lib', 'lib64'].flatMap((name) => ['--symlink', `usr/${name}`, `/${name}`]),
    ...etc.flatMap((path) => ['--ro-bind-try', path, path]),
    ...['--proc', '/proc', '--dev', '/dev'],
    // Root on the host could write these files even from inside the namespaces.
    ...KERNEL_FILES.flatMap((path) => ['--ro-bind-try', path, path]),
    ...['--size', scratch, '--tmpfs', '/tmp', '--size', scratch, '--tmpfs', '/dev/shm'],
    ...['--bind', dir, '/workspace', '--chdir', '/workspace'],
    ...['--remount-ro', '/dev', '--remount-ro', '/'],
    ...['--setenv', 'PATH', '/usr/local/bin:/usr/bin:/bin', '--setenv', 'HOME', '/workspace'],
    ...['--setenv', 'LANG', 'C.UTF-8', '--setenv', 'TMPDIR', '/tmp'],
  ];
}

/** Watches the memory of the process tree and the size of the folder, which no limit per process covers. */
function watcher({ dir, limits }: BoxSpec): (pid: number) => Promise<'memory' | 'disk' | undefined> {
  let looks = 0;
  return async (pid) => {
    if ((await residentBytes(pid)) > limits.memoryMb * MIB) return 'memory';
    if (looks++ % MEASURE_EVERY !== 0) return undefined;
    return (await diskUse(dir)) > limits.diskMb * MIB ? 'disk' : undefined;
  };
}

/** Resident memory of a process and its descendants, in bytes. */
async function residentBytes(root: number): Promise<number> {
  const all = (await readdir('/proc')).filter((name) => /^\d+$/u.test(name));
  const stats = await Promise.all(all.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')));
  const tree = new Set([root]);
  let bytes = 0;
  // A child usually has the higher pid, but pids wrap around: repeat until no process is added.
  const rest = new Map(stats.map((stat) => [Number.parseInt(stat, 10), fieldsOf(stat)]));
  for (let before = -1; before !== tree.size; ) {
    before = tree.size;
    for (const [pid, fields] of rest) if (tree.has(fields.parent)) tree.add(pid);
  }
  for (const pid of tree) bytes += (rest.get(pid)?.pages ?? 0) * PAGE_BYTES;
  return bytes;
}

/** @see proc(5): the fields after the name start with state and parent; the 22nd of them is resident pages. */
function fieldsOf(stat: string): { parent: number; pages: number } {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { parent: Number(fields[1]), pages: Number(fields[21]) };
}
