import { accessSync, constants, existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = '/sys/fs/cgroup';
const MIB = 1024 * 1024;

/** Groups of the kernel that hold a tree of processes together. */
export interface Cgroup {
  /** Files into which a process writes its number to join. */
  readonly joinFiles: readonly string[];
  remove(): void;
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
  const dirs: string[] = [];
  for (const [controller, values] of Object.entries(wanted)) {
    const dir = makeGroup(join(ROOT, controller), `wooster-${process.pid}-${id}`, values);
    if (dir !== undefined) dirs.push(dir);
  }
  if (dirs.length === 0) return undefined;
  return { joinFiles: dirs.map((dir) => join(dir, 'cgroup.procs')), remove: () => dirs.forEach(removeGroup) };
}

function makeGroup(parent: string, name: string, values: Record<string, string>): string | undefined {
  const dir = join(parent, name);
  try {
    accessSync(parent, constants.W_OK);
    mkdirSync(dir, { recursive: true });
    for (const [file, value] of Object.entries(values)) writeFileSync(join(dir, file), value);
    return dir;
  } catch {
    removeGroup(dir);
    return undefined;
  }
}

function removeGroup(dir: string): void {
  try {
    rmdirSync(dir);
  } catch {
    // Not there, or a process in it is still ending; an empty group costs nothing.
  }
}
