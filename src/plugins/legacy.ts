import { z } from 'zod';
import type { Tool } from '../tools/tool.ts';
import type { Plugin, PluginHost, ScheduledTask } from './definition.ts';
import { shapeOf, textOf } from './tool-forms.ts';

/** A plugin of the legacy Wooster: a class with static names, started with a config and an object full of services. */
interface LegacyInstance {
  initialize?(config: unknown, services: LegacyServices): unknown;
  getAgentTools?(): unknown;
  getScheduledTaskSetups?(): unknown;
  shutdown?(): unknown;
}

type LegacyClass = (new () => LegacyInstance) & {
  readonly pluginName?: string;
  readonly version?: string;
  readonly description?: string;
};

/** What remains of the services object: config, log, and a registry through which plugins find each other. */
interface LegacyServices {
  getConfig(): unknown;
  log(level: string, message: string, metadata?: Record<string, unknown>): void;
  registerService(name: string, service: unknown): void;
  getService(name: string): unknown;
}

/** Services that legacy plugins register for each other. The map is shared by all of them. */
export type ServiceMap = Map<string, unknown>;

/** The config could override the schedule, hence "effective". */
const LegacyTask = z.looseObject({
  taskKey: z.string(),
  description: z.string().default(''),
  defaultScheduleExpression: z.string(),
  effectiveScheduleExpression: z.string().optional(),
  initialPayload: z.unknown(),
  functionToExecute: z.custom<(payload: unknown) => unknown>((value) => typeof value === 'function'),
});

/** Whether a plugin's default export is a class, which only legacy plugins are. */
export function isLegacyClass(value: unknown): value is LegacyClass {
  return typeof value === 'function' && typeof value.prototype === 'object';
}

/**
 * Adapt a legacy class to our plugin interface.
 *
 * Its tools are LangChain's, which the host adapts like those of any plugin.
 */
export function adaptLegacy(Legacy: LegacyClass, services: ServiceMap): Plugin {
  const instance = new Legacy();
  const plugin: Plugin = {
    name: Legacy.pluginName ?? Legacy.name,
    version: Legacy.version ?? '0.0.0',
    description: Legacy.description ?? '',
    initialize: async (host) => {
      await instance.initialize?.(host.config, legacyServices(host, services));
    },
    getAgentTools: () => asArray(instance.getAgentTools?.()) as readonly Tool[],
    getScheduledTaskSetups: () => asArray(instance.getScheduledTaskSetups?.()).map(adaptTask),
    shutdown: async () => {
      await instance.shutdown?.();
    },
  };
  ADAPTED.add(plugin);
  return plugin;
}

/** Whether a plugin is an adapted class, whose tools may lack a schema. */
export function isLegacy(plugin: Plugin): boolean {
  return ADAPTED.has(plugin);
}

const ADAPTED = new WeakSet<Plugin>();

function legacyServices(host: PluginHost, services: ServiceMap): LegacyServices {
  return {
    getConfig: () => host.config,
    log: (level, message, metadata) => logAt(host, level.toLowerCase())(message, metadata),
    registerService: (name, service) => services.set(name, service),
    getService: (name) => services.get(name),
  };
}

/** Unknown levels are logged as `info`. */
function logAt(host: PluginHost, level: string): PluginHost['log']['info'] {
  return level === 'debug' || level === 'warn' || level === 'error' ? host.log[level] : host.log.info;
}

function adaptTask(raw: unknown): ScheduledTask {
  const task = LegacyTask.parse(shapeOf(raw, Object.keys(LegacyTask.shape)));
  return {
    taskKey: task.taskKey,
    description: task.description || task.taskKey,
    schedule: task.effectiveScheduleExpression ?? task.defaultScheduleExpression,
    payload: task.initialPayload,
    run: async (payload) => {
      const result = await task.functionToExecute.call(raw, payload);
      return result === undefined ? undefined : textOf(result);
    },
  };
}

/** Legacy plugins return a list, a single value or nothing. */
function asArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
}
