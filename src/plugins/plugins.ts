import { registerHooks } from 'node:module';
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
import { adaptLegacy, isLegacyClass, type ServiceMap } from './legacy.ts';

const START_LIMIT_MS = 10_000;
const PREPARE_LIMIT_MS = 2_000;
const SECRET_NAME = /KEY|TOKEN|SECRET|PASSWORD|WEBHOOK/u;

/** What became of one folder, for `wooster plugins`. */
export interface PluginStatus {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly state: 'on' | 'off' | 'failed';
  readonly detail: string;
  readonly tools: readonly string[];
}

export interface PluginsDeps {
  readonly oursDir: string;
  readonly theirsDir: string;
  readonly homeDir: string;
  /** The owner's IANA zone. */
  readonly timeZone: string;
  readonly env: NodeJS.ProcessEnv;
  /** `plugins.<name>` of the config files. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly log: Log;
  readonly redactor: Redactor;
  /** Tools whose names a plugin may not take. */
  readonly reserved: readonly Tool[];
  readonly grants: Pick<PluginHost, 'addModule' | 'addFunction' | 'registerProvider' | 'registerPricing'>;
}

interface Running {
  readonly plugin: Plugin;
  readonly tools: readonly Tool[];
  readonly tasks: readonly ScheduledTask[];
}

/** All plugins: those that run, and why the others do not. A plugin that cannot start is reported and skipped. */
export class Plugins {
  readonly #deps: PluginsDeps;
  readonly #running: Running[] = [];
  readonly #status: PluginStatus[] = [];
  readonly #services: ServiceMap = new Map();

  private constructor(deps: PluginsDeps) {
    this.#deps = deps;
  }

  static async load(deps: PluginsDeps): Promise<Plugins> {
    const plugins = new Plugins(deps);
    resolvePluginImports();
    for (const found of discoverPlugins(deps.oursDir, deps.theirsDir)) await plugins.#start(found);
    return plugins;
  }

  list(): readonly PluginStatus[] {
    return this.#status;
  }

  tools(): readonly Tool[] {
    return this.#running.flatMap((each) => each.tools);
  }

  tasks(): readonly ScheduledTask[] {
    return this.#running.flatMap((each) => each.tasks);
  }

  /** Context lines and tools for one turn; a plugin that throws or dawdles adds nothing. */
  async prepare(turn: Turn): Promise<{ context: string[]; tools: Tool[] }> {
    const prepared = await Promise.all(this.#running.map((each) => this.#prepareOne(each.plugin, turn)));
    return {
      context: prepared.flatMap((each) => each.context ?? []),
      tools: prepared.flatMap((each) => each.tools ?? []),
    };
  }

  async shutdown(): Promise<void> {
    for (const { plugin } of this.#running.toReversed()) {
      await within(START_LIMIT_MS, async () => plugin.shutdown?.()).catch((error: unknown) =>
        this.#warn('plugin did not shut down', plugin.name, error),
      );
    }
    this.#running.length = 0;
  }

  async #prepareOne(plugin: Plugin, turn: Turn): Promise<Preparation> {
    if (!plugin.prepare) return {};
    try {
      return (await within(PREPARE_LIMIT_MS, async () => plugin.prepare?.(turn))) ?? {};
    } catch (error) {
      this.#warn('plugin could not prepare the turn', plugin.name, error);
      return {};
    }
  }

  async #start(found: FoundPlugin): Promise<void> {
    const config = this.#configOf(found.folder);
    const about = { name: found.folder, version: '', description: '', tools: [] };
    if (!isEnabled(found, this.#deps.env, config)) {
      this.#status.push({ ...about, state: 'off', detail: `set ${switchOf(found.folder)}=true to switch it on` });
      return;
    }
    try {
      await this.#run(found, config);
    } catch (error) {
      this.#warn('plugin skipped', found.folder, error);
      this.#status.push({ ...about, state: 'failed', detail: this.#deps.redactor.redact(messageOf(error)) });
    }
  }

  async #run(found: FoundPlugin, config: Record<string, unknown>): Promise<void> {
    const plugin = await this.#import(found);
    const { log, homeDir, timeZone, grants } = this.#deps;
    const env = this.#grantEnv(plugin.env ?? []);
    const host: PluginHost = { env, config: { ...config, home: homeDir }, log, timeZone, ...grants };
    await within(START_LIMIT_MS, async () => plugin.initialize?.(host));
    const tools = plugin.getAgentTools?.() ?? [];
    this.#refuseTakenNames(tools);
    this.#running.push({ plugin, tools, tasks: plugin.getScheduledTaskSetups?.() ?? [] });
    const { name, version, description } = plugin;
    this.#status.push({ name, version, description, state: 'on', detail: '', tools: tools.map((tool) => tool.name) });
  }

  async #import(found: FoundPlugin): Promise<Plugin> {
    const module: { default?: unknown } = await import(pathToFileURL(found.entry).href);
    const exported = module.default;
    if (isLegacyClass(exported)) return adaptLegacy(exported, this.#services);
    if (!isRecord(exported) || typeof exported.name !== 'string') {
      throw new TypeError('its index must export a plugin (definePlugin) as the default');
    }
    return exported as unknown as Plugin;
  }

  #grantEnv(names: readonly string[]): Record<string, string> {
    const missing = names.filter((name) => !this.#deps.env[name]);
    if (missing.length > 0) throw new TypeError(`not set: ${missing.join(', ')}`);
    const granted = Object.fromEntries(names.map((name) => [name, this.#deps.env[name] ?? '']));
    for (const [name, value] of Object.entries(granted)) if (SECRET_NAME.test(name)) this.#deps.redactor.add(value);
    return granted;
  }

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

/** Lets plugins outside the checkout import `#plugin`. */
function resolvePluginImports(): void {
  const barrel = new URL('./plugin.ts', import.meta.url).href;
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === '#plugin' ? { url: barrel, shortCircuit: true } : next(specifier, context),
  });
}

async function within<T>(limitMs: number, work: () => Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no end after ${limitMs} ms`)), limitMs);
  try {
    return await Promise.race([work(), promise]);
  } finally {
    clearTimeout(timer);
  }
}
