import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname, uptime } from 'node:os';

/**
 * A name for this process that no later process can have: `host:pid@boot#start`.
 *
 * The boot id tells a reboot apart, the start time (clock ticks since boot, Linux only) a pid that was reused.
 */
export function processIdentity(): string {
  return `${hostname()}:${process.pid}@${bootId()}#${startOf(process.pid) ?? ''}`;
}

/** A holder of leases in this process. A process may have several, so each name has a random suffix. */
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

/** Whether the named process is running on this machine. A name that cannot be read counts as gone. */
export function isAlive(identity: string | null): boolean {
  const named = readIdentity(identity);
  if (!named || named.boot !== bootId()) return false;
  const start = startOf(named.pid);
  return start === undefined ? runs(named.pid) : named.start === '' || start === named.start;
}

/**
 * Whether the holder was another process on this host and is certainly gone, so that its lease may be taken over. A
 * holder on another host never is: only the end of its lease tells.
 */
export function isGone(holder: string): boolean {
  const named = readIdentity(holder);
  return named !== undefined && named.host === hostname() && named.pid !== process.pid && !isAlive(holder);
}

/** The kernel's id of this boot; elsewhere, the minute in which the machine was started. */
function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return String(Math.round((Date.now() / 1000 - uptime()) / 60));
  }
}

const START_FIELD = 19; // field 22 of proc(5) stat, counted after the command name

/** Clock ticks between boot and the start of a process; undefined where the system does not tell. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[START_FIELD];
  } catch {
    return undefined;
  }
}

/** Signal 0 only checks; EPERM means that the process exists but belongs to another user. */
export function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
