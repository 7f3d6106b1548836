import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Example, readExamples } from '../base/examples.ts';

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

/** What a bundled plugin says about itself in `plugin.json`, which is known while it is off and not loaded. */
export interface PluginCard {
  readonly description: string;
  /** Paths below the home: one of them exists where the plugin was used before. */
  readonly keeps: readonly string[];
}

/** Beside the entry file, one example in each line. */
const EXAMPLES = 'examples.jsonl';
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
  readonly homeDir: string;
}

/**
 * Whether to load it: `PLUGIN_<NAME>_ENABLED` decides, else the owner's last decision, else `enabled` in its config,
 * else whether it is bundled and in use: the home has its files, or its settings are given.
 */
export function isEnabled(found: FoundPlugin, { env, config, decided, homeDir }: Wishes): boolean {
  const said = switchedBy(found.folder, env) ?? decided;
  if (said !== undefined) return said;
  if (typeof config.enabled === 'boolean') return config.enabled;
  const { keeps = [] } = cardOf(found) ?? {};
  const hasSettings = Object.values(config).some(Boolean);
  return keeps.length > 0 && (hasSettings || keeps.some((path) => existsSync(join(homeDir, path))));
}

/** Of a bundled plugin that has one. */
export function cardOf({ root, origin }: FoundPlugin): PluginCard | undefined {
  const path = join(root, 'plugin.json');
  if (origin !== 'bundled' || !existsSync(path)) return undefined;
  return JSON.parse(readFileSync(path, 'utf8')) as PluginCard;
}

/** What people say for its tools. @throws Error that names the line which is no example. */
export function examplesOf({ root, folder }: Pick<FoundPlugin, 'root' | 'folder'>): readonly Example[] {
  const path = join(root, EXAMPLES);
  return existsSync(path) ? readExamples(readFileSync(path, 'utf8'), join(folder, EXAMPLES)) : [];
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
