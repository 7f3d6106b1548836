import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** What a process has used so far. */
export interface ProcessUsage {
  readonly cpuMs: number;
  readonly rssMb: number;
}

/** Linux counts processor time in ticks of 10 ms (USER_HZ) and memory in pages of 4 KiB. */
const MS_PER_TICK = 10;
const MB_PER_PAGE = 4096 / 1024 / 1024;

/** How often usage is read: /proc takes microseconds, `ps` a whole process. */
export const USAGE_INTERVAL_MS = process.platform === 'linux' ? 20 : 250;

/** What a process has used so far; undefined if it is gone or the system does not say. */
export async function readUsage(pid: number): Promise<ProcessUsage | undefined> {
  if (process.platform === 'linux') return readProc(pid);
  return process.platform === 'win32' ? undefined : readPs(pid);
}

function readProc(pid: number): ProcessUsage | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field is the program's name in parentheses and may hold spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const pages = Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]);
    return { cpuMs: (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK, rssMb: pages * MB_PER_PAGE };
  } catch {
    return undefined;
  }
}

function readPs(pid: number): Promise<ProcessUsage | undefined> {
  return new Promise((resolve) => {
    execFile('ps', ['-o', 'rss=,time=', '-p', String(pid)], (error, output) => {
      const [rss = '', time = ''] = output.trim().split(/\s+/u);
      resolve(error || rss === '' ? undefined : { cpuMs: parseTime(time), rssMb: Number(rss) / 1024 });
    });
  });
}

/** `[[h:]m:]s.hh` as `ps` prints it. */
function parseTime(text: string): number {
  return text.split(':').reduce((total, part) => total * 60 + Number(part), 0) * 1000;
}
