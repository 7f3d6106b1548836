import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname, uptime } from 'node:os';

/**
 * Names this process so that no later one can be mistaken for it: `host:pid@boot#start`. The boot id tells a restart
 * of the machine apart, the start time (clock ticks since boot, Linux only) a pid that was given out again.
 */
export function processIdentity(): string {
  return `${hostname()}:${process.pid}@${bootId()}#${startOf(process.pid) ?? ''}`;
}

/** One holder of leases in this process; a process may have several, so each name ends in a part of its own. */
export function leaseHolder(): string {
  return `${processIdentity()}/${randomBytes(4).toString('hex')}`;
}

interface Identity {
  readonly host: string;
  readonly pid: number;
  readonly boot: string;
  readonly start: string;
}

function readIdentity(text: string | null): Identity | undefined {
  const [, host = '', pid, boot = '', start = ''] = /^(?:(.*):)?(\d+)@([^#]*)#(\d*)/u.exec(text ?? '') ?? [];
  return pid === undefined ? undefined : { host, pid: Number(pid), boot, start };
}

/** Whether the named process runs on this machine. A name that cannot be read is taken as gone. */
export function isAlive(identity: string | null): boolean {
  const named = readIdentity(identity);
  if (!named || named.boot !== bootId()) return false;
  const start = startOf(named.pid);
  return start === undefined ? runs(named.pid) : named.start === '' || start === named.start;
}

/** True only when the holder was another process of this host that is gone for certain; a lease may then be taken. */
export function isGone(holder: string): boolean {
  const named = readIdentity(holder);
  return named !== undefined && named.host === hostname() && named.pid !== process.pid && !isAlive(holder);
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
