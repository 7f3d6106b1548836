import { systemClock } from '../base/clock.ts';
import { AssistantError, messageOf } from '../base/errors.ts';
import { isRecord } from '../base/json.ts';
import type { Log } from '../base/log.ts';
import type { Redactor } from '../base/redact.ts';
import type { ForeignDeps } from './child/foreign-plugin.ts';
import { addedPlugins, packageInfo } from './child/package-info.ts';
import { type Content, changedPaths, contentDiff, digestOf, readContent } from './content.ts';
import type { Plugin } from './definition.ts';
import { discoverPlugins, type FoundPlugin, isEnabled, switchedBy, switchOf } from './discover.ts';
import type { ServiceMap } from './legacy.ts';
import type { Manifest } from './manifest.ts';
import { manifestOf, openPlugin, type PluginImports, resolvePluginImports } from './open-plugin.ts';
import { Switches } from './switches.ts';
import { type Watch, Watchdog } from './watchdog.ts';
import { within } from './within.ts';

/** Below the home: plugins that are not the owner's. */
export const ADDED_PLUGINS = ['state', 'plugins'];

const IMPORT_LIMIT_MS = 10_000;
/** Characters of a file's hash in the URL of the loaded copy. */
const COPY_CHARS = 12;

export interface FoldersDeps {
  /** The folder of the bundled plugins. */
  readonly oursDir: string;
  /** The folder of the owner's own plugins, if they may run here. */
  readonly theirsDir: string | undefined;
  /** The folder of third-party plugins, and what their processes need. */
  readonly addedDir?: string | undefined;
  readonly foreign?: Omit<ForeignDeps, 'homeDir' | 'timeZone' | 'env' | 'log' | 'redactor'>;
  /** The file with the owner's decisions about plugins; absent: nothing is saved. */
  readonly switchesFile?: string;
  /** Other homes in this process have the same plugins, whose module variables must not be shared with ours. */
  readonly ownInstances?: boolean;
  /** Why a plugin's file must not be run, if somebody else may have written it. */
  readonly whyNot?: (entry: string) => Promise<string | undefined>;
  readonly homeDir: string;
  readonly timeZone: string;
  readonly env: NodeJS.ProcessEnv;
  readonly redactor: Redactor;
  /** The section `plugins` of the config files, by plugin. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly log: Log;
}

/** What the owner reviews before switching a plugin on. */
export interface Review {
  readonly name: string;
  readonly entry: string;
  readonly origin: FoundPlugin['origin'];
  /** Its files, or the changes since the owner last agreed to them. */
  readonly lines: readonly string[];
  readonly changed: boolean;
  /** Its permissions, if its package.json lists them. */
  readonly manifest: Manifest | undefined;
  /** Why it was switched off while it ran. */
  readonly fault: string | undefined;
}

/** The folders with plugins, the owner's decisions about each, and their code. */
export class PluginFolders {
  readonly #deps: FoldersDeps;
  readonly #switches: Switches;
  readonly #imports: PluginImports;
  readonly #services: ServiceMap;
  readonly #held: (root: string, why: string) => void;
  readonly #watchdog: Watchdog;
  readonly #watches = new Map<string, Watch>();
  /** The most recently opened copies, by folder. */
  readonly #opened = new Map<string, string>();

  /**
   * @param services shared by legacy plugins.
   * @param held gets the folder of a plugin that blocked the event loop, and what to say about it.
   */
  constructor(deps: FoldersDeps, services: ServiceMap, held: (root: string, why: string) => void) {
    this.#deps = deps;
    this.#services = services;
    this.#held = held;
    this.#watchdog = new Watchdog(held);
    this.#switches = new Switches(deps.switchesFile);
    this.#imports = resolvePluginImports();
  }

  find(): FoundPlugin[] {
    const { oursDir, theirsDir, addedDir } = this.#deps;
    const [added, names] = [addedDir === undefined ? [] : addedPlugins(addedDir), new Set<string>()];
    // Of two with the same name the first one wins.
    return [...discoverPlugins(oursDir, theirsDir), ...added].filter(
      ({ folder }) => !names.has(folder) && names.add(folder),
    );
  }

  /** Whether the owner has decided something since the last call, here or in another program. */
  hasNews(): boolean {
    return this.#switches.read();
  }

  configOf(name: string): Record<string, unknown> {
    const config = this.#deps.config[name];
    return isRecord(config) ? config : {};
  }

  isWanted(found: FoundPlugin): boolean {
    const { enabled, fault } = this.#switches.of(found.folder);
    const { env, homeDir } = this.#deps;
    const config = this.configOf(found.folder);
    return fault === undefined && isEnabled(found, { env, config, decided: enabled, homeDir });
  }

  /** Whether the opened copy is still what the owner has agreed to. */
  isCurrent({ folder }: FoundPlugin): boolean {
    const { pinned } = this.#switches.of(folder);
    const opened = this.#opened.get(folder);
    return pinned === undefined || opened === undefined || copyOf(pinned) === opened;
  }

  /** @returns how to switch it on, for a plugin that is off. @throws Error why one that is on cannot be loaded. */
  async open(found: FoundPlugin): Promise<Plugin | string> {
    const { folder, root, entry } = found;
    const { fault } = this.#switches.of(folder);
    if (fault) throw new Error(`${fault.why}; "wooster plugins enable ${folder}" lets it try again`);
    if (!this.isWanted(found)) return `wooster plugins enable ${folder}, or ${switchOf(folder)}=true, switches it on`;
    const why = await this.#deps.whyNot?.(entry);
    if (why !== undefined) throw new Error(`it is not run, because ${why}; wooster trust ${entry}`);
    const copy = found.origin === 'bundled' ? '' : await this.#pinned(found);
    this.#opened.set(folder, copy);
    if (found.origin === 'added') return this.#foreign(found, copy);
    this.#imports.allow(root);
    const home = this.#deps.ownInstances ? this.#deps.homeDir : '';
    const opening = { entry, copy: `${copy}${home}` || undefined, services: this.#services };
    const watch = this.watchOf(found);
    return within(IMPORT_LIMIT_MS, () => (watch ? watch(() => openPlugin(opening)) : openPlugin(opening)));
  }

  /** For the owner's code in this process; ours does not block, and third parties' has its own process. */
  watchOf(found: FoundPlugin | undefined): Watch | undefined {
    if (found?.origin !== 'own') return undefined;
    const known = this.#watches.get(found.root) ?? this.#watchdog.watch(found.root);
    this.#watches.set(found.root, known);
    return known;
  }

  /** @throws AssistantError `bad_usage` when there is no such plugin. */
  review(name: string): Review {
    const found = this.#known(name);
    const { folder, root, entry, origin } = found;
    const { pinned, fault } = this.#switches.of(folder);
    const content = origin === 'bundled' ? {} : readContent(root);
    const changed = pinned !== undefined && changedPaths(pinned, content).length > 0;
    const lines = changed ? contentDiff(pinned, content) : Object.keys(content);
    return { name: folder, entry, origin, lines, changed, manifest: manifestOf(found), fault: fault?.why };
  }

  /**
   * The owner switches a plugin on, and agrees to its files as they are now, or off.
   *
   * @throws AssistantError `bad_usage` when there is no such plugin, or its variable says otherwise.
   */
  async decide(name: string, enabled: boolean): Promise<void> {
    const { folder, root, origin } = this.#known(name);
    const { pinned } = this.#switches.of(folder);
    if (switchedBy(folder, this.#deps.env) === !enabled) {
      const variable = `${switchOf(folder)}=${this.#deps.env[switchOf(folder)]}`;
      const hint = 'Take the variable out of .env or the environment; then this command decides.';
      throw new AssistantError('bad_usage', `${variable} decides about the plugin ${folder}.`, { hint });
    }
    const content = enabled && origin !== 'bundled' ? readContent(root) : pinned;
    await this.#switches.set(folder, { enabled, ...(content ? { pinned: content } : {}) });
  }

  /** Forget every decision about a plugin. */
  async forget(name: string): Promise<void> {
    await this.#switches.set(name, undefined);
  }

  /** Keep it off until the owner switches it on again. */
  async blame(name: string, why: string): Promise<void> {
    const fault = { why, at: systemClock.now().toISOString() };
    await this.#keep(name, () => this.#switches.set(name, { ...this.#switches.of(name), fault }));
  }

  async #foreign(found: FoundPlugin, copy: string): Promise<Plugin> {
    if (!this.#deps.foreign) throw new TypeError('plugins of others are not run here');
    const { foreignPlugin } = await import('./child/foreign-plugin.ts');
    const start = { config: this.configOf(found.folder), copy };
    return foreignPlugin(found, packageInfo(found.root), start, {
      ...{ ...this.#deps, ...this.#deps.foreign },
      held: (why) => this.#held(found.root, why),
    });
  }

  close(): void {
    this.#watchdog.close();
    this.#imports.deregister();
  }

  #known(name: string): FoundPlugin {
    const found = this.find().find(({ folder }) => folder === name);
    if (found) return found;
    throw new AssistantError('bad_usage', `There is no plugin "${name}".`, {
      hint: '"wooster plugins list" has them.',
    });
  }

  /** The first start with its switch on is the owner's consent to its files. @returns the name of the copy. */
  async #pinned({ folder, root }: FoundPlugin): Promise<string> {
    const content = readContent(root);
    const known = this.#switches.of(folder);
    if (!known.pinned) await this.#keep(folder, () => this.#switches.set(folder, { ...known, pinned: content }));
    const changed = changedPaths(known.pinned ?? content, content);
    if (changed.length === 0) return copyOf(content);
    throw new Error(
      `its files have changed since you switched it on (${changed.slice(0, 5).join(', ')}); ` +
        `"wooster plugins enable ${folder}" shows what, and takes the change`,
    );
  }

  /** A read-only home works, but saves nothing. */
  async #keep(plugin: string, write: () => Promise<void>): Promise<void> {
    await write().catch((error: unknown) => {
      this.#deps.log.warn('what was decided about a plugin is not kept', { plugin, error: messageOf(error) });
    });
  }
}

function copyOf(content: Content): string {
  return digestOf(content).slice(0, COPY_CHARS);
}
