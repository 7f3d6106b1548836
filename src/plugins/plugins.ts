import { realpathSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { messageOf } from '../base/errors.ts';
import { isRecord } from '../base/json.ts';
import type { Log } from '../base/log.ts';
import type { Redactor } from '../base/redact.ts';
import type { Turn } from '../base/turn.ts';
import { modelToolName } from '../tools/gate/toolbox.ts';
import type { Tool } from '../tools/tool.ts';
import type { Plugin, Prepared, ScheduledTask } from './definition.ts';
import { discoverPlugins, type FoundPlugin, isEnabled, switchOf } from './discover.ts';
import { adaptLegacy, isLegacyClass, type ServiceMap } from './legacy.ts';
import { type Running, START_LIMIT_MS, type StartDeps, startPlugin } from './running.ts';

/** The user is waiting for an answer at this point. */
const PREPARE_LIMIT_MS = 2_000;
/** One plugin folder as `wooster plugins` shows it. */
export interface PluginStatus {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly state: 'on' | 'off' | 'failed';
  /** How to switch it on, or why it failed; otherwise empty. */
  readonly detail: string;
  readonly tools: readonly string[];
}

export interface PluginsDeps {
  /** The folder of the bundled plugins. */
  readonly oursDir: string;
  /** The folder of the user's own plugins, if they may run here. */
  readonly theirsDir: string | undefined;
  /** Other homes in this process have the same plugins: what theirs keep in variables must not be shared with ours. */
  readonly ownInstances?: boolean;
  /** Why a plugin's file must not be run, if somebody else may have written it. */
  readonly whyNot?: (entry: string) => Promise<string | undefined>;
  /** Passed in by the program that embeds us; they are on, whatever the settings say. */
  readonly given?: readonly Plugin[];
  /** Passed to plugins as `config.home`. */
  readonly homeDir: string;
  /** The owner's IANA zone. */
  readonly timeZone: string;
  readonly env: NodeJS.ProcessEnv;
  /** The section `plugins` of the config files, by plugin. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly log: Log;
  readonly redactor: Redactor;
  /** Tools whose names plugins may not use. */
  readonly reserved: readonly Tool[];
  /** The methods of `PluginHost` that other modules provide. */
  readonly grants: StartDeps['grants'];
  readonly gateway: StartDeps['gateway'];
}

/**
 * The plugins of the program: those that are running, and why the others are not.
 *
 * They load one after the other, so that tool names are given out in a fixed order. A plugin that cannot start is
 * logged, shown by `wooster plugins` and skipped; nothing a plugin does stops the program.
 */
export class Plugins {
  readonly #deps: PluginsDeps;
  readonly #running: Running[] = [];
  readonly #status: PluginStatus[] = [];
  readonly #services: ServiceMap = new Map();
  #hook: { deregister(): void } | undefined;

  private constructor(deps: PluginsDeps) {
    this.#deps = deps;
  }

  /** Find, check and start all plugins that are switched on. Never rejects because of a plugin. */
  static async load(deps: PluginsDeps): Promise<Plugins> {
    const plugins = new Plugins(deps);
    const folders = discoverPlugins(deps.oursDir, deps.theirsDir);
    plugins.#hook = resolvePluginImports(folders);
    for (const found of folders) await plugins.#start(found);
    for (const plugin of deps.given ?? []) await plugins.#attempt(plugin.name, async () => plugin);
    return plugins;
  }

  /** Every plugin folder, also those that are off or failed. */
  list(): readonly PluginStatus[] {
    return this.#status;
  }

  /** Tools of all running plugins, in loading order. */
  tools(): readonly Tool[] {
    return this.#running.flatMap((each) => each.tools);
  }

  tasks(): readonly ScheduledTask[] {
    return this.#running.flatMap((each) => each.tasks);
  }

  /** Context lines and tools for one turn. A plugin that throws or takes too long adds nothing. */
  async prepare(turn: Turn): Promise<Prepared> {
    const prepared = await Promise.all(this.#running.map((each) => this.#prepareOne(each, turn)));
    return {
      context: prepared.flatMap(({ context }) => context),
      tools: prepared.flatMap(({ tools }) => tools),
    };
  }

  /** Shut down in reverse order, since a later plugin may use an earlier one. Never rejects. */
  async shutdown(): Promise<void> {
    for (const { plugin, call } of this.#running.toReversed()) {
      await call(START_LIMIT_MS, () => plugin.shutdown?.()).catch((error: unknown) =>
        this.#warn('plugin did not shut down', plugin.name, error),
      );
    }
    this.#running.length = 0;
    this.#hook?.deregister();
  }

  async #prepareOne({ plugin, call, adapt }: Running, turn: Turn): Promise<Prepared> {
    if (!plugin.prepare) return { context: [], tools: [] };
    try {
      const { context = [], tools } = (await call(PREPARE_LIMIT_MS, () => plugin.prepare?.(turn))) ?? {};
      return { context: context.map(String), tools: await adapt(tools) };
    } catch (error) {
      this.#warn('plugin could not prepare the turn', plugin.name, error);
      return { context: [], tools: [] };
    }
  }

  async #start(found: FoundPlugin): Promise<void> {
    const { folder } = found;
    if (!isEnabled(found, this.#deps.env, this.#configOf(folder))) {
      this.#status.push({ ...nothingOf(folder), state: 'off', detail: `set ${switchOf(folder)}=true to switch it on` });
      return;
    }
    await this.#attempt(folder, () => this.#import(found));
  }

  async #attempt(name: string, open: () => Promise<Plugin>): Promise<void> {
    try {
      await this.#run(await open(), this.#configOf(name));
    } catch (error) {
      this.#warn('plugin skipped', name, error);
      this.#status.push({ ...nothingOf(name), state: 'failed', detail: this.#deps.redactor.redact(messageOf(error)) });
    }
  }

  async #run(plugin: Plugin, config: Record<string, unknown>): Promise<void> {
    const services = (name: string) => this.#offered(name);
    const started = await startPlugin(plugin, config, { ...this.#deps, services });
    this.#refuseTakenNames(started.tools);
    this.#running.push(started);
    const { name, version, description } = plugin;
    const tools = started.tools.map((tool) => tool.name);
    this.#status.push({ name, version, description, state: 'on', detail: '', tools });
  }

  /** What the running plugins offer under a name, in loading order. */
  #offered(name: string): unknown[] {
    const registered = this.#services.has(name) ? [this.#services.get(name)] : [];
    return [...this.#running.flatMap(({ services }) => (name in services ? [services[name]] : [])), ...registered];
  }

  async #import(found: FoundPlugin): Promise<Plugin> {
    const why = await this.#deps.whyNot?.(found.entry);
    if (why !== undefined) throw new Error(`it is not run, because ${why}; wooster trust ${found.entry}`);
    const url = pathToFileURL(found.entry);
    // A module is loaded once per URL, and again for another one.
    if (this.#deps.ownInstances) url.searchParams.set('home', this.#deps.homeDir);
    const module: { default?: unknown } = await import(url.href);
    const exported = module.default;
    if (isLegacyClass(exported)) return adaptLegacy(exported, this.#services);
    if (!isRecord(exported) || typeof exported.name !== 'string') {
      throw new TypeError('its index file must export a plugin (definePlugin) by default');
    }
    return exported as unknown as Plugin;
  }

  /** Compared as a model sees them: `a.b` and `a_b` are the same name. */
  #refuseTakenNames(tools: readonly Tool[]): void {
    const taken = new Set([...this.#deps.reserved, ...this.tools()].map((tool) => modelToolName(tool.name)));
    const clash = tools.find((tool) => taken.has(modelToolName(tool.name)));
    if (clash) throw new TypeError(`the tool name "${clash.name}" is taken`);
  }

  #configOf(name: string): Record<string, unknown> {
    const config = this.#deps.config[name];
    return isRecord(config) ? config : {};
  }

  #warn(message: string, plugin: string, error: unknown): void {
    this.#deps.log.warn(message, { plugin, error: messageOf(error) });
  }
}

function nothingOf(name: string): Pick<PluginStatus, 'name' | 'version' | 'description' | 'tools'> {
  return { name, version: '', description: '', tools: [] };
}

/** Let plugins in these folders import `#plugin`; other code of the process may mean something else by that name. */
function resolvePluginImports(folders: readonly FoundPlugin[]): { deregister(): void } {
  const barrel = new URL('./plugin.ts', import.meta.url).href;
  // Node names a module by its real path, whatever links lead to it.
  const ours = folders.map(({ entry }) => `${pathToFileURL(dirname(realpathSync(entry))).href}/`);
  return registerHooks({
    resolve: (specifier, context, next) =>
      specifier === '#plugin' && ours.some((dir) => context.parentURL?.startsWith(dir))
        ? { url: barrel, shortCircuit: true }
        : next(specifier, context),
  });
}
