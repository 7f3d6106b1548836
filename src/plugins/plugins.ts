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
import type { Plugin, PluginHost, Preparation, ScheduledTask } from './definition.ts';
import { discoverPlugins, type FoundPlugin, isEnabled, switchOf } from './discover.ts';
import { adaptLegacy, isLegacy, isLegacyClass, type ServiceMap } from './legacy.ts';
import { adaptTools, type ToolOwner } from './tool-forms.ts';

/** For `initialize` and `shutdown`. */
const START_LIMIT_MS = 10_000;
/** The user is waiting for an answer at this point. */
const PREPARE_LIMIT_MS = 2_000;
/** Variables with such a name are secrets: the redactor learns their values before the plugin does. */
const SECRET_NAME = /KEY|TOKEN|SECRET|PASSWORD|WEBHOOK/u;

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
  readonly grants: Pick<PluginHost, 'addModule' | 'addFunction' | 'registerProvider' | 'registerPricing'>;
}

interface Running {
  readonly plugin: Plugin;
  readonly tools: readonly Tool[];
  readonly tasks: readonly ScheduledTask[];
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
  async prepare(turn: Turn): Promise<{ context: string[]; tools: Tool[] }> {
    const prepared = await Promise.all(this.#running.map((each) => this.#prepareOne(each.plugin, turn)));
    return {
      context: prepared.flatMap((each) => each.context ?? []),
      tools: prepared.flatMap((each) => each.tools ?? []),
    };
  }

  /** Shut down in reverse order, since a later plugin may use an earlier one. Never rejects. */
  async shutdown(): Promise<void> {
    for (const { plugin } of this.#running.toReversed()) {
      await within(START_LIMIT_MS, async () => plugin.shutdown?.()).catch((error: unknown) =>
        this.#warn('plugin did not shut down', plugin.name, error),
      );
    }
    this.#running.length = 0;
    this.#hook?.deregister();
  }

  async #prepareOne(plugin: Plugin, turn: Turn): Promise<Preparation> {
    if (!plugin.prepare) return {};
    try {
      const { context = [], tools } = (await within(PREPARE_LIMIT_MS, async () => plugin.prepare?.(turn))) ?? {};
      return { context: context.map(String), tools: await adaptTools(tools, ownerOf(plugin)) };
    } catch (error) {
      this.#warn('plugin could not prepare the turn', plugin.name, error);
      return {};
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
    const { log, homeDir, timeZone, grants } = this.#deps;
    const env = this.#grantEnv(plugin.env ?? []);
    const host: PluginHost = { env, config: { ...config, home: homeDir }, log, timeZone, ...grants };
    await within(START_LIMIT_MS, async () => plugin.initialize?.(host));
    const tools = await adaptTools(plugin.getAgentTools?.(), ownerOf(plugin));
    this.#refuseTakenNames(tools);
    this.#running.push({ plugin, tools, tasks: plugin.getScheduledTaskSetups?.() ?? [] });
    const { name, version, description } = plugin;
    this.#status.push({ name, version, description, state: 'on', detail: '', tools: tools.map((tool) => tool.name) });
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

  /** @throws TypeError when a variable is not set. Grants what the plugin declared, never the whole environment. */
  #grantEnv(names: readonly string[]): Record<string, string> {
    const missing = names.filter((name) => !this.#deps.env[name]);
    if (missing.length > 0) throw new TypeError(`not set: ${missing.join(', ')}`);
    const granted = Object.fromEntries(names.map((name) => [name, this.#deps.env[name] ?? '']));
    for (const [name, value] of Object.entries(granted)) if (SECRET_NAME.test(name)) this.#deps.redactor.add(value);
    return granted;
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

function ownerOf(plugin: Plugin): ToolOwner {
  return { name: plugin.name, legacy: isLegacy(plugin) };
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

/** Waits at most `limitMs`. Work that takes longer goes on, but nobody waits for it. */
async function within<T>(limitMs: number, work: () => Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`not finished after ${limitMs} ms`)), limitMs);
  try {
    return await Promise.race([work(), promise]);
  } finally {
    clearTimeout(timer);
  }
}
