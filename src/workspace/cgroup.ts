import { accessSync, constants, existsSync, mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const ROOT = '/sys/fs/cgroup';
const MIB = 1024 * 1024;
const REMOVE_TRIES = 20;
const REMOVE_PAUSE_MS = 50;

/** Groups of the kernel that hold a tree of processes together. */
export interface Cgroup {
  /** Files into which a process writes its number to join. */
  readonly joinFiles: readonly string[];
  /** The group bounds the number of processes; a limit of the user's would count those outside as well. */
  readonly boundsProcesses: boolean;
  /** Resolves when the group is gone, or its processes have had a second to end. */
  remove(): Promise<void>;
}

/**
 * A group with these limits, where this process may make one: root mostly. For root it is also needed, because
 * RLIMIT_NPROC does not bind the machine's root, not even inside a user namespace.
 *
 * @returns undefined where groups cannot be made; the limits of each process and the watcher remain.
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
    accessSync(parent, constants.W_OK);
    mkdirSync(dir);
    for (const [file, value] of Object.entries(values)) writeFileSync(join(dir, file), value);
    return dir;
  } catch {
    removeGroup(dir);
    return undefined;
  }
}

/** Groups of programs that were killed. */
export function sweepCgroups(): void {
  for (const parent of [ROOT, join(ROOT, 'pids'), join(ROOT, 'memory')]) {
    const names = existsSync(parent) ? readdirSync(parent) : [];
    for (const name of names) {
      const [, pid] = /^wooster-(\d+)-/u.exec(name) ?? [];
      if (pid !== undefined && !existsSync(`/proc/${pid}`)) removeGroup(join(parent, name));
    }
  }
}

/** Killed processes stay in their group for a moment. */
async function removeSoon(dir: string): Promise<void> {
  for (let tries = 0; tries < REMOVE_TRIES && !removeGroup(dir); tries++) await setTimeout(REMOVE_PAUSE_MS);
}

/** @returns whether it is gone. */
function removeGroup(dir: string): boolean {
  try {
    rmdirSync(dir);
  } catch {
    return !existsSync(dir);
  }
  return true;
}
