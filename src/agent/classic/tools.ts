import { DynamicStructuredTool } from '@langchain/core/tools';
import { z } from 'zod';
import { modelToolName } from '../../tools/gate/toolbox.ts';
import type { Tool } from '../../tools/tool.ts';
import { REFUSED_CALL } from './guard.ts';

/** Runs a call of the model; resolves with what the model reads and rejects only when the turn is cancelled. */
export type Perform = (name: string, args: Record<string, unknown>) => Promise<string>;

/** The tool as a model is told of it. */
export function offeredTool(tool: Tool): DynamicStructuredTool {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(tool.input, { io: 'input', unrepresentable: 'any' });
  const name = modelToolName(tool.name);
  const func = async () => `${name} is run by the executor only.`;
  return new DynamicStructuredTool({ name, description: tool.description, schema: schema as never, func });
}

/**
 * The tool as the executor runs it. Any object is let through: the gate validates, knows the names that models
 * invent for fields, and says what is wrong in better words than the executor.
 */
export function executedTool(name: string, perform: Perform): DynamicStructuredTool {
  return new DynamicStructuredTool({
    name,
    description: name,
    schema: z.looseObject({}),
    func: async (input) => perform(name, input),
  });
}

/** Every tool of the turn for the executor, with the one behind calls that the guard did not let through. */
export function executedTools(tools: readonly Tool[], perform: Perform): DynamicStructuredTool[] {
  return [...tools.map((tool) => modelToolName(tool.name)), REFUSED_CALL].map((name) => executedTool(name, perform));
}
