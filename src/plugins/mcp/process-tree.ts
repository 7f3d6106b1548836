import { readdirSync, readFileSync } from 'node:fs';

/**
 * A process and everything it has started, also what has left its group since. Where there is no `/proc`, the group has
 * to do.
 */
export function treeOf(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const [pid, parent] of everyProcess()) children.set(parent, [...(children.get(parent) ?? []), pid]);
  const tree = [root];
  for (let next = 0; next < tree.length; next++) tree.push(...(children.get(tree[next] ?? 0) ?? []));
  return tree;
}

/** Send a signal to a process group and to single processes; those that are gone are fine. */
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

/** The fields behind the command's name, which may hold anything but ends with the last bracket. */
function parentOf(pid: string): [number, number][] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    return [[Number(pid), parent]];
  } catch {
    return [];
  }
}
