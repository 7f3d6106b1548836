import type { z } from 'zod';
import type { Log } from '../base/log.ts';
import type { Answer, Turn } from '../base/turn.ts';
import type { PluginOffer } from '../models/message-data.ts';
import type { ProviderFactory } from '../models/providers/provider.ts';
import type { DialTarget } from '../net/dial.ts';
import type { Gateway } from '../net/types.ts';
import type { ObservedCall, ObservedResult } from '../tools/gate/types.ts';
import type { Tool } from '../tools/tool.ts';
import type { Manifest } from './manifest.ts';

/**
 * What a plugin gets when it starts, and its only access to the program.
 *
 * Store in `this.state` what other methods need. Everything added here disappears when the program ends.
 */
export interface PluginHost<Settings = unknown> {
  /** The variables named in the plugin's `env`, all of them set, and those of `optionalEnv` that are. No others. */
  readonly env: Readonly<Record<string, string>>;
  /** The plugin's own section of the config files, `plugins.<name>`, as its `settings` read it. */
  readonly settings: Settings;
  /** The plugin's own section of the config files, `plugins.<name>`, with the folders `home` and `projects`. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Writes to `logs/`; secrets are removed from what is written. */
  readonly log: Log;
  /** The owner's IANA zone; tools find it in their context, beside `now()`. */
  readonly timeZone: string;
  /**
   * Whether `wooster undo` brings back what a tool replaces there by `replaceFile` and `removeFile`. A tool that
   * changes such files alone declares `durability: { versioned: true }`; what it does then needs no approval.
   *
   * @param path  absolute.
   */
  versioned(path: string): boolean;
  /** As the global `fetch`, to the plugin's `hosts` alone; every redirect is judged too. */
  readonly fetch: typeof globalThis.fetch;
  /**
   * Open a connection to one of the plugin's `hosts`, for protocols other than HTTP. The caller closes it.
   *
   * @throws AssistantError `egress_refused` for another host or port, `egress_failed` when nobody answers.
   */
  dial(host: string, port: number, options?: Pick<DialTarget, 'tls' | 'signal'>): ReturnType<Gateway['dial']>;
  /**
   * What another plugin offers under a name, see `getServices`. The plugin has started already if `uses` has the name.
   *
   * @returns the first one in loading order; undefined when no running plugin offers it.
   */
  service<Service>(name: string): Service | undefined;
  /** What all running plugins offer under a name. */
  services<Service>(name: string): readonly Service[];
  /**
   * Make `import … from 'name'` work in the scripts of code mode.
   *
   * @param source  an ECMAScript module without imports of its own. It runs in the sandbox: no network, no files.
   */
  addModule(name: string, source: string): void;
  /**
   * Make `name(...)` work in the scripts of code mode.
   *
   * Arguments and result are copied as JSON. The function runs in the program itself and is not subject to approval, so
   * it must not change or send anything; offer a tool for that. A name that is taken leaves this function out, which
   * `wooster plugins` tells.
   */
  addFunction(name: string, run: (...args: unknown[]) => unknown): void;
  /** Add a model provider, whose models are then called `name:model`. */
  registerProvider(name: string, factory: ProviderFactory): void;
  /** Set the price of a model, in US dollars per million tokens, for budgets and `wooster usage`. */
  registerPricing(model: string, price: { input: number; output: number; cachedInput?: number }): void;
}

/**
 * A function that the scheduler runs without a model.
 *
 * It becomes a scheduled job when the plugin is first loaded. A changed `schedule` updates the job; what the user
 * changed or paused stays that way.
 */
export interface ScheduledTask {
  /** Identifies the job from one start to the next, so it must never change: `tides.daily`. */
  readonly taskKey: string;
  /** Shown by `wooster schedule list`. */
  readonly description: string;
  /** A cron expression or words, as in `wooster schedule add --when`. */
  readonly schedule: string;
  /** Passed to `run` as JSON. */
  readonly payload?: unknown;
  /** @returns a message for the user; undefined or an empty text sends nothing. `signal` fires at the deadline. */
  run(payload: unknown, signal: AbortSignal): Promise<string | undefined>;
}

/** What a plugin adds to one turn: lines for the prompt, and tools that exist in this turn only. */
export interface Preparation {
  readonly context?: readonly string[];
  readonly tools?: readonly Tool[];
}

/** What all plugins and the workspace together add to a turn. */
export type Prepared = Required<Preparation> & {
  /** The context contains facts about the owner, so the turn has read something private. */
  readonly private?: boolean;
  /** What the context tells of the owner, one fact each. */
  readonly facts?: readonly string[];
  /** What plugins that are off would do. */
  readonly offers?: readonly PluginOffer[];
};

/**
 * A plugin: the default export of `<name>/index.ts`.
 *
 * Methods are called in this order: `initialize` once, `getAgentTools` and `getScheduledTaskSetups` once, `prepare`
 * before every turn, `shutdown` once. A method that throws while the plugin starts switches the plugin off for this run
 * of the program; it never stops the program.
 */
export interface Plugin<Settings extends z.ZodType = z.ZodType> extends Manifest {
  /** Shown by `wooster plugins`. Settings use the name of the folder. */
  readonly name: string;
  readonly version: string;
  readonly description: string;
  /** Environment variables the plugin needs. If one is missing, the plugin is skipped and `wooster plugins` says so. */
  readonly env?: readonly string[];
  /** Variables that the plugin can use if they are set. */
  readonly optionalEnv?: readonly string[];
  /** Reads the section `plugins.<name>` of the config files; an invalid field is named and switches the plugin off. */
  readonly settings?: Settings;
  /** Services that it needs from other plugins, which then start before it; `name?` for an optional one. */
  readonly uses?: readonly string[];
  /** Names under which it offers services to other plugins. */
  readonly provides?: readonly string[];
  /** Get ready; at most ten seconds. Other methods are called only when this has succeeded. */
  initialize?(host: PluginHost<z.output<Settings>>): void | Promise<void>;
  /** The services named in `provides`. */
  getServices?(): Readonly<Record<string, unknown>>;
  /** Tools for the model, in both modes. A name that is taken already switches the plugin off. */
  getAgentTools?(): readonly Tool[];
  /** Functions that run on a schedule, without a model. */
  getScheduledTaskSetups?(): readonly ScheduledTask[];
  /** Called before every turn; after two seconds the turn goes on without its result. */
  prepare?(turn: Turn): Preparation | Promise<Preparation>;
  /** Called before each call of any tool; nobody waits for it, and it changes nothing. */
  onToolCall?(call: ObservedCall): void | Promise<void>;
  /** Called after each call of any tool. */
  onToolResult?(result: ObservedResult): void | Promise<void>;
  /** Called after every turn. */
  onTurn?(turn: Turn, answer: Answer): void | Promise<void>;
  /** Release what `initialize` opened; at most ten seconds. Plugins shut down in reverse order. */
  shutdown?(): void | Promise<void>;
}

/** What methods see as `this`: the plugin with its `state`, and whatever other fields it has set on itself. */
type Self<State> = Plugin & { readonly state: State } & Record<string, unknown>;

/**
 * Returns the plugin as it is; only there to infer types.
 *
 * Put what methods share into `state`: `this.state` has its type. Fields that are set on `this` without being declared
 * work too; their type is `unknown`.
 */
export function definePlugin<State extends object | undefined = undefined, Settings extends z.ZodType = z.ZodType>(
  plugin: Plugin<Settings> & { readonly state?: State } & ThisType<Self<State>>,
): Plugin {
  return plugin as Plugin;
}

/** A plugin's contribution to the daily review, which it provides as the service `briefing`. */
export type Briefing = (day: {
  readonly now: Date;
  /** The owner's IANA zone. */
  readonly timeZone: string;
  readonly signal: AbortSignal;
}) => Promise<BriefingSection | undefined>;

/** One part of the daily review; without lines it is left out. */
export interface BriefingSection {
  readonly title: string;
  readonly lines: readonly string[];
}
