import { readdirSync, readFileSync } from 'node:fs';

/**
 * A process and all its descendants, including those that have left its group. Without `/proc`, the group has
 * to do.
 */
export function treeOf(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const [pid, parent] of everyProcess()) children.set(parent, [...(children.get(parent) ?? []), pid]);
  const tree = [root];
  for (let next = 0; next < tree.length; next++) tree.push(...(children.get(tree[next] ?? 0) ?? []));
  return tree;
}

/** Send a signal to a process group and to single processes, ignoring those that have ended. */
export function signalAll(group: number, pids: readonly number[], signal: NodeJS.Signals): void {
  for (const target of [-group, ...pids]) {
    try {
      process.kill(target, signal);
    } catch {
      // It has ended.
    }
  }
}

function everyProcess(): [pid: number, parent: number][] {
  let names: string[];
  try {
    names = readdirSync('/proc');
  } catch {
    return [];
  }
  return names.filter((name) => /^\d+$/u.test(name)).flatMap((name) => parentOf(name));
}

/** The fields after the command name, which may contain anything but ends at the last bracket. */
function parentOf(pid: string): [number, number][] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    return [[Number(pid), parent]];
  } catch {
    return [];
  }
}
