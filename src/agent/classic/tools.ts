import { DynamicStructuredTool } from '@langchain/core/tools';
import { z } from 'zod';
import { estimateTokens } from '../../conversation/tokens.ts';
import type { Toolbox } from '../../tools/gate/toolbox.ts';
import { modelToolName } from '../../tools/gate/toolbox.ts';
import type { Tool } from '../../tools/tool.ts';
import { REFUSED_CALL } from './tool-call-guard.ts';

/** Runs one tool call. Resolves with the text that the model reads; rejects only when the turn is cancelled. */
export type Perform = (name: string, args: Record<string, unknown>) => Promise<string>;

/** Runs a call that comes straight from LangChain. */
type Run = (input: unknown, signal: AbortSignal | undefined) => Promise<string>;

/** The tool as it is declared to a model. @param run what a call does; in a turn, the executor runs calls by itself. */
export function offeredTool(tool: Tool, run?: Run): DynamicStructuredTool {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(tool.input, { io: 'input', unrepresentable: 'any' });
  const name = modelToolName(tool.name);
  const func = async (input: unknown, _manager?: unknown, config?: { signal?: AbortSignal }) =>
    run ? run(input, config?.signal) : `${name} is run by the executor only.`;
  return new DynamicStructuredTool({ name, description: tool.description, schema: schema as never, func });
}

/** What the declarations of the tools take in a request, estimated in tokens. */
export function declarationTokens(toolbox: Toolbox): number {
  const declared = toolbox.list().map((tool) => offeredTool(tool));
  return estimateTokens(
    JSON.stringify(declared.map(({ name, description, schema }) => ({ name, description, schema }))),
  );
}

/**
 * The tool as the executor runs it. Any object is accepted, because the gate validates: it knows the field names that
 * models make up, and explains what is wrong better than the executor does.
 */
function executedTool(name: string, perform: Perform): DynamicStructuredTool {
  return new DynamicStructuredTool({
    name,
    description: name,
    schema: z.looseObject({}),
    func: async (input) => perform(name, input),
  });
}

/** All tools of the turn for the executor, and the one that answers calls that the guard refused. */
export function executedTools(tools: readonly Tool[], perform: Perform): DynamicStructuredTool[] {
  return [...tools.map((tool) => modelToolName(tool.name)), REFUSED_CALL].map((name) => executedTool(name, perform));
}
