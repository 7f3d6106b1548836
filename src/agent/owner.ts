import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';

/**
 * Names this process so that no later one can be mistaken for it: `pid@boot#start`. The boot id tells a restart of
 * the machine apart, the start time (clock ticks since boot, Linux only) a pid that was given out again.
 */
export function processOwner(): string {
  return `${process.pid}@${bootId()}#${startOf(process.pid) ?? ''}`;
}

/** Whether the process that `owner` names still runs. An owner that cannot be read is taken as gone. */
export function isAlive(owner: string | null): boolean {
  const [, pid, boot, start] = /^(\d+)@([^#]*)#(\d*)$/u.exec(owner ?? '') ?? [];
  if (pid === undefined || boot !== bootId()) return false;
  const now = startOf(Number(pid));
  return now === undefined ? runs(Number(pid)) : start === '' || now === start;
}

/** The kernel's id of this boot; elsewhere the minute in which the machine was started. */
function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return String(Math.round((Date.now() / 1000 - uptime()) / 60));
  }
}

const START_FIELD = 19; // field 22 of proc(5) stat, counted after the command name

function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[START_FIELD];
  } catch {
    return undefined;
  }
}

/** Signal 0 asks without doing; EPERM means that it runs under another user. */
function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
