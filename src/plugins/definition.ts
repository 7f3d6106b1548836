import type { Log } from '../base/log.ts';
import type { Turn } from '../base/turn.ts';
import type { ProviderFactory } from '../models/providers/provider.ts';
import type { Tool } from '../tools/tool.ts';

/** What a plugin is given, once, at start: only what it asked for. */
export interface PluginHost {
  /** The variables named in the plugin's `env`, all of them set. */
  readonly env: Readonly<Record<string, string>>;
  /** The plugin's own part of the config files, `plugins.<name>`, plus `home`, the folder of the user's files. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly log: Log;
  /** The owner's IANA zone; tools find it in their context, beside `now()`. */
  readonly timeZone: string;
  /** Make `import … from 'name'` work in scripts. `source` is ECMAScript, no imports of its own. */
  addModule(name: string, source: string): void;
  /** Make `name(...)` work in scripts. Inputs and results cross as JSON; it must not act on the world: tools do. */
  addFunction(name: string, run: (...args: unknown[]) => unknown): void;
  /** Offer a model provider under `name:model`. */
  registerProvider(name: string, factory: ProviderFactory): void;
  /** Prices in US dollars per million tokens. */
  registerPricing(model: string, price: { input: number; output: number; cachedInput?: number }): void;
}

/** A function that the scheduler runs without a model. The key is its identity: seeded once, updated when it changes. */
export interface ScheduledTask {
  readonly taskKey: string;
  readonly description: string;
  /** Cron expression or words, as in `wooster schedule add --when`. */
  readonly schedule: string;
  readonly payload?: unknown;
  run(payload: unknown, signal: AbortSignal): Promise<string | undefined>;
}

/** What a plugin adds to one turn. */
export interface Preparation {
  readonly context?: readonly string[];
  readonly tools?: readonly Tool[];
}

/** The same, complete: what a turn is given by all plugins, and by its workspace. */
export type Prepared = Required<Preparation>;

export interface Plugin {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  /** Variables without which it cannot work: one absent stops this plugin, never the program. */
  readonly env?: readonly string[];
  initialize?(host: PluginHost): void | Promise<void>;
  getAgentTools?(): readonly Tool[];
  getScheduledTaskSetups?(): readonly ScheduledTask[];
  /** Runs before every turn and must be quick: after two seconds the turn goes on without it. */
  prepare?(turn: Turn): Preparation | Promise<Preparation>;
  shutdown?(): void | Promise<void>;
}

/** What methods see as `this`: the plugin, and whatever fields it gave itself. */
type Self = Plugin & Record<string, unknown>;

/** Identity for inference. Methods may keep state in fields of `this`. */
export function definePlugin(plugin: Plugin & ThisType<Self>): Plugin {
  return plugin;
}
