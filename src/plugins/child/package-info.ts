import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../../base/json.ts';
import type { FoundPlugin } from '../discover.ts';
import { type Manifest, readManifest } from '../manifest.ts';

/** What a package says about the plugin in it, read without running it. */
export interface PackageInfo {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly manifest: Manifest;
  /** Optional variables, which it is given if they are set. */
  readonly env: readonly string[];
  /** The file to run, relative to the package. */
  readonly entry: string;
}

const Package = z.looseObject({
  name: z.string(),
  version: z.string().default('0.0.0'),
  description: z.string().default(''),
  main: z.string().optional(),
  wooster: z.looseObject({ entry: z.string().optional(), env: z.array(z.string()).default([]) }),
});

/** @throws TypeError for a package without a plugin. */
export function packageInfo(root: string): PackageInfo {
  const read = Package.safeParse(parseJson(readFileSync(join(root, 'package.json'), 'utf8')));
  if (!read.success) throw new TypeError('its package.json has no "wooster" that says what the plugin may do');
  const { name, version, description, main, wooster } = read.data;
  const entry = [wooster.entry, main, 'index.js', 'index.mjs'].find((each) => each && existsSync(join(root, each)));
  if (entry === undefined) throw new TypeError('it has no file to run: name it in "wooster": { "entry": … }');
  // Node does not strip types below node_modules.
  if (entry.endsWith('ts')) throw new TypeError(`${entry} has to be JavaScript`);
  const { hosts = [], folders = [], effects = ['none'] } = readManifest(wooster);
  return { name, version, description, env: wooster.env, entry, manifest: { hosts, folders, effects } };
}

/** The plugins that were added, each in a folder with an npm installation of its own. */
export function addedPlugins(dir: string): FoundPlugin[] {
  if (!existsSync(dir)) return [];
  return readdirSync(dir)
    .toSorted()
    .flatMap((folder) => {
      const root = packageRoot(join(dir, folder));
      if (root === undefined) return [];
      try {
        return [{ folder, root, entry: join(root, packageInfo(root).entry), origin: 'added' as const }];
      } catch {
        return [{ folder, root, entry: join(root, 'package.json'), origin: 'added' as const }];
      }
    });
}

const Installation = z.looseObject({ dependencies: z.record(z.string(), z.string()) });

/** The one package that an installation was made for. */
export function packageRoot(installation: string): string | undefined {
  const path = join(installation, 'package.json');
  if (!existsSync(path)) return undefined;
  const read = Installation.safeParse(parseJson(readFileSync(path, 'utf8')));
  const [name] = read.success ? Object.keys(read.data.dependencies) : [];
  return name === undefined ? undefined : join(installation, 'node_modules', name);
}
