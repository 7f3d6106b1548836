import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A folder that holds a plugin. */
export interface FoundPlugin {
  readonly folder: string;
  readonly entry: string;
  /** Ours are on unless switched off; the user's are off unless switched on. */
  readonly builtIn: boolean;
}

const ENTRIES = ['index.ts', 'index.js', 'index.mjs'];

/** Plugins in `ours/<name>/` and `theirs/<name>/`, by name; a folder without an entry file is none. */
export function discoverPlugins(ours: string, theirs: string): FoundPlugin[] {
  return [...foldersIn(ours, true), ...foldersIn(theirs, false)];
}

/** @param env `PLUGIN_<NAME>_ENABLED` decides, then `enabled` in the config, then whether it is ours. */
export function isEnabled(
  found: FoundPlugin,
  env: NodeJS.ProcessEnv,
  config: Readonly<Record<string, unknown>>,
): boolean {
  const variable = env[switchOf(found.folder)]?.trim().toLowerCase();
  if (variable) return ['true', '1', 'yes', 'on'].includes(variable);
  return typeof config.enabled === 'boolean' ? config.enabled : found.builtIn;
}

/** `next-actions` is switched by `PLUGIN_NEXTACTIONS_ENABLED`, as in earlier versions. */
export function switchOf(name: string): string {
  return `PLUGIN_${name.toUpperCase().replace(/[^A-Z0-9]/gu, '')}_ENABLED`;
}

function foldersIn(dir: string, builtIn: boolean): FoundPlugin[] {
  if (!existsSync(dir)) return [];
  return readdirSync(dir, { withFileTypes: true })
    .filter((each) => each.isDirectory())
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(({ name }) => {
      const entry = ENTRIES.map((file) => join(dir, name, file)).find(existsSync);
      return entry === undefined ? [] : [{ folder: name, entry, builtIn }];
    });
}
