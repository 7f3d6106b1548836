import { z } from 'zod';
import { defineTool, type Tool } from '../tools/tool.ts';
import type { Plugin, PluginHost, ScheduledTask } from './definition.ts';

/** The earlier Wooster's form: a class with static names, started with a config and a bag of services. */
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

interface LegacyServices {
  getConfig(): unknown;
  log(level: string, message: string, metadata?: Record<string, unknown>): void;
  registerService(name: string, service: unknown): void;
  getService(name: string): unknown;
}

/** Services that legacy plugins register for each other; one map per program. */
export type ServiceMap = Map<string, unknown>;

const LegacyTool = z.looseObject({
  name: z.string(),
  description: z.string().default(''),
  schema: z.unknown(),
  invoke: z.custom<(input: unknown) => unknown>((value) => typeof value === 'function'),
});

const LegacyTask = z.looseObject({
  taskKey: z.string(),
  description: z.string().default(''),
  defaultScheduleExpression: z.string(),
  effectiveScheduleExpression: z.string().optional(),
  initialPayload: z.unknown(),
  functionToExecute: z.custom<(payload: unknown) => unknown>((value) => typeof value === 'function'),
});

export function isLegacyClass(value: unknown): value is LegacyClass {
  return typeof value === 'function' && typeof value.prototype === 'object';
}

/** Dress a legacy class as a plugin. Its tools carry no labels, so the most careful ones are assumed. */
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

function logAt(host: PluginHost, level: string): PluginHost['log']['info'] {
  return level === 'debug' || level === 'warn' || level === 'error' ? host.log[level] : host.log.info;
}

/** LangChain tools are class instances: check the shape, then call them as they are. */
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

/** Fields of a class instance, getters and inherited ones too, as a plain object. */
function shapeOf(raw: unknown, fields: readonly string[]): unknown {
  if (typeof raw !== 'object' || raw === null) return raw;
  return Object.fromEntries(fields.map((field) => [field, Reflect.get(raw, field)]));
}

function isZod(value: unknown): value is z.ZodType {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'safeParse') === 'function';
}

function asArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
}

function snakeCase(name: string): string {
  const words = name.replace(/([a-z0-9])([A-Z])/gu, '$1_$2').toLowerCase();
  return words.replace(/[^a-z0-9_.-]/gu, '_');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
