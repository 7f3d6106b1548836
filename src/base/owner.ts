import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';

/** Names this process in leases: host, process id, and a random part because process ids come again. */
export function ownerName(): string {
  return `${hostname()}:${process.pid}:${randomBytes(4).toString('hex')}`;
}

/** True only when the owner was a process of this machine that is gone for certain. */
export function isGone(owner: string): boolean {
  const [host, pid] = owner.split(':');
  if (host !== hostname() || Number(pid) === process.pid) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
