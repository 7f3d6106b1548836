import { DynamicStructuredTool } from '@langchain/core/tools';
import { z } from 'zod';
import { isRecord } from '../../base/json.ts';
import { estimateTokens } from '../../base/text.ts';
import { REFUSED_CALL } from '../../conversation/stored-calls.ts';
import { ANSWER_TOOL } from '../../models/answer-form.ts';
import { modelToolName } from '../../tools/gate/toolbox.ts';
import { usualPart } from '../../tools/signature.ts';
import type { Tool } from '../../tools/tool.ts';

/** Runs one tool call. Resolves with the text that the model reads; rejects only when the turn is cancelled. */
export type Perform = (name: string, args: Record<string, unknown>) => Promise<string>;

/** Runs a call that comes straight from LangChain. */
type Run = (input: unknown, signal: AbortSignal | undefined) => Promise<string>;

/** The declaration of a tool for a model. */
interface Declaration {
  readonly name: string;
  readonly description: string;
  readonly parameters: unknown;
}

/** Made once per tool: a turn declares its tools several times. */
const DECLARATIONS = new WeakMap<Tool, Declaration>();

export function declarationOf(tool: Tool): Declaration {
  const known = DECLARATIONS.get(tool);
  if (known) return known;
  const parameters = tool.name === ANSWER_TOOL ? wholeSchema(tool) : parametersOf(tool);
  const declaration = { name: modelToolName(tool.name), description: tool.description, parameters };
  DECLARATIONS.set(tool, declaration);
  return declaration;
}

/** Some tools are created anew for each turn, with the same input schema. */
const PARAMETERS = new WeakMap<z.ZodType, unknown>();

function parametersOf(tool: Tool): unknown {
  const parameters = PARAMETERS.get(tool.input) ?? declaredSchema(usualPart(wholeSchema(tool)));
  PARAMETERS.set(tool.input, parameters);
  return parameters;
}

/** An answer has to keep every limit of its type, so the model is told them. */
function wholeSchema({ input }: Tool): unknown {
  return z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
}

/** Cached per tool, as long as they hold nothing of a turn. */
const OFFERED = new WeakMap<Tool, DynamicStructuredTool>();

/** The tool as it is declared to a model. @param run what a call does; in a turn, the executor runs calls by itself. */
export function offeredTool(tool: Tool, run?: Run): DynamicStructuredTool {
  if (run) return declaredTool(tool, run);
  const offered = OFFERED.get(tool) ?? declaredTool(tool);
  OFFERED.set(tool, offered);
  return offered;
}

function declaredTool(tool: Tool, run?: Run): DynamicStructuredTool {
  const { name, description, parameters } = declarationOf(tool);
  const func = async (input: unknown, _manager?: unknown, config?: { signal?: AbortSignal }) =>
    run ? run(input, config?.signal) : `${name} is run by the executor only.`;
  return new DynamicStructuredTool({ name, description, schema: parameters as never, func });
}

/** Keywords that only the gate needs: it clamps numbers to their bounds and explains what is wrong with a text. */
const UNDECLARED = new Set([
  ...['$schema', 'additionalProperties', 'minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum'],
  ...['exclusiveMaximum', 'pattern', 'format', 'default', 'minItems', 'maxItems'],
]);

/** A string can stand for these types, but not for a list. */
const SCALARS: ReadonlySet<string> = new Set(['string', 'number', 'integer', 'boolean', 'null']);

/** The schema as a model sees it. Of several types the string alone is declared, where there is one. */
function declaredSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map((each: unknown) => declaredSchema(each));
  if (!isRecord(schema)) return schema;
  const union = Array.isArray(schema.anyOf) ? schema.anyOf : undefined;
  const isSimple = union?.every((each) => isRecord(each) && SCALARS.has(String(each.type)));
  if (isSimple && union?.some((each: unknown) => isRecord(each) && each.type === 'string' && !each.enum)) {
    const { anyOf: _union, ...rest } = schema;
    return declaredSchema({ ...rest, type: 'string' });
  }
  const kept = Object.entries(schema).filter(([name]) => !UNDECLARED.has(name));
  return Object.fromEntries(
    kept.map(([name, value]) => [name, name === 'properties' ? eachField(value) : declaredSchema(value)]),
  );
}

/** A field may have the name of a keyword. */
function eachField(fields: unknown): unknown {
  if (!isRecord(fields)) return fields;
  return Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, declaredSchema(schema)]));
}

const TOKENS = new WeakMap<Tool, number>();

/** The estimated size of the declarations in a request, in tokens. */
export function declarationTokens(tools: readonly Tool[]): number {
  return tools.reduce((sum, tool) => sum + tokensOf(tool), 0);
}

function tokensOf(tool: Tool): number {
  const tokens = TOKENS.get(tool) ?? estimateTokens(`${JSON.stringify(declarationOf(tool))},`);
  TOKENS.set(tool, tokens);
  return tokens;
}

const ANY_OBJECT = z.looseObject({});

/**
 * The tool as the executor runs it. Any object is accepted, because the gate validates: it knows the field names that
 * models make up, and explains what is wrong better than the executor does.
 */
function executedTool(name: string, perform: Perform): DynamicStructuredTool {
  return new DynamicStructuredTool({
    name,
    description: name,
    schema: ANY_OBJECT,
    func: async (input) => perform(name, input),
  });
}

/** All tools of the turn for the executor, and the one that answers calls that the guard refused. */
export function executedTools(tools: readonly Tool[], perform: Perform): DynamicStructuredTool[] {
  return [...tools.map((tool) => modelToolName(tool.name)), REFUSED_CALL].map((name) => executedTool(name, perform));
}
