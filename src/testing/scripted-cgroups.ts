import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { temporaryFolder } from './home.ts';

const REAL = '/sys/fs/cgroup';

export interface ScriptedCgroups {
  /** Stands for /sys/fs/cgroup. */
  readonly root: string;
  /** Group folders that still have processes, which cannot be removed. */
  readonly busy: Set<string>;
}

/**
 * Until the test ends, control groups are folders of the test. `unified` is one tree with all controllers, otherwise
 * each of `controllers` has its own.
 */
export function scriptCgroups(kind: 'unified' | { readonly controllers: readonly string[] }): ScriptedCgroups {
  const root = temporaryFolder();
  if (kind === 'unified') fs.writeFileSync(join(root, 'cgroup.controllers'), '');
  else for (const controller of kind.controllers) fs.mkdirSync(join(root, controller));
  const busy = new Set<string>();
  const spies = (['existsSync', 'mkdirSync', 'readdirSync', 'writeFileSync'] as const).map((name) => {
    const real = fs[name] as (path: string, ...rest: unknown[]) => unknown;
    return vi
      .spyOn(fs, name)
      .mockImplementation(((path: string, ...rest: unknown[]) =>
        real(String(path).replace(REAL, root), ...rest)) as never);
  });
  // The kernel's files in a group are no obstacle, its processes are.
  const removing = vi.spyOn(fs, 'rmdirSync').mockImplementation((path) => {
    if (!String(path).startsWith(REAL)) throw new Error(`${path} is no control group`);
    const place = String(path).replace(REAL, root);
    if (busy.has(place)) throw new Error('EBUSY');
    fs.rmSync(place, { recursive: true });
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    for (const spy of [...spies, removing]) spy.mockRestore();
    syncBuiltinESMExports();
  });
  return { root, busy };
}
