import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A folder with a plugin in it. */
export interface FoundPlugin {
  /** The folder's name, which settings use for the plugin. */
  readonly folder: string;
  /** Absolute path of the file to import. */
  readonly entry: string;
  /** It comes with the program. */
  readonly builtIn: boolean;
}

/** Bundled plugins that need no settings and no network, and cost next to nothing; all others wait to be asked for. */
const ON_FROM_THE_START: ReadonlySet<string> = new Set(['tasks']);
const ENTRIES = ['index.ts', 'index.js', 'index.mjs'];

/**
 * Plugins in `ours/<name>/`, then those in `theirs/<name>/`, each sorted by name. Folders without an entry file are
 * ignored.
 */
export function discoverPlugins(ours: string, theirs: string | undefined): FoundPlugin[] {
  return [...foldersIn(ours, true), ...(theirs === undefined ? [] : foldersIn(theirs, false))];
}

/**
 * Whether to load it: `PLUGIN_<NAME>_ENABLED` decides, else `enabled` in its config, else whether it is bundled and on
 * from the start.
 */
export function isEnabled(
  found: FoundPlugin,
  env: NodeJS.ProcessEnv,
  config: Readonly<Record<string, unknown>>,
): boolean {
  const variable = env[switchOf(found.folder)]?.trim().toLowerCase();
  if (variable) return ['true', '1', 'yes', 'on'].includes(variable);
  return typeof config.enabled === 'boolean' ? config.enabled : found.builtIn && ON_FROM_THE_START.has(found.folder);
}

/** The variable that switches a plugin: `PLUGIN_NEXTACTIONS_ENABLED` for `next-actions`, as in the legacy Wooster. */
export function switchOf(name: string): string {
  return `PLUGIN_${name.toUpperCase().replace(/[^A-Z0-9]/gu, '')}_ENABLED`;
}

/** Sorted, so that plugins load in the same order on every machine. */
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
