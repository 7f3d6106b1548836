import { existsSync, mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const ROOT = '/sys/fs/cgroup';
const MIB = 1024 * 1024;
const REMOVE_TRIES = 20;
const REMOVE_PAUSE_MS = 50;

/** Control groups that hold the processes of one command. */
export interface Cgroup {
  /** Files to which a process writes its pid to join. */
  readonly joinFiles: readonly string[];
  /** Whether the group limits the number of processes; if not, RLIMIT_NPROC has to. */
  readonly boundsProcesses: boolean;
  /** Resolves when the group is gone, or after a second if its processes do not end. */
  remove(): Promise<void>;
}

/**
 * Create a control group with these limits, where this process may, usually as root. Root also needs it,
 * because RLIMIT_NPROC does not apply to root on the host, not even inside a user namespace.
 *
 * @returns undefined where no group can be created; limits per process and the watcher still apply.
 */
export function createCgroup(id: string, limits: { processes: number; memoryMb: number }): Cgroup | undefined {
  const bytes = String(limits.memoryMb * MIB);
  const unified = existsSync(join(ROOT, 'cgroup.controllers'));
  // The limits leave room for bubblewrap's own two processes.
  const pids = String(limits.processes + 2);
  const wanted: Record<string, Record<string, string>> = unified
    ? { '': { 'pids.max': pids, 'memory.max': bytes, 'memory.swap.max': '0' } }
    : { pids: { 'pids.max': pids }, memory: { 'memory.limit_in_bytes': bytes } };
  const made = Object.entries(wanted).flatMap(([controller, values]) => {
    const dir = makeGroup(join(ROOT, controller), `wooster-${process.pid}-${id}`, values);
    return dir === undefined ? [] : [{ dir, boundsProcesses: 'pids.max' in values }];
  });
  if (made.length === 0) return undefined;
  const dirs = made.map(({ dir }) => dir);
  return {
    joinFiles: dirs.map((dir) => join(dir, 'cgroup.procs')),
    boundsProcesses: made.some(({ boundsProcesses }) => boundsProcesses),
    remove: async () => void (await Promise.all(dirs.map(removeSoon))),
  };
}

function makeGroup(parent: string, name: string, values: Record<string, string>): string | undefined {
  const dir = join(parent, name);
  try {
    mkdirSync(dir);
    for (const [file, value] of Object.entries(values)) writeFileSync(join(dir, file), value);
    return dir;
  } catch {
    removeGroup(dir);
    return undefined;
  }
}

/** Remove the groups of programs that were killed. */
export function sweepCgroups(): void {
  for (const parent of [ROOT, join(ROOT, 'pids'), join(ROOT, 'memory')]) {
    const names = existsSync(parent) ? readdirSync(parent) : [];
    for (const name of names) {
      const [, pid] = /^wooster-(\d+)-/u.exec(name) ?? [];
      if (pid !== undefined && !existsSync(`/proc/${pid}`)) removeGroup(join(parent, name));
    }
  }
}

/** Killed processes stay in their group for a moment, and only an empty group can be removed. */
async function removeSoon(dir: string): Promise<void> {
  for (let tries = 0; tries < REMOVE_TRIES && !removeGroup(dir); tries++) await setTimeout(REMOVE_PAUSE_MS);
}

/** @returns whether the group is gone. */
function removeGroup(dir: string): boolean {
  try {
    rmdirSync(dir);
  } catch {
    return !existsSync(dir);
  }
  return true;
}
