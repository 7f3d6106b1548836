import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A folder with a plugin in it. */
export interface FoundPlugin {
  /** The folder's name, which settings use for the plugin. */
  readonly folder: string;
  /** The folder with all that belongs to it. */
  readonly root: string;
  /** Absolute path of the file to import. */
  readonly entry: string;
  readonly origin: PluginOrigin;
}

/** Who wrote a plugin: us, the owner of the home, or a third party. */
export type PluginOrigin = 'bundled' | 'own' | 'added';

/** Bundled plugins that need no settings or network and cost next to nothing; the others are off by default. */
const ON_FROM_THE_START: ReadonlySet<string> = new Set(['tasks']);
const ENTRIES = ['index.ts', 'index.js', 'index.mjs'];

/**
 * Plugins in `ours/<name>/`, then those in `theirs/<name>/`, each sorted by name. Folders without an entry file are
 * ignored.
 */
export function discoverPlugins(ours: string, theirs: string | undefined): FoundPlugin[] {
  return [...foldersIn(ours, 'bundled'), ...(theirs === undefined ? [] : foldersIn(theirs, 'own'))];
}

/** What the settings and the owner say about a plugin. */
export interface Wishes {
  readonly env: NodeJS.ProcessEnv;
  /** Its section of the config files. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Set by `plugin enable` or `plugin disable`. */
  readonly decided: boolean | undefined;
}

/**
 * Whether to load it: `PLUGIN_<NAME>_ENABLED` decides, else the owner's last decision, else `enabled` in its config,
 * else whether it is bundled and on by default.
 */
export function isEnabled(found: FoundPlugin, { env, config, decided }: Wishes): boolean {
  const said = switchedBy(found.folder, env) ?? decided;
  if (said !== undefined) return said;
  if (typeof config.enabled === 'boolean') return config.enabled;
  return found.origin === 'bundled' && ON_FROM_THE_START.has(found.folder);
}

/** The value of the plugin's variable; undefined if it is not set. */
export function switchedBy(folder: string, env: NodeJS.ProcessEnv): boolean | undefined {
  const variable = env[switchOf(folder)]?.trim().toLowerCase();
  return variable ? ['true', '1', 'yes', 'on'].includes(variable) : undefined;
}

/** The variable that switches a plugin: `PLUGIN_NEXTACTIONS_ENABLED` for `next-actions`, as in the legacy Wooster. */
export function switchOf(name: string): string {
  return `PLUGIN_${name.toUpperCase().replace(/[^A-Z0-9]/gu, '')}_ENABLED`;
}

/** Sorted, so that plugins load in the same order on every machine. */
function foldersIn(dir: string, origin: PluginOrigin): FoundPlugin[] {
  if (!existsSync(dir)) return [];
  return readdirSync(dir, { withFileTypes: true })
    .filter((each) => each.isDirectory())
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(({ name }) => {
      const entry = ENTRIES.map((file) => join(dir, name, file)).find(existsSync);
      return entry === undefined ? [] : [{ folder: name, root: join(dir, name), entry, origin }];
    });
}
