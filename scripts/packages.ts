import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';

export const ROOT = resolve(import.meta.dirname, '..');

const entry = z.looseObject({
  version: z.string().optional(),
  license: z.string().optional(),
  integrity: z.string().optional(),
  link: z.boolean().optional(),
  dev: z.boolean().optional(),
  optional: z.boolean().optional(),
  devOptional: z.boolean().optional(),
  os: z.array(z.string()).optional(),
  cpu: z.array(z.string()).optional(),
});
const lock = z.object({ packages: z.record(z.string(), entry) });

/** A package of the lock. */
export interface LockedPackage {
  /** Its folder in the checkout. */
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  /** As its package.json says it, mostly an SPDX expression. */
  readonly license: string;
  readonly integrity: string | undefined;
  /** For development only: whoever installs Wooster does not get it. */
  readonly dev: boolean;
  /** Not installed on every machine. */
  readonly optional: boolean;
}

/** Every package of the lock that comes from a registry, by its folder. */
export function lockedPackages(): readonly LockedPackage[] {
  const { packages } = lock.parse(JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')));
  return Object.entries(packages)
    .filter(([folder, { link }]) => folder.startsWith('node_modules/') && !link)
    .map(([folder, { version = '', license = '', integrity, dev = false, ...on }]) => ({
      ...{ folder, version, license, integrity, dev },
      name: folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length),
      // `devOptional`: we develop with it, and a package of an installation would use it if it were there.
      optional: on.optional || on.devOptional || on.os !== undefined || on.cpu !== undefined,
    }));
}

/** What an installation has, or may have on another machine. */
export function productionPackages(): readonly LockedPackage[] {
  return lockedPackages().filter(({ dev }) => !dev);
}
