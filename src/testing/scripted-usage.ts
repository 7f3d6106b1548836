import childProcess from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { onTestFinished, vi } from 'vitest';

export interface ScriptedUsage {
  /** Files below /proc by path; those of all other processes are missing. */
  readonly files: Map<string, string>;
  /** What `ps` prints, or that it fails; undefined as long as it says nothing. */
  ps: string | Error | undefined;
  /** How `ps` was asked, each time. */
  readonly asked: (readonly string[])[];
}

/** Until the test ends, what processes have used is what the test says, in the way of a platform. */
export function scriptUsage(platform: NodeJS.Platform): ScriptedUsage {
  const usage: ScriptedUsage = { files: new Map(), ps: '', asked: [] };
  const { readFileSync } = fs;
  const spies = [
    vi.spyOn(process, 'platform', 'get').mockReturnValue(platform),
    vi.spyOn(fs, 'readFileSync').mockImplementation(((path: string, encoding: BufferEncoding) => {
      if (!String(path).startsWith('/proc/')) return readFileSync(path, encoding);
      const text = usage.files.get(path);
      if (text === undefined) throw Object.assign(new Error(`ENOENT: ${path}`), { code: 'ENOENT' });
      return encoding ? text : Buffer.from(text);
    }) as never),
    vi.spyOn(childProcess, 'execFile').mockImplementation(((
      file: string,
      args: readonly string[],
      done: (error: Error | null, output: string) => void,
    ) => {
      usage.asked.push([file, ...args]);
      const { ps } = usage;
      if (ps !== undefined) queueMicrotask(() => (typeof ps === 'string' ? done(null, ps) : done(ps, '')));
    }) as never),
  ];
  syncBuiltinESMExports();
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
    syncBuiltinESMExports();
  });
  return usage;
}

/** What Linux says of a process: its processor time in ticks of 10 ms, its memory in pages of 4 KiB. */
export function procFiles(pid: number, used: { user: number; system: number; pages: number }): [string, string][] {
  const before = `S ${Array.from({ length: 10 }, (_, index) => 100 + index).join(' ')}`;
  return [
    [`/proc/${pid}/stat`, `${pid} (a ) b) ${before} ${used.user} ${used.system} 700 800 20\n`],
    [`/proc/${pid}/statm`, `90000 ${used.pages} 300 1 0 400 0\n`],
  ];
}
