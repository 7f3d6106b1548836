import { z } from 'zod';
import { defineTool, type Tool } from '../tools/tool.ts';
import type { Plugin, PluginHost, ScheduledTask } from './definition.ts';

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

/** What is left of the services object: config, log, and a registry that plugins use to find each other. */
interface LegacyServices {
  getConfig(): unknown;
  log(level: string, message: string, metadata?: Record<string, unknown>): void;
  registerService(name: string, service: unknown): void;
  getService(name: string): unknown;
}

/** Services that legacy plugins register for each other. The map is shared by all of them. */
export type ServiceMap = Map<string, unknown>;

/** Legacy tools are LangChain tools; these are the fields we use. */
const LegacyTool = z.looseObject({
  name: z.string(),
  description: z.string().default(''),
  schema: z.unknown(),
  invoke: z.custom<(input: unknown) => unknown>((value) => typeof value === 'function'),
});

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
 * Its tools say nothing about their effects or about what they read, so the most cautious labels are assumed: outbound,
 * private and untrusted.
 */
export function adaptLegacy(Legacy: LegacyClass, services: ServiceMap): Plugin {
  const instance = new Legacy();
  return {
    name: Legacy.pluginName ?? Legacy.name,
    version: Legacy.version ?? '0.0.0',
    description: Legacy.description ?? '',
    initialize: async (host) => {
      await instance.initialize?.(host.config, legacyServices(host, services));
    },
    getAgentTools: () => asArray(instance.getAgentTools?.()).map(adaptTool),
    getScheduledTaskSetups: () => asArray(instance.getScheduledTaskSetups?.()).map(adaptTask),
    shutdown: async () => {
      await instance.shutdown?.();
    },
  };
}

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

/** LangChain tools are class instances: check their shape, then call them as they are. */
function adaptTool(raw: unknown): Tool {
  const { name, description, schema, invoke } = LegacyTool.parse(
    shapeOf(raw, ['name', 'description', 'schema', 'invoke']),
  );
  return defineTool({
    name: snakeCase(name),
    functionName: name.replace(/[^A-Za-z0-9_$]/gu, '_'),
    description,
    input: isZod(schema) ? schema : z.looseObject({}),
    effect: 'outbound',
    reads: 'private',
    returns: 'untrusted',
    timeoutMs: 60_000,
    execute: async (input) => textOf(await invoke.call(raw, input)),
  });
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

/** Fields of a class instance as a plain object, including getters and inherited fields, which zod does not see. */
function shapeOf(raw: unknown, fields: readonly string[]): unknown {
  if (typeof raw !== 'object' || raw === null) return raw;
  return Object.fromEntries(fields.map((field) => [field, Reflect.get(raw, field)]));
}

function isZod(value: unknown): value is z.ZodType {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'safeParse') === 'function';
}

/** Legacy plugins return a list, a single value or nothing. */
function asArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
}

/** Our tool ids are lower case; `captureItem` becomes `capture_item`. */
function snakeCase(name: string): string {
  const words = name.replace(/([a-z0-9])([A-Z])/gu, '$1_$2').toLowerCase();
  return words.replace(/[^a-z0-9_.-]/gu, '_');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
