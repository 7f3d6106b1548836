import { z } from 'zod';
import { messageOf } from '../base/errors.ts';
import { propertiesOf, toSchema } from '../tools/signature.ts';
import { defineTool, type Tool, type ToolDefinition } from '../tools/tool.ts';
import { adaptSchema } from './schema/schema.ts';

/** The tools' plugin: its name, and whether it is a legacy one, whose tools may lack a schema. */
export interface ToolOwner {
  readonly name: string;
  readonly legacy?: boolean;
}

/**
 * The tools of a plugin in our form, whatever form they come in: `defineTool` with any schema that `adaptSchema` takes,
 * the same as a plain object, or a LangChain tool.
 *
 * @throws TypeError that names plugin, tool and reason for one that could not be called.
 */
export async function adaptTools(raw: unknown, owner: ToolOwner): Promise<Tool[]> {
  const given = Array.isArray(raw) ? (raw as unknown[]) : raw === undefined || raw === null ? [] : [raw];
  const tools: Tool[] = [];
  for (const each of given) tools.push(await adaptTool(each, owner));
  return tools;
}

async function adaptTool(raw: unknown, owner: ToolOwner): Promise<Tool> {
  const { name, invoke, execute } = shapeOf(raw, ['name', 'invoke', 'execute']);
  try {
    if (typeof name !== 'string') throw new TypeError('it has no name');
    const isOurs = typeof execute === 'function';
    if (!isOurs && typeof invoke !== 'function') throw new TypeError('it has neither "execute" nor "invoke"');
    const tool = isOurs ? await adaptDefined(raw as Tool) : await adaptLangChain(raw, owner);
    return { ...tool, origin: `plugin ${owner.name}` };
  } catch (error) {
    const named = typeof name === 'string' ? `the tool "${name}"` : 'a tool';
    throw new TypeError(`${named} of the plugin ${owner.name} cannot be used: ${messageOf(error)}`, { cause: error });
  }
}

/** The form of a permanent tool's name; tools of one call may have any name. */
const ID = /^[a-z0-9_.-]+$/u;

/** The result of `defineTool`, or the object that it takes. */
async function adaptDefined(raw: Tool): Promise<Tool> {
  if (!ID.test(raw.name)) throw new TypeError(`tool name "${raw.name}" must match ${ID.source}`);
  const input = await adaptSchema(raw.input);
  const output = raw.output === undefined ? undefined : await adaptSchema(raw.output, { anyValue: true });
  const rest: ToolDefinition = { ...raw };
  return defineTool({
    ...rest,
    description: rest.description ?? '',
    timeoutMs: rest.timeoutMs !== undefined && rest.timeoutMs > 0 ? rest.timeoutMs : DEFAULT_LIMIT_MS,
    input,
    ...(output ? { output } : {}),
    execute: (value, context) => raw.execute(value, context),
  });
}

const DEFAULT_LIMIT_MS = 60_000;

/**
 * LangChain tools are class instances: check their shape, then call them as they are, with the value as it came, since
 * they parse it themselves. They say nothing about what they do or read, so the most careful labels are assumed.
 */
async function adaptLangChain(raw: unknown, owner: ToolOwner): Promise<Tool> {
  const { name, description, schema, invoke } = shapeOf(raw, ['name', 'description', 'schema', 'invoke']);
  const isBare = owner.legacy === true && schema === undefined;
  const input = isBare ? z.looseObject({}) : await adaptSchema(schema, { original: true });
  const [only, ...more] = Object.keys(propertiesOf(toSchema(input, 'input')));
  return defineTool({
    name: snakeCase(String(name)),
    functionName: String(name).replace(/[^A-Za-z0-9_$]/gu, '_'),
    // A model may pass the only field of a simple tool as a bare value.
    positional: only !== undefined && more.length === 0 ? [only as never] : [],
    description: typeof description === 'string' ? description : '',
    input,
    policy: { effect: 'outbound' },
    timeoutMs: DEFAULT_LIMIT_MS,
    execute: async (value, { signal }) =>
      textOf(await (invoke as (input: unknown, config: unknown) => unknown).call(raw, value, { signal })),
  });
}

/** Fields of a class instance as a plain object, including getters and inherited fields, which zod does not see. */
export function shapeOf(raw: unknown, fields: readonly string[]): Record<string, unknown> {
  if (typeof raw !== 'object' || raw === null) return {};
  return Object.fromEntries(fields.map((field) => [field, Reflect.get(raw, field) as unknown]));
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** Our tool ids are lower case; `captureItem` becomes `capture_item`. */
function snakeCase(name: string): string {
  const words = name.replace(/([a-z0-9])([A-Z])/gu, '$1_$2').toLowerCase();
  return words.replace(/[^a-z0-9_.-]/gu, '_');
}
