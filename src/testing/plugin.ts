import { onTestFinished } from 'vitest';
import { silentLog } from '../base/log.ts';
import { Redactor } from '../base/redact.ts';
import type { Decision } from '../base/turn.ts';
import { createGateway } from '../net/gateway.ts';
import type { Plugin, Preparation } from '../plugins/definition.ts';
import { Plugins } from '../plugins/plugins.ts';
import type { Grants } from '../plugins/running.ts';
import { testTurn } from './agent.ts';
import { temporaryFolder } from './home.ts';
import { testScope, testToolbox } from './scope.ts';

export interface PluginOptions {
  /** Variables that are set; the plugin gets those that it declares. */
  readonly env?: Readonly<Record<string, string>>;
  /** Its section of the config files. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** The answer to every request for approval; nobody can be asked unless given. */
  readonly decide?: Decision;
  readonly now?: () => Date;
  /** The owner's; Oslo unless given. */
  readonly timeZone?: string;
  /** Other plugins that are on; their tools can be called too. */
  readonly beside?: readonly Plugin[];
  /** `host:port` of servers of the test, which are on this machine. */
  readonly allowPrivate?: readonly string[];
}

export interface StartedPlugin {
  /** The folder with the user's files: empty at first, gone after the test. */
  readonly home: string;
  /** Call a tool as a model does, through the gate. @returns its result. @throws Error what a model would read. */
  call(tool: string, input?: unknown): Promise<unknown>;
  /** What the plugin adds to a turn that begins with this text. */
  prepare(text: string): Promise<Preparation>;
  /** Run a scheduled task now. @returns its message. */
  runTask(taskKey: string): Promise<string | undefined>;
}

/** A host for plugins that add nothing to scripts and models. */
export const NO_GRANTS: Grants = {
  addModule: () => () => undefined,
  addFunction: () => () => undefined,
  registerProvider() {},
  registerPricing() {},
};

/** Start one plugin as the program does, on a home of its own; it is shut down when the test ends. */
export async function startPlugin(plugin: Plugin, options: PluginOptions = {}): Promise<StartedPlugin> {
  const home = temporaryFolder();
  const plugins = await load(plugin, home, options);
  onTestFinished(() => plugins.shutdown());
  const scope = await testScope(options);
  const toolbox = testToolbox(plugins.tools(), scope);
  return {
    home,
    async call(tool, input = {}) {
      const result = await toolbox.call(tool, input, scope);
      if (!result.ok) throw new Error(result.error);
      return result.value;
    },
    prepare: (text) => plugins.prepare(testTurn(text)),
    async runTask(taskKey) {
      const task = plugins.tasks().find((each) => each.taskKey === taskKey);
      if (!task) throw new Error(`the plugin has no task "${taskKey}"`);
      return task.run(task.payload, new AbortController().signal);
    },
  };
}

/** @throws Error why the plugin could not start. */
async function load(
  plugin: Plugin,
  homeDir: string,
  { env = {}, config = {}, timeZone = 'Europe/Oslo', allowPrivate = [], beside = [] }: PluginOptions,
): Promise<Plugins> {
  const gateway = createGateway({ allowPrivate, log: silentLog });
  onTestFinished(() => gateway.close());
  const plugins = await Plugins.load({
    oursDir: '/nowhere',
    theirsDir: '/nowhere',
    given: [plugin, ...beside],
    ...{ homeDir, env, timeZone, config: { [plugin.name]: config } },
    ...{ log: silentLog, redactor: new Redactor(), reserved: [], gateway },
    grants: NO_GRANTS,
  });
  const failed = plugins.list().find(({ state }) => state !== 'on');
  if (failed) throw new Error(failed.detail);
  return plugins;
}
